"""The CPU of a process tree counts what still runs."""

import subprocess
import sys
import time

from authoring.system.cpu import process_tree_cpu_s

BUSY = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ntime.sleep(30)"


def test_a_running_child_counts_before_it_is_reaped() -> None:
    before = process_tree_cpu_s()
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        after = process_tree_cpu_s()
        child.kill()
    assert after - before >= 0.25


def test_sleeping_costs_nothing() -> None:
    before = process_tree_cpu_s()
    time.sleep(0.2)
    assert process_tree_cpu_s() - before < 0.15

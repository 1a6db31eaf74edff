"""Deadlines that do not depend on the load: where CPU is budgeted, wall time only stops what sleeps."""

from dataclasses import replace

from authoring.model.execution import How

__all__ = ["TRACING_TIMES", "budgeted"]

TRACING_TIMES = 20.0
"""How much more CPU a call may use while it is traced."""

_IMPORT_TIMES = 6.0
_CALL_TIMES = 50.0
_RUN_TIMES = 10.0
_SPARE_CPU_S = 32


def budgeted(how: How, requests: int) -> How:
    """Return how to run so many requests in one process: as given, or with wall limits far above the CPU budgets.

    Our own programs have a CPU budget a call; the same budget must give the same outcome on a busy machine.
    """
    limits = how.limits
    if limits.call_cpu_s is None:
        return how
    cpu_s = int(limits.import_s + requests * limits.call_cpu_s) + _SPARE_CPU_S
    return replace(
        how,
        limits=replace(
            limits,
            import_s=_IMPORT_TIMES * limits.import_s,
            call_s=max(limits.call_s, _CALL_TIMES * limits.call_cpu_s),
            run_s=max(limits.run_s, _RUN_TIMES * cpu_s),
            cpu_s=max(limits.cpu_s, cpu_s),
        ),
    )

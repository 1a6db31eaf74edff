"""Codes that begin with ``RED``."""

from authoring.model.codes.base import Code

__all__ = ["CODES"]

CODES: tuple[Code, ...] = (
    Code(
        "RED001",
        "A file of the package cannot be read as Python.",
        "Its encoding is wrong or its syntax is that of another Python. Only files that an import of the "
        "package ran, or that a needed name leads to, are read.",
        "Choose releases whose files the supported Pythons can import.",
    ),
    Code(
        "RED002",
        "A name that the reproducer uses is not found in the package's text.",
        "Names are followed through imports, re-exports and stars. This one is made at run time (by exec, by "
        "a module's __getattr__, by a compiled extension), or one of the versions lacks it.",
        "Use a name in the reproducer that the package's modules define.",
    ),
    Code(
        "RED010",
        "The package could not be made one module that behaves the same.",
        "The flat program was widened up to all that ran when the package was imported, and a check of the "
        "reproducer still gave something else. Usual reasons: a file is read, a module object is inspected, "
        "code is made at run time from a text, or a compiled extension has no twin in Python.",
        "Look at the proof: it names the first check that differs and what escaped there.",
    ),
    Code(
        "RED011",
        "The package reads data files that are too large for one module.",
        "A flat program carries the text files that the package reads beside its modules as tables of lines. "
        "Beyond a quarter of a megabyte nobody would read it.",
        "Use a reproducer that needs less of the package's data.",
    ),
    Code(
        "RED050",
        "The flat program does not behave as the release that it was made from.",
        "Flattening is checked against the real release on every request. Code that depends on its file, on its "
        "module's name or on what else was imported can behave in another way once it stands alone.",
        "Look at the proof (scenario and parameters), and leave that observation out or change what it depends on.",
    ),
    Code(
        "RED051",
        "The flat program does not compile with the Python that the tool runs on.",
        "Reduction reads the program with the parser of its own interpreter; the release uses newer syntax.",
        "Run the tool with the Python that the incident names.",
    ),
    Code(
        "RED052",
        "A request has no observable outcome on one of the real releases.",
        "A result that cannot be written as plain data cannot be compared, so no candidate can be judged by it.",
        "Observe a view of the result (its text, its truth, its items).",
    ),
    Code(
        "RED053",
        "The reduced program behaves differently in a fresh process.",
        "Every accepted state is run again in fresh boxes under other hash seeds; no state of this reduction passed, "
        "so the program's behaviour depends on the order of sets or on what a process did before.",
        "Capture the incident again with repeats, and drop the observation that varies.",
    ),
    Code(
        "RED060",
        "No scenario shows the failure.",
        "The observations that capture chose are the same on the broken and the fixed release.",
        "Write the reproducer so that it compares plain data.",
    ),
    Code(
        "RED061",
        "No domain can be derived.",
        "Every set of parameters that was seen holds something that is no plain data.",
        "Write the reproducer so that its inputs are plain data.",
    ),
    Code(
        "RED070",
        "A contract's cuts.json cannot be read.",
        "It is no document of its form: it was edited or cut short.",
        "Delete it and run `authoring reduce` again; what was taken stands in domain.py.",
    ),
    Code(
        "RED071",
        "A contract's reduction.json cannot be read.",
        "It is no document of its form: it was edited or cut short.",
        "Delete it and run `authoring reduce` again; nothing is lost with it.",
    ),
)

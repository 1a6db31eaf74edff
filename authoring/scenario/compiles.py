"""Whether a generated text is a program; nothing of it is run and nothing of it is shown."""

import warnings

__all__ = ["compiles"]


def compiles(text: str) -> bool:
    """Tell whether a text compiles; warnings about it stay unsaid, since they may quote what is hidden."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "generated", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True

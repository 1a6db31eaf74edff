"""Compile texts for others and hand their code out; nothing of them is run."""

import marshal
from binascii import b2a_base64

from authoring.execution.driver.frames import Pipes


def serve_codes(pipes: Pipes) -> None:
    """Answer each frame with the code of its texts, until the parent closes the pipe."""
    pipes.send('{"up":true}')
    while True:
        order = pipes.receive()
        pipes.send('{"codes":[' + ",".join(code_of(text, order["path"]) for text in order["texts"]) + "]}")


def code_of(text: str, path: str) -> str:
    """Return the code of a text as JSON, ``null`` where it has none."""
    try:
        code = compile(text, path, "exec", dont_inherit=True)
    except Exception:  # whoever runs the text meets the same error where it counts
        return "null"
    return '"' + b2a_base64(marshal.dumps(code), newline=False).decode() + '"'

"""Names that six makes when it is imported, so that no text of its defines them."""

from authoring.reduction.flatten.stand_ins.base import StandIn

__all__ = ["EXAMPLES", "NAMES"]

_BUILTINS = {"filter", "input", "map", "range", "zip", "xrange:range", "unichr:chr", "raw_input:input"}
_MODULES = {
    "builtins": "builtins",
    "configparser": "configparser",
    "copyreg": "copyreg",
    "cPickle": "pickle",
    "html_parser": "html.parser",
    "html_entities": "html.entities",
    "http_client": "http.client",
    "http_cookies": "http.cookies",
    "queue": "queue",
    "reprlib": "reprlib",
    "socketserver": "socketserver",
    "_thread": "_thread",
    "winreg": "winreg",
    "xmlrpc_client": "xmlrpc.client",
}
_PARTS = {
    "filterfalse": ("itertools", "filterfalse"),
    "zip_longest": ("itertools", "zip_longest"),
    "reduce": ("functools", "reduce"),
    "intern": ("sys", "intern"),
    "getcwd": ("os", "getcwd"),
    "reload_module": ("importlib", "reload"),
    "shlex_quote": ("shlex", "quote"),
    "StringIO": ("io", "StringIO"),
    "UserDict": ("collections", "UserDict"),
    "UserList": ("collections", "UserList"),
    "UserString": ("collections", "UserString"),
}
_URL_PARSE = (
    "ParseResult SplitResult parse_qs parse_qsl urldefrag urljoin urlparse urlsplit urlunparse urlunsplit "
    "quote quote_plus unquote unquote_plus urlencode"
).split()

NAMES: dict[tuple[str, str], StandIn] = {
    ("six.moves", entry.partition(":")[0]): StandIn("builtins", entry.rpartition(":")[2])
    for entry in _BUILTINS
}
NAMES.update({("six.moves", name): StandIn(module, "") for name, module in _MODULES.items()})
NAMES.update({("six.moves", name): StandIn(*part) for name, part in _PARTS.items()})
NAMES.update({("six.moves.urllib.parse", name): StandIn("urllib.parse", name) for name in _URL_PARSE})
NAMES.update(
    {("six.moves.urllib", name): StandIn(f"urllib.{name}", "") for name in ("parse", "request", "error")}
)

EXAMPLES = (
    ("from six.moves import range\nprint(range(3))\n", "print(range(3))\n"),
    ("from six.moves import xrange\nprint(xrange(3))\n", "print(range(3))\n"),
)

"""Write the JSON Schemas of every document (``./dev schemas``)."""

import sys

from authoring.model.schemas import write_schemas

if __name__ == "__main__":
    for name in write_schemas():
        sys.stdout.write(f"wrote {name}\n")

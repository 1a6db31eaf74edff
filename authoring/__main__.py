"""``python -m authoring`` is the console script."""

from authoring.cli import main

if __name__ == "__main__":
    main()

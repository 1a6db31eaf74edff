"""The values that cross stages, the errors, the codes and the digests; nothing here runs anything."""

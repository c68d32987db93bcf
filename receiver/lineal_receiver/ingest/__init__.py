"""From bytes to rows: validate, merge, persist."""

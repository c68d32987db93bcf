"""Take something out of everything that is stored: `docs/decisions/0010-redaction-changes-records.md`."""

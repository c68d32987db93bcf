"""The child process beside dbt: it analyses, builds, sends, and keeps what could not be sent."""

"""PostgreSQL itself: an embedded server or anyone's, connections, migrations."""

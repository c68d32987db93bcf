"""The database: the embedded server, the connection pool, the migrations."""

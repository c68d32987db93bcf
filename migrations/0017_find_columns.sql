-- Columns are searched by a part of their name: among the schemas that there are, and from these to the datasets that have them now.
create index schema_body_words on schema_body using gin (fields gin_trgm_ops);
create index dataset_state_by_schema on dataset_state (schema_id) where schema_id is not null;

-- What JobEvents from the future say of a job, which counts once they are trusted: when the newest was, and whether the job streams.
alter table job_state
    add column ahead_at timestamptz,
    add column ahead_streaming boolean,
    add column ahead_streaming_key bytea;

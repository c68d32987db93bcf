-- What operators say of the log itself: from which time on events are folded, and what was taken out of it.

-- The archive horizon, a register; no row, or at null: there is none.
create table horizon (
    one boolean primary key default true check (one),
    key bytea not null,
    at timestamptz,
    set_at timestamptz not null,
    made_by text not null,
    why text not null
);

-- Events that were older than the horizon when they were first accepted (log.flags, 65536): kept, never folded.
create index log_late on log (received_at desc, id desc) where flags & 65536 <> 0;

-- Each redaction: who, when, why, and how many records and refused bodies it changed (those have 32768 in log.flags).
-- what: text, wherever it stands; or pointers into one record. The text itself is kept nowhere.
create table redaction (
    id bytea primary key,
    at timestamptz not null,
    what text not null check (what in ('text', 'pointers')),
    made_by text not null,
    why text not null,
    record_id bytea,
    pointers text[] not null,
    records bigint not null,
    rejected bigint not null
);
create index redaction_by_time on redaction (at desc, id desc);

-- Of static events' schemas, too, each is kept (kind s; build_id: null): static_version has of each only when it was stated last.
alter table statement add column schema_id bytea, drop constraint statement_kind_check;
alter table statement add check (kind in ('b', 't', 'n', 'w', 'i', 'o', 's'));
insert into statement (dataset_id, job_id, kind, future, key, schema_id, datasets)
select v.dataset_id, v.job_id, 's', v.future, v.key, v.schema_id, '{}' from static_version as v
on conflict do nothing;
create index statement_schemas on statement (dataset_id, future, substring(key from 1 for 8), job_id desc, key) where kind = 's';
drop index static_version_by_time;

create or replace function schema_stated(dataset uuid, is_future boolean, since timestamptz, until timestamptz)
returns table (schema_id bytea, stated_at timestamptz, job_id uuid, run_id uuid)
language sql stable parallel safe
as $$
    select s.schema_id, s.stated_at, s.job_id, s.run_id
    from (
        (
            select io.schema_id, io.effective_at as stated_at, io.job_id, io.run_id
            from run_io as io
            where
                io.dataset_id = dataset and io.side = 'o' and io.class = 2 and io.future = is_future
                and io.lifecycle is distinct from 'DROP' and io.stated_key is null
                and io.schema_id is not null and io.effective_at between since and until
            order by io.effective_at desc, io.job_id, io.run_id
            limit 1
        )
        union all
        (
            select v.schema_id, to_timestamp_of_seen(v.key), v.job_id, '00000000-0000-0000-0000-000000000000'
            from statement as v
            where
                v.dataset_id = dataset and v.kind = 's' and v.future = is_future
                and substring(v.key from 1 for 8) >= case when since = '-infinity' then '' else first_key(since) end
                and substring(v.key from 1 for 8) <= first_key(until)
            order by substring(v.key from 1 for 8) desc, v.job_id, v.key desc
            limit 1
        )
    ) as s
    order by s.stated_at desc, s.job_id, s.run_id
    limit 1
$$;

-- A write of a dataset; one that states no schema has the one before it, back to a DROP: one that isn't from the future, if there is any.
-- What static events stated before a DROP isn't the schema of what they state after it.
create or replace view dataset_write as
select
    io.dataset_id,
    io.job_id,
    io.run_id,
    io.effective_at,
    io.lifecycle,
    b.id as schema_id,
    b.fields,
    write_version(io.dataset_id, io.job_id, io.run_id, io.schema_id, io.lifecycle) as version_id,
    io.class,
    io.future
from run_io as io
left join lateral (
    select max(gone.effective_at) as at
    from run_io as gone
    where
        (io.schema_id is null or io.stated_key is not null)
        and gone.dataset_id = io.dataset_id
        and gone.side = 'o'
        and gone.class = 2
        and gone.lifecycle = 'DROP'
        and gone.future <= io.future
        and gone.effective_at < io.effective_at
) as dropped on true
cross join lateral (
    select case
        when io.stated_key is not null and io.schema_key < first_key(dropped.at) then null
        else io.schema_id
    end as schema_id
) as own
left join lateral (
    select stated.schema_id
    from (values (false), (true)) as rank (future)
    cross join lateral (
        select s.schema_id
        from run_io as s
        where
            own.schema_id is null
            and rank.future <= io.future
            and s.dataset_id = io.dataset_id
            and s.side = 'o'
            and s.class = 2
            and s.future = rank.future
            and s.lifecycle is distinct from 'DROP'
            and s.schema_id is not null
            and s.effective_at <= io.effective_at
            and s.effective_at >= coalesce(dropped.at, '-infinity')
            and (s.stated_key is null or dropped.at is null or s.schema_key >= first_key(dropped.at))
        order by s.effective_at desc, s.job_id, s.run_id
        limit 1
    ) as stated
    order by rank.future
    limit 1
) as earlier on true
left join schema_body as b on b.id = coalesce(own.schema_id, earlier.schema_id)
where io.side = 'o';

-- What static events of a job, or of none, had told until a key (0018), of what they tell in `lineage` facets: the sources of a dataset, and with the dataset none '{}': that there was a facet. Null: nothing in force then.
create function told_until(dataset uuid, job uuid, upper bytea) returns table (datasets uuid[], build_id bytea, key bytea)
language sql stable parallel safe
as $$
    select t.datasets, t.build_id, t.key
    from (
        select s.datasets, s.build_id, s.key
        from statement as s
        where s.dataset_id = dataset and s.kind = 't' and not s.future and s.job_id = job and s.key < upper
        order by s.key desc
        limit 1
    ) as t
    where
        t.key >= coalesce(
            greatest(
                (
                    select max(n.key)
                    from statement as n
                    where n.dataset_id = dataset and n.kind = 'n' and not n.future and n.job_id = job and n.key < upper
                ),
                (
                    select max(n.key)
                    from statement as n
                    where
                        n.dataset_id = '00000000-0000-0000-0000-000000000000' and n.kind = 'n' and not n.future
                        and n.job_id = job and n.key < upper
                )
            ),
            ''
        )
$$;

-- The reading of a dataset's columns that such events had stated until a key, and the key of the one that did.
create function build_until(dataset uuid, job uuid, upper bytea) returns table (build_id bytea, key bytea)
language sql stable parallel safe
as $$
    select found.build_id, found.key
    from (
        select t.build_id, t.key, 0 as place from told_until(dataset, job, upper) as t where t.build_id is not null
        union all
        (
            select s.build_id, s.key, 1
            from statement as s
            where s.dataset_id = dataset and s.kind = 'b' and not s.future and s.job_id = job and s.key < upper
            order by s.key desc
            limit 1
        )
    ) as found
    order by found.place
    limit 1
$$;

-- What a job's newest JobEvent that named any inputs (side i), or outputs (o), until a key named.
create function named_until(job uuid, side "char", upper bytea) returns table (datasets uuid[], key bytea)
language sql stable parallel safe
as $$
    select s.datasets, s.key
    from statement as s
    where
        s.dataset_id = '00000000-0000-0000-0000-000000000000' and s.kind = side and not s.future and s.job_id = job
        and s.key < upper
    order by s.key desc
    limit 1
$$;

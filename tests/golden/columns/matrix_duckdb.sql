--- case: CTE that hides a table
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: UNION BY NAME
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all by name select city as amount, id from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders except select boss from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.boss FILTER, orders.id GROUP_BY

--- case: JOIN USING
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: LATERAL
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, x.top from orders o, lateral (select max(p.city) as top from people p where p.id = o.customer) x
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION
--> rows: people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, tag from t, unnest(tags) as u(tag)
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, tag, n from t, unnest(tags) with ordinality as u(tag, n)
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> n: constant

--- case: fields of an array's structs
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, i.sku as sku from t, unnest(items) as u(i)
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION

--- case: field of a struct
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, place.city as city, t.place.zip as zip from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: all fields of a struct
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, place.* from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: path into JSON
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, doc->'a'->>'b' as x, upper(doc->>'c') as y from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION
--> y: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select t.id, e.key, e.value from t, json_each(doc) e
--> resolved
--> id: t.id IDENTITY
--> key: t.doc TRANSFORMATION
--> value: t.doc TRANSFORMATION

--- case: PIVOT
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
pivot (from orders select customer, status, amount) on status in (1, 2) using sum(amount) as total
--> resolved
--> customer: orders.customer IDENTITY
--> 1_total: orders.amount AGGREGATION, orders.status CONDITIONAL
--> 2_total: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: PIVOT over values of the data
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
pivot orders on status using sum(amount) group by customer
--> partial star_without_schema
--> customer: orders.customer IDENTITY
--> rows: orders.customer GROUP_BY

--- case: UNPIVOT
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> id: orders.id IDENTITY
--> what: constant
--> n: orders.amount IDENTITY, orders.placed IDENTITY

--- case: named window
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: QUALIFY
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sum(amount) filter (where status = 1) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, array_agg(amount order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: GROUP BY ALL
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> customer: orders.customer IDENTITY
--> s: orders.status TRANSFORMATION
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: DISTINCT ON
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select distinct on (customer) customer, amount from orders order by customer, placed
--> resolved
--> customer: orders.customer IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer GROUP_BY, orders.customer SORT, orders.placed SORT

--- case: recursive CTE
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: semi join
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o semi join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: anti join
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o anti join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: ASOF join
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, p.city from orders o asof join people p on o.customer = p.id and o.placed >= p.boss
--> resolved
--> id: orders.id IDENTITY
--> city: people.city IDENTITY
--> rows: orders.customer JOIN, people.id JOIN, orders.placed JOIN, people.boss JOIN

--- case: VALUES
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, n from orders o, range(o.amount) as r(n)
--> resolved
--> id: orders.id IDENTITY
--> n: orders.amount TRANSFORMATION

--- case: table function of one's own
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select x from my_rows(3) as f(x)
--> unresolved
--> x: opaque_function

--- case: COLUMNS()
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select max(columns(* exclude (id))), columns('^na') from people
--> resolved
--> name: people.name AGGREGATION
--> boss: people.boss AGGREGATION
--> city: people.city AGGREGATION
--> name: people.name IDENTITY

--- case: lambda
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, list_filter(tags, x -> x <> id::varchar) as l from t
--> resolved
--> id: t.id IDENTITY
--> l: t.tags TRANSFORMATION, t.id TRANSFORMATION

--- case: list comprehension
--- dialect: duckdb
--- schema: t(id INT, tags VARCHAR[], items STRUCT(sku VARCHAR, qty INT)[], place STRUCT(city VARCHAR, zip INT), doc JSON)
select id, [upper(x) for x in tags if x <> id::varchar] as l from t
--> resolved
--> id: t.id IDENTITY
--> l: t.tags TRANSFORMATION, t.id CONDITIONAL

--- case: star without some
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * exclude (boss) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> city: people.city IDENTITY

--- case: star with other values
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * replace (name + city as name) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name TRANSFORMATION, people.city TRANSFORMATION
--> boss: people.boss IDENTITY
--> city: people.city IDENTITY

--- case: star with other names
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * rename (boss as chief) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> chief: people.boss IDENTITY
--> city: people.city IDENTITY

--- case: star by pattern
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * like '%i%' from people
--> resolved
--> id: people.id IDENTITY
--> city: people.city IDENTITY

--- case: outputs of one name
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> (amount + 1): orders.amount TRANSFORMATION
--> max(placed) OVER (): orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: duckdb
--- schema: Odd T(A b INT, x.y INT)
select "A b", "x.y" as z from "Odd T"
--> resolved
--> A b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: duckdb
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> id: orders.id IDENTITY
--> Total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: UPDATE with other tables
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
update people set name = o.amount from orders o where o.customer = people.id and o.status = 1
--> resolved -> people
--> name: orders.amount IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, orders.status FILTER

--- case: upsert
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into people (id, name) select customer, amount from orders where true on conflict (id) do update set name = excluded.name + people.name
--> resolved -> people
--> id: orders.customer IDENTITY
--> name: orders.amount IDENTITY, orders.amount TRANSFORMATION, people.name TRANSFORMATION

--- case: a table of the same text
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create temporary table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: variable
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
set variable top = (select max(amount) from orders); select id, getvariable('top') as t from orders
--> resolved
--> id: orders.id IDENTITY
--> t: orders.amount AGGREGATION

--- case: alias used by a later output
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> more: orders.amount TRANSFORMATION
--> twice: orders.amount TRANSFORMATION

--- case: file as a relation
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select a, b + 1 as c from read_parquet('s3://lake/x/*.parquet')
--> resolved
--> a: s3://lake/x/*.parquet.a IDENTITY
--> c: s3://lake/x/*.parquet.b TRANSFORMATION

--- case: query written to files
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
copy (select id, amount from orders) to 'x.parquet'
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY

--- case: procedure
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: duckdb
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: duckdb
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: duckdb
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN

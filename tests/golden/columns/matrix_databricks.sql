--- case: CTE that hides a table
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders intersect select id from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.id FILTER, orders.id GROUP_BY

--- case: JOIN USING
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: LATERAL
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, x.top from orders o, lateral (select max(p.city) as top from people p where p.id = o.customer) x
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION
--> rows: people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, tag from t lateral view explode(tags) x as tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, n, tag from t lateral view posexplode(tags) x as n, tag
--> resolved
--> id: t.id IDENTITY
--> n: constant
--> tag: t.tags TRANSFORMATION

--- case: fields of an array's structs
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, i.sku from t lateral view explode(items) x as i
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION

--- case: field of a struct
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, place.city as city from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION

--- case: all fields of a struct
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, place.* from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: path into JSON
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, doc:a.b as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, a, b from t lateral view json_tuple(doc, 'a', 'b') j as a, b
--> resolved
--> id: t.id IDENTITY
--> a: t.doc TRANSFORMATION
--> b: t.doc TRANSFORMATION

--- case: PIVOT
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * from (select customer, status, amount from orders) pivot (sum(amount) as total for status in (1 as one, 2 as two))
--> resolved
--> customer: orders.customer IDENTITY
--> one: orders.amount AGGREGATION, orders.status CONDITIONAL
--> two: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: UNPIVOT
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> id: orders.id IDENTITY
--> what: constant
--> n: orders.amount IDENTITY, orders.placed IDENTITY

--- case: named window
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: QUALIFY
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sum(amount) filter (where status = 1) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, listagg(amount, ',') within group (order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: GROUP BY ALL
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> customer: orders.customer IDENTITY
--> s: orders.status TRANSFORMATION
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: recursive CTE
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: semi join
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o left semi join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: anti join
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o left anti join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: VALUES
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, n from orders o lateral view explode(sequence(1, o.amount)) s as n
--> resolved
--> id: orders.id IDENTITY
--> n: orders.amount TRANSFORMATION

--- case: table function of one's own
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, f.x from orders o, lateral my_rows(o.amount) as f(x)
--> partial
--> id: orders.id IDENTITY
--> x: opaque_function; orders.amount TRANSFORMATION

--- case: lambda
--- dialect: databricks
--- schema: t(id INT, tags ARRAY<STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>, place STRUCT<city: STRING, zip: INT>, doc STRING)
select id, filter(tags, x -> x <> id) as l from t
--> resolved
--> id: t.id IDENTITY
--> l: t.tags TRANSFORMATION, t.id TRANSFORMATION

--- case: star without some
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * except (boss) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> city: people.city IDENTITY

--- case: outputs of one name
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> (amount + 1): orders.amount TRANSFORMATION
--> MAX(placed) OVER (): orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: databricks
--- schema: Odd T(A b INT, x.y INT)
select `A b`, `x.y` as z from `Odd T`
--> resolved
--> A b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: databricks
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: orders.id IDENTITY
--> Total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: a table of the same text
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create temporary view step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: variable
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
declare variable top int; set var top = (select max(amount) from orders); select id, top as t from orders
--> resolved
--> id: orders.id IDENTITY
--> t: orders.amount AGGREGATION

--- case: alias used by a later output
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> more: orders.amount TRANSFORMATION
--> twice: orders.amount TRANSFORMATION

--- case: file as a relation
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select a, b + 1 as c from read_files('s3://lake/x/')
--> resolved
--> a: s3://lake/x/.a IDENTITY
--> c: s3://lake/x/.b TRANSFORMATION

--- case: query written to files
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert overwrite directory '/tmp/x' using parquet select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY

--- case: INSERT into several tables
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
from orders insert into table a1 select id insert into table a2 select amount
--> partial unsupported_statement -> a2
--> amount: orders.amount IDENTITY

--- case: block of a script
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
begin create table target as select amount as x from orders; end
--> resolved -> target
--> x: orders.amount IDENTITY

--- case: SQL put together as text
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute immediate 'select id from ' || name
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute immediate 'select id from orders'
--> resolved
--> id: orders.id IDENTITY

--- case: procedure
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: databricks
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: databricks
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: databricks
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN

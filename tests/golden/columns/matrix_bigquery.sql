--- case: CTE that hides a table
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: UNION BY NAME
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all by name select city as amount, id from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders except distinct select boss from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.boss FILTER, orders.id GROUP_BY

--- case: JOIN USING
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, tag from t, unnest(tags) as tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, tag, n from t, unnest(tags) as tag with offset as n
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> n: constant

--- case: fields of an array's structs
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, i.sku from t, unnest(items) as i
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION

--- case: field of a struct
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, place.city as city from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION

--- case: all fields of a struct
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, place.* from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: path into JSON
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, doc.a.b as x, json_value(doc, '$.c') as y from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION
--> y: t.doc TRANSFORMATION

--- case: rows of JSON
--- dialect: bigquery
--- schema: t(id INT64, tags ARRAY<STRING>, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRUCT<city STRING, zip INT64>, doc JSON)
select id, e from t, unnest(json_extract_array(doc, '$.a')) as e
--> resolved
--> id: t.id IDENTITY
--> e: t.doc TRANSFORMATION

--- case: PIVOT
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * from (select customer, status, amount from orders) pivot (sum(amount) as total for status in (1 as one, 2 as two))
--> resolved
--> customer: orders.customer IDENTITY
--> total_one: orders.amount AGGREGATION, orders.status CONDITIONAL
--> total_two: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: UNPIVOT
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> id: orders.id IDENTITY
--> what: constant
--> n: orders.amount IDENTITY, orders.placed IDENTITY

--- case: named window
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: QUALIFY
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, countif(status = 1) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: order inside an aggregate
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, array_agg(amount order by placed) as list from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> list: orders.amount AGGREGATION, orders.placed SORT
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: GROUP BY ALL
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> customer: orders.customer IDENTITY
--> s: orders.status TRANSFORMATION
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: recursive CTE
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: VALUES
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from unnest([struct(1 as n, 'a' as k), (2, 'b')]) as v join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, n from orders o, unnest(generate_array(1, o.amount)) as n
--> resolved
--> id: orders.id IDENTITY
--> n: orders.amount TRANSFORMATION

--- case: table function of one's own
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select x from d.my_rows(3)
--> unresolved
--> x: opaque_function

--- case: star without some
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * except (boss) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> city: people.city IDENTITY

--- case: star with other values
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * replace (name + city as name) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name TRANSFORMATION, people.city TRANSFORMATION
--> boss: people.boss IDENTITY
--> city: people.city IDENTITY

--- case: outputs of one name
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.id IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> f0_: orders.amount TRANSFORMATION
--> f1_: orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: bigquery
--- schema: Odd T(A b INT, x.y INT)
select `A b` from `Odd T`
--> resolved
--> A b: Odd T.A b IDENTITY

--- case: names beyond ASCII
--- dialect: bigquery
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: orders.id IDENTITY
--> Total: orders.amount IDENTITY
--> rows: orders.status FILTER

--- case: INSERT with columns
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: MERGE
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> name: orders.amount IDENTITY, orders.placed IDENTITY
--> id: orders.customer IDENTITY
--> rows: people.id JOIN, orders.customer JOIN, orders.status FILTER

--- case: UPDATE with other tables
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
update people set name = o.amount from orders o where o.customer = people.id and o.status = 1
--> resolved -> people
--> name: orders.amount IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, orders.status FILTER

--- case: a table of the same text
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create temp table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: variable
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
declare top int64 default (select max(amount) from orders); select id, top as t from orders
--> resolved
--> id: orders.id IDENTITY
--> t: orders.amount AGGREGATION

--- case: block of a script
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
begin create temp table step as select amount as x from orders; create table target as select x from step; end
--> resolved -> target
--> x: orders.amount IDENTITY

--- case: statement under a condition
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
if (select count(*) from orders) > 0 then create table target as select id from orders; end if
--> partial unsupported_statement -> target
--> id: orders.id IDENTITY

--- case: SQL put together as text
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute immediate concat('select id from ', name)
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
execute immediate 'select id from orders'
--> resolved
--> id: orders.id IDENTITY

--- case: procedure
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call d.refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: bigquery
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: bigquery
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN

--- case: alias used by a later output
--- dialect: bigquery
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> more: orders.amount TRANSFORMATION
--> twice: orders.amount TRANSFORMATION

--- case: CTE that hides a table
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount TRANSFORMATION

--- case: UNION by position
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders union all select id, city from people
--> resolved
--> id: orders.id IDENTITY, people.id IDENTITY
--> amount: orders.amount IDENTITY, people.city IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders intersect select id from people
--> resolved
--> id: orders.id IDENTITY
--> rows: people.id FILTER, orders.id FILTER

--- case: JOIN USING
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> name: people.name IDENTITY
--> rows: orders.id JOIN, people.id JOIN

--- case: subquery in a condition
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer FILTER, people.id FILTER, people.city FILTER, people.boss FILTER

--- case: scalar subquery
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> id: orders.id IDENTITY
--> top: people.city AGGREGATION, people.id FILTER, orders.customer FILTER

--- case: elements of an array
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, tag from t array join tags as tag
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION

--- case: ordinals of elements
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, tag, n from t array join tags as tag, arrayEnumerate(tags) as n
--> resolved
--> id: t.id IDENTITY
--> tag: t.tags TRANSFORMATION
--> n: t.tags TRANSFORMATION

--- case: fields of an array's structs
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, i.sku as sku from t array join items as i
--> resolved
--> id: t.id IDENTITY
--> sku: t.items.sku TRANSFORMATION

--- case: field of a struct
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, place.city as city, place.2 as zip from t
--> resolved
--> id: t.id IDENTITY
--> city: t.place.city TRANSFORMATION
--> zip: t.place.zip TRANSFORMATION

--- case: path into JSON
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, JSONExtractString(doc, 'a', 'b') as x from t
--> resolved
--> id: t.id IDENTITY
--> x: t.doc TRANSFORMATION

--- case: named window
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> id: orders.id IDENTITY
--> total: orders.amount AGGREGATION, orders.customer WINDOW, orders.placed WINDOW
--> n: orders.customer WINDOW, orders.placed WINDOW

--- case: QUALIFY
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> id: orders.id IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer WINDOW, orders.placed WINDOW

--- case: condition of an aggregate
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, sumIf(amount, status = 1) as paid from orders group by customer
--> resolved
--> customer: orders.customer IDENTITY
--> paid: orders.amount AGGREGATION, orders.status CONDITIONAL
--> rows: orders.customer GROUP_BY

--- case: grouping sets
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> customer: orders.customer IDENTITY
--> status: orders.status IDENTITY
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: GROUP BY ALL
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> customer: orders.customer IDENTITY
--> s: orders.status TRANSFORMATION
--> total: orders.amount AGGREGATION
--> rows: orders.customer GROUP_BY, orders.status GROUP_BY

--- case: DISTINCT ON
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select distinct on (customer) customer, amount from orders order by customer, placed
--> resolved
--> customer: orders.customer IDENTITY
--> amount: orders.amount IDENTITY
--> rows: orders.customer GROUP_BY, orders.customer SORT, orders.placed SORT

--- case: recursive CTE
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> id: people.id IDENTITY
--> depth: constant
--> rows: people.boss FILTER, people.boss JOIN, people.id JOIN

--- case: semi join
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o left semi join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: anti join
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id from orders o left anti join people p on o.customer = p.id
--> resolved
--> id: orders.id IDENTITY
--> rows: orders.customer JOIN, people.id JOIN

--- case: ASOF join
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select o.id, p.city from orders o asof join people p on o.customer = p.id and o.placed >= p.boss
--> resolved
--> id: orders.id IDENTITY
--> city: people.city IDENTITY
--> rows: orders.customer JOIN, people.id JOIN, orders.placed JOIN, people.boss JOIN

--- case: VALUES
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select v.k, o.amount from values('n Int32, k String', (1, 'a'), (2, 'b')) as v join orders o on o.status = v.n
--> resolved
--> k: constant
--> amount: orders.amount IDENTITY
--> rows: orders.status JOIN

--- case: generated rows
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select number as n from numbers(10)
--> resolved
--> n: constant

--- case: table function of one's own
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select x from my_rows(3)
--> unresolved
--> x: opaque_function

--- case: COLUMNS()
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select columns('^na') apply(max) from people
--> resolved
--> max(name): people.name AGGREGATION

--- case: lambda
--- dialect: clickhouse
--- schema: t(id Int32, tags Array(String), items Nested(sku String, qty Int32), place Tuple(city String, zip Int32), doc String)
select id, arrayFilter(x -> x <> toString(id), tags) as l from t
--> resolved
--> id: t.id IDENTITY
--> l: t.tags TRANSFORMATION, t.id TRANSFORMATION

--- case: star without some
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * except (boss) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name IDENTITY
--> city: people.city IDENTITY

--- case: star with other values
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select * replace (name + city as name) from people
--> resolved
--> id: people.id IDENTITY
--> name: people.name TRANSFORMATION, people.city TRANSFORMATION
--> boss: people.boss IDENTITY
--> city: people.city IDENTITY

--- case: outputs of one name
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, amount as id from orders
--> resolved
--> id: orders.amount IDENTITY
--> id: orders.amount IDENTITY

--- case: outputs without a name
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> plus(amount, 1): orders.amount TRANSFORMATION
--> max(placed) OVER (): orders.placed AGGREGATION

--- case: quoted and dotted names
--- dialect: clickhouse
--- schema: Odd T(A b INT, x.y INT)
select `A b`, `x.y` as z from `Odd T`
--> resolved
--> A b: Odd T.A b IDENTITY
--> z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: clickhouse
--- schema: käse(größe INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: käse.größe IDENTITY

--- case: letters of another case
--- dialect: clickhouse
--- schema: Orders(ID INT, AMOUNT INT, Status INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> partial unknown_relation
--> ID: Orders.ID IDENTITY
--> Total: Orders.AMOUNT IDENTITY

--- case: INSERT with columns
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: CREATE TABLE AS
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> id: orders.id IDENTITY
--> twice: orders.amount TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> a: orders.id IDENTITY
--> b: orders.amount IDENTITY

--- case: a table of the same text
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
create temporary table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> more: orders.amount TRANSFORMATION

--- case: alias used by a later output
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> more: orders.amount TRANSFORMATION
--> twice: orders.amount TRANSFORMATION

--- case: file as a relation
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select a, b + 1 as c from s3('https://lake/x.parquet')
--> resolved
--> a: https://lake/x.parquet.a IDENTITY
--> c: https://lake/x.parquet.b TRANSFORMATION

--- case: procedure
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> id: orders.id IDENTITY
--> amount: parser_error

--- case: a column that isn't there
--- dialect: clickhouse
--- schema: orders(id INT, customer INT, amount INT, placed INT, status INT); people(id INT, name INT, boss INT, city INT)
select id, nothing from orders
--> partial
--> id: orders.id IDENTITY
--> nothing: unknown_column

--- case: a star over unknown columns
--- dialect: clickhouse
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: clickhouse
select a.x, y from a join b on a.id = b.id
--> partial
--> x: a.x IDENTITY
--> y: ambiguous_column
--> rows: a.id JOIN, b.id JOIN

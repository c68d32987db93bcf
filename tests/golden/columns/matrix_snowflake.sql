--- case: CTE that hides a table
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with orders as (select id, amount * 2 as amount from orders) select id, amount from orders
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT TRANSFORMATION

--- case: UNION by position
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount from orders union all select id, city from people
--> resolved
--> ID: ORDERS.ID IDENTITY, PEOPLE.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY, PEOPLE.CITY IDENTITY

--- case: UNION BY NAME
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount from orders union all by name select city as amount, id from people
--> resolved
--> ID: ORDERS.ID IDENTITY, PEOPLE.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY, PEOPLE.CITY IDENTITY

--- case: INTERSECT and EXCEPT
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id from orders intersect select id from people
--> resolved
--> ID: ORDERS.ID IDENTITY
--> rows: PEOPLE.ID FILTER, ORDERS.ID GROUP_BY

--- case: JOIN USING
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount, name from orders left join people using (id)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY
--> NAME: PEOPLE.NAME IDENTITY
--> rows: ORDERS.ID JOIN, PEOPLE.ID JOIN

--- case: subquery in a condition
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id from orders o where customer in (select id from people where city > 1) and exists (select 1 from people p where p.boss = o.customer)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> rows: ORDERS.CUSTOMER FILTER, PEOPLE.ID FILTER, PEOPLE.CITY FILTER, PEOPLE.BOSS FILTER

--- case: scalar subquery
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, (select max(p.city) from people p where p.id = o.customer) as top from orders o
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOP: PEOPLE.CITY AGGREGATION, PEOPLE.ID FILTER, ORDERS.CUSTOMER FILTER

--- case: LATERAL
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, x.top from orders o, lateral (select max(p.city) as top from people p where p.id = o.customer) x
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOP: PEOPLE.CITY AGGREGATION
--> rows: PEOPLE.ID FILTER, ORDERS.CUSTOMER FILTER

--- case: elements of an array
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select t.id, f.value as tag from t, lateral flatten(input => t.tags) f
--> resolved
--> ID: T.ID IDENTITY
--> TAG: T.TAGS TRANSFORMATION

--- case: ordinals of elements
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select t.id, f.index as n from t, lateral flatten(input => t.tags) f
--> resolved
--> ID: T.ID IDENTITY
--> N: constant

--- case: fields of an array's structs
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select t.id, f.value:sku::string as sku from t, lateral flatten(input => t.items) f
--> resolved
--> ID: T.ID IDENTITY
--> SKU: T.ITEMS TRANSFORMATION

--- case: field of a struct
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select id, place:CITY as city from t
--> resolved
--> ID: T.ID IDENTITY
--> CITY: T.PLACE.CITY TRANSFORMATION

--- case: path into JSON
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select id, doc:a.b[0]::string as x from t
--> resolved
--> ID: T.ID IDENTITY
--> X: T.DOC TRANSFORMATION

--- case: rows of JSON
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select t.id, f.key, f.value from t, table(flatten(t.doc)) f
--> resolved
--> ID: T.ID IDENTITY
--> KEY: T.DOC TRANSFORMATION
--> VALUE: T.DOC TRANSFORMATION

--- case: PIVOT
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * from (select customer, status, amount from orders) pivot (sum(amount) for status in (1, 2)) as p (customer, one, two)
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> ONE: ORDERS.AMOUNT AGGREGATION, ORDERS.STATUS CONDITIONAL
--> TWO: ORDERS.AMOUNT AGGREGATION, ORDERS.STATUS CONDITIONAL
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: PIVOT over values of the data
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * from orders pivot (sum(amount) for status in (any))
--> partial star_without_schema
--> ID: ORDERS.ID IDENTITY
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> PLACED: ORDERS.PLACED IDENTITY
--> rows: ORDERS.ID GROUP_BY, ORDERS.CUSTOMER GROUP_BY, ORDERS.PLACED GROUP_BY

--- case: UNPIVOT
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, what, n from orders unpivot (n for what in (amount, placed))
--> resolved
--> ID: ORDERS.ID IDENTITY
--> WHAT: constant
--> N: ORDERS.AMOUNT IDENTITY, ORDERS.PLACED IDENTITY

--- case: named window
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, sum(amount) over w as total, row_number() over w as n from orders window w as (partition by customer order by placed)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOTAL: ORDERS.AMOUNT AGGREGATION, ORDERS.CUSTOMER WINDOW, ORDERS.PLACED WINDOW
--> N: ORDERS.CUSTOMER WINDOW, ORDERS.PLACED WINDOW

--- case: QUALIFY
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount from orders qualify row_number() over (partition by customer order by placed) = 1
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.CUSTOMER WINDOW, ORDERS.PLACED WINDOW

--- case: condition of an aggregate
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, count_if(status = 1) as paid from orders group by customer
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> PAID: ORDERS.STATUS CONDITIONAL
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: order inside an aggregate
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, listagg(amount, ',') within group (order by placed) as list from orders group by customer
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> LIST: ORDERS.AMOUNT AGGREGATION, ORDERS.PLACED SORT
--> rows: ORDERS.CUSTOMER GROUP_BY

--- case: grouping sets
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, status, sum(amount) as total from orders group by grouping sets ((customer, status), (customer), ())
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> STATUS: ORDERS.STATUS IDENTITY
--> TOTAL: ORDERS.AMOUNT AGGREGATION
--> rows: ORDERS.CUSTOMER GROUP_BY, ORDERS.STATUS GROUP_BY

--- case: GROUP BY ALL
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select customer, status + 1 as s, sum(amount) as total from orders group by all
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> S: ORDERS.STATUS TRANSFORMATION
--> TOTAL: ORDERS.AMOUNT AGGREGATION
--> rows: ORDERS.CUSTOMER GROUP_BY, ORDERS.STATUS GROUP_BY

--- case: recursive CTE
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with recursive r as (select id, boss, 1 as depth from people where boss is null union all select p.id, p.boss, r.depth + 1 from people p join r on p.boss = r.id) select id, depth from r
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> DEPTH: constant
--> rows: PEOPLE.BOSS FILTER, PEOPLE.BOSS JOIN, PEOPLE.ID JOIN

--- case: ASOF join
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, p.city from orders o asof join people p match_condition (o.placed >= p.boss) on o.customer = p.id
--> resolved
--> ID: ORDERS.ID IDENTITY
--> CITY: PEOPLE.CITY IDENTITY
--> rows: ORDERS.CUSTOMER JOIN, PEOPLE.ID JOIN, ORDERS.PLACED JOIN, PEOPLE.BOSS JOIN

--- case: VALUES
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select v.k, o.amount from (values (1, 'a'), (2, 'b')) as v (n, k) join orders o on o.status = v.n
--> resolved
--> K: constant
--> AMOUNT: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.STATUS JOIN

--- case: generated rows
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select seq4() as n from table(generator(rowcount => 3))
--> resolved
--> N: constant

--- case: table function of one's own
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select o.id, f.x from orders o, table(my_rows(o.amount)) as f(x)
--> partial
--> ID: ORDERS.ID IDENTITY
--> X: opaque_function; ORDERS.AMOUNT TRANSFORMATION

--- case: lambda
--- dialect: snowflake
--- schema: T(ID INT, TAGS ARRAY, ITEMS ARRAY, PLACE OBJECT(CITY VARCHAR, ZIP INT), DOC VARIANT)
select id, filter(tags, x -> x <> id) as l from t
--> resolved
--> ID: T.ID IDENTITY
--> L: T.TAGS TRANSFORMATION, T.ID TRANSFORMATION

--- case: star without some
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * exclude (boss) from people
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> NAME: PEOPLE.NAME IDENTITY
--> CITY: PEOPLE.CITY IDENTITY

--- case: star with other values
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * replace (name + city as name) from people
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> NAME: PEOPLE.NAME TRANSFORMATION, PEOPLE.CITY TRANSFORMATION
--> BOSS: PEOPLE.BOSS IDENTITY
--> CITY: PEOPLE.CITY IDENTITY

--- case: star with other names
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * rename (boss as chief) from people
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> NAME: PEOPLE.NAME IDENTITY
--> CHIEF: PEOPLE.BOSS IDENTITY
--> CITY: PEOPLE.CITY IDENTITY

--- case: star by pattern
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * ilike '%i%' from people
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> CITY: PEOPLE.CITY IDENTITY

--- case: outputs of one name
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, amount as id from orders
--> resolved
--> ID: ORDERS.ID IDENTITY
--> ID: ORDERS.AMOUNT IDENTITY

--- case: outputs without a name
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select amount + 1, max(placed) over () from orders
--> resolved
--> AMOUNT + 1: ORDERS.AMOUNT TRANSFORMATION
--> MAX(PLACED) OVER (): ORDERS.PLACED AGGREGATION

--- case: quoted and dotted names
--- dialect: snowflake
--- schema: Odd T(A b INT, x.y INT)
select "A b", "x.y" as z from "Odd T"
--> resolved
--> A b: Odd T.A b IDENTITY
--> Z: Odd T.x.y IDENTITY

--- case: names beyond ASCII
--- dialect: snowflake
--- schema: KÄSE(GRÖSSE INT)
select größe as 尺寸 from käse
--> resolved
--> 尺寸: KÄSE.GRÖSSE IDENTITY

--- case: letters of another case
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select ID, AMOUNT as Total from Orders o where O.Status = 1
--> resolved
--> ID: ORDERS.ID IDENTITY
--> TOTAL: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.STATUS FILTER

--- case: INSERT with columns
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
insert into target (a, b) select id, amount from orders
--> resolved -> target
--> A: ORDERS.ID IDENTITY
--> B: ORDERS.AMOUNT IDENTITY

--- case: CREATE TABLE AS
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create table target as select id, amount * 2 as twice from orders
--> resolved -> target
--> ID: ORDERS.ID IDENTITY
--> TWICE: ORDERS.AMOUNT TRANSFORMATION

--- case: CREATE VIEW with columns
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create view target (a, b) as select id, amount from orders
--> resolved -> target
--> A: ORDERS.ID IDENTITY
--> B: ORDERS.AMOUNT IDENTITY

--- case: MERGE
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
merge into people using orders on people.id = orders.customer when matched and orders.status = 1 then update set name = orders.amount when not matched then insert (id, name) values (orders.customer, orders.placed)
--> resolved -> people
--> NAME: ORDERS.AMOUNT IDENTITY, ORDERS.PLACED IDENTITY
--> ID: ORDERS.CUSTOMER IDENTITY
--> rows: PEOPLE.ID JOIN, ORDERS.CUSTOMER JOIN, ORDERS.STATUS FILTER

--- case: UPDATE with other tables
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
update people set name = o.amount from orders o where o.customer = people.id and o.status = 1
--> resolved -> people
--> NAME: ORDERS.AMOUNT IDENTITY
--> rows: ORDERS.CUSTOMER FILTER, PEOPLE.ID FILTER, ORDERS.STATUS FILTER

--- case: a table of the same text
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
create temporary table step as select id, amount + 1 as more from orders; create table target as select more from step
--> resolved -> target
--> MORE: ORDERS.AMOUNT TRANSFORMATION

--- case: variable
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
set top = (select max(amount) from orders); select id, $top as t from orders
--> resolved
--> ID: ORDERS.ID IDENTITY
--> T: ORDERS.AMOUNT AGGREGATION

--- case: alias used by a later output
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select amount + 1 as more, more * 2 as twice from orders
--> resolved
--> MORE: ORDERS.AMOUNT TRANSFORMATION
--> TWICE: ORDERS.AMOUNT TRANSFORMATION

--- case: MATCH_RECOGNIZE
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select * from orders match_recognize (partition by customer order by placed measures last(up.amount) as top one row per match pattern (up+) define up as amount > 1)
--> resolved
--> CUSTOMER: ORDERS.CUSTOMER IDENTITY
--> TOP: ORDERS.AMOUNT TRANSFORMATION
--> rows: ORDERS.CUSTOMER WINDOW, ORDERS.PLACED SORT, ORDERS.AMOUNT FILTER

--- case: CONNECT BY
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, sys_connect_by_path(name, '/') as p, level as n from people start with boss is null connect by prior id = boss
--> resolved
--> ID: PEOPLE.ID IDENTITY
--> P: PEOPLE.NAME TRANSFORMATION
--> N: constant
--> rows: PEOPLE.BOSS FILTER, PEOPLE.ID FILTER

--- case: file as a relation
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select $1:a as a from @lake/x
--> unresolved
--> A: unknown_column

--- case: query written to files
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
copy into @lake/x from (select id, amount from orders)
--> resolved
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: ORDERS.AMOUNT IDENTITY

--- case: INSERT into several tables
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
insert all into a1 (x) values (id) into a2 (y) values (amount) select id, amount from orders
--> partial unsupported_statement -> a2
--> Y: ORDERS.AMOUNT IDENTITY

--- case: block of a script
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
begin create temporary table step as select amount as x from orders; create table target as select x from step; end
--> resolved -> target
--> X: ORDERS.AMOUNT IDENTITY

--- case: statement under a condition
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
if (n > 0) then create table target as select id from orders; end if
--> partial unsupported_statement -> target
--> ID: ORDERS.ID IDENTITY

--- case: SQL put together as text
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
execute immediate 'select id from ' || $orders
--> unresolved dynamic_sql

--- case: SQL as a constant text
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
execute immediate 'select id from orders'
--> resolved
--> ID: ORDERS.ID IDENTITY

--- case: procedure
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
call refresh()
--> unresolved unsupported_statement

--- case: a CTE that can't be read
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
with good as (select id from orders), bad as (select amount frm where from orders) select good.id, bad.amount from good cross join bad
--> partial parser_error
--> ID: ORDERS.ID IDENTITY
--> AMOUNT: parser_error

--- case: a column that isn't there
--- dialect: snowflake
--- schema: ORDERS(ID INT, CUSTOMER INT, AMOUNT INT, PLACED INT, STATUS INT); PEOPLE(ID INT, NAME INT, BOSS INT, CITY INT)
select id, nothing from orders
--> partial
--> ID: ORDERS.ID IDENTITY
--> NOTHING: unknown_column

--- case: a star over unknown columns
--- dialect: snowflake
select * from elsewhere
--> unresolved star_without_schema

--- case: a name of several unknown relations
--- dialect: snowflake
select a.x, y from a join b on a.id = b.id
--> partial
--> X: a.X IDENTITY
--> Y: ambiguous_column
--> rows: a.ID JOIN, b.ID JOIN

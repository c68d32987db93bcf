"""FROM: tables, CTEs, derived tables and joins become the sources of a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.dialects import Ident
from lineal_producer.columns.facts import JOIN, TRANSFORMATION, Facts, compose
from lineal_producer.columns.from_item import Source, emptied
from lineal_producer.columns.pivots import apply_pivots, pivot_statement
from lineal_producer.columns.relation import Hole, OutCol, Relation, renamed_columns, table_relation
from lineal_producer.columns.scope import Scope
from lineal_producer.columns.tables import TableFunctions
from lineal_producer.columns.thinning import thin_join, thin_sources
from lineal_producer.columns.values import Problem, Problems, Value, merge, unknown

if TYPE_CHECKING:
    from lineal_producer.columns.select import Walker


def array_path(table: exp.Table) -> exp.Unnest:
    """A path to an array as its UNNEST."""
    first, *rest = [part.copy() for part in table.parts]
    path: exp.Expr = exp.Column(this=rest[0], table=first) if rest else exp.Column(this=first)
    for part in rest[1:]:
        path = exp.Dot(this=path, expression=part)
    alias = table.args.get("alias")
    columns = [alias.this.copy()] if isinstance(alias, exp.TableAlias) else []
    return exp.Unnest(expressions=[path], alias=exp.TableAlias(columns=columns), offset=None)


# Where a query in FROM sees the items before it without the word LATERAL.
SILENT_LATERAL = frozenset({"duckdb"})


def may_be_lateral(item: exp.Expr) -> bool:
    """Whether a FROM item may see those before it: a RIGHT or FULL JOIN's may not."""
    join = item.parent
    return not (isinstance(join, exp.Join) and str(join.args.get("side") or "").upper() in ("RIGHT", "FULL"))


def merging(left: list[Source], added: list[Source], side: str) -> list[Source]:
    """The items of a NATURAL JOIN whose columns may give way to an unknown relation's."""
    left_open, right_open = (any(source.relation.is_open for source in part) for part in (left, added))
    full = side == "FULL"
    from_left = left if right_open and (full or side == "RIGHT") else []
    return from_left + (added if left_open and (full or side != "RIGHT") else [])


class FromClause:
    """Fills one scope with its FROM items and gathers what their joins and rows depend on."""

    def __init__(self, walker: Walker, scope: Scope, rows: Facts, problems: Problems) -> None:
        self.walker = walker
        self.scope = scope
        self.rows = rows
        self.problems = problems
        self.names = walker.names
        self.functions = TableFunctions(walker.names, walker.catalog, walker.evaluator, walker.read, self.named)

    def walk(self, node: exp.Expr) -> None:
        """FROM, its joins and lateral views, in order."""
        from_ = node.args.get("from_")
        if isinstance(from_, exp.From):
            self.add(from_.this)
        for join in node.args.get("joins") or []:
            self.join(join)
        for lateral in node.args.get("laterals") or []:
            self.lateral_view(lateral)

    def add(self, node: exp.Expr) -> list[Source]:
        """Adds a FROM item with what hangs on it; gives the sources that are new."""
        before = len(self.scope.sources)
        if isinstance(node, (exp.Final, exp.Stream)):
            # ClickHouse's FINAL and Databricks' STREAM say how a relation is read, not which.
            node = node.this
        if isinstance(node, exp.TableAlias):
            # BigQuery's |> AS gives the query so far a name.
            node = exp.Table(this=node.this)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table) and not node.args.get("alias"):
            # Parentheses around a join only group it.
            self.add(node.this)
        else:
            self.scope.sources.append(self.source(node))
        for join in node.args.get("joins") or []:
            self.join(join)
        for lateral in node.args.get("laterals") or []:
            self.lateral_view(lateral)
        return self.scope.sources[before:]

    def lateral_view(self, node: exp.Expr) -> None:
        """LATERAL VIEW, which without OUTER has no row for an empty array."""
        if self.walker.evaluator.counts and not node.args.get("outer"):
            thin_sources(self.scope.sources, (), self.names)
        self.add(node)

    def source(self, node: exp.Expr) -> Source:
        """One FROM item under its name."""
        scalar: Value | None = None
        computed = False
        keys: tuple[str, ...] = ()
        origin: tuple[str, ...] = ()
        unread = False
        if isinstance(node, exp.Table) and node.parts and all(isinstance(part, exp.Identifier) for part in node.parts):
            parts = [self.names.ident(part) for part in node.parts]
            if self.is_path(parts):
                return self.source(array_path(node))
            relation = self.named(parts)
            keys = origin = tuple(part.key for part in parts)
            unread = parts[-1].name in self.walker.set_aside
        elif isinstance(node, exp.Subquery):
            relation = self.derived(node)
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            # A lateral query sees the items before it.
            relation = self.walker.query(node.this, self.scope, self.scope.ctes)
        elif isinstance(node, exp.Pivot) and not isinstance(node.this, exp.AtIndex):
            relation = self.statement_pivot(node)
        else:
            computed = True
            relation, scalar = self.functions.relation(node, self.scope)
            keys = self.functions.default_keys(node)
        alias = node.args.get("alias")
        pivots = node.args.get("pivots") or []
        if pivots:
            before = self.under_alias(Source(keys, relation, origin=origin), alias, computed)
            relation = apply_pivots(before, pivots, self.scope, self.walker.evaluator)
        for pivot in pivots:
            pivot_alias = pivot.args.get("alias")
            alias = pivot_alias if isinstance(pivot_alias, exp.TableAlias) else alias
        self.rows.update(relation.rows)
        self.problems.update(relation.problems)
        made = Source(keys, relation, origin=origin, scalar=scalar, is_unread=unread)
        return self.under_alias(made, alias, computed or bool(pivots))

    def is_path(self, parts: list[Ident]) -> bool:
        """Whether a name is the path to an array of an item before it, as BigQuery and Redshift have it."""
        if self.names.dialect == "redshift":
            # The grammar finds those paths that begin with a table, but none behind `t.array AS element AT index`.
            elements = (source for source in self.scope.visible() if not source.keys)
            return any(source.relation.named(parts[0].key) is not None for source in elements)
        return self.names.dialect == "bigquery" and len(parts) > 1 and self.scope.find_source(parts[:1]) is not None

    def under_alias(self, source: Source, alias: object, computed: bool) -> Source:
        """A source under its alias and column aliases."""
        if not isinstance(alias, exp.TableAlias):
            return source
        if isinstance(alias.this, exp.Identifier):
            source.keys = (self.names.ident(alias.this).key,)
        columns = [
            self.names.ident(column.this if isinstance(column, exp.ColumnDef) else column)
            for column in alias.args.get("columns") or []
        ]
        if columns and not computed:
            source.relation = renamed_columns(source.relation, columns)
        return source

    def statement_pivot(self, node: exp.Pivot) -> Relation:
        """DuckDB's PIVOT statement used as a relation."""
        inner = self.source(node.this)
        return pivot_statement(inner.relation, node, self.scope, self.walker.evaluator)

    def named(self, parts: list[Ident]) -> Relation:
        """A CTE, or a real relation."""
        if self.names.dialect == "duckdb" and len(parts) == 2 and parts[0].key == "recurring":
            # All rows so far of a recursion USING KEY.
            parts = parts[1:] if parts[1].key in self.scope.ctes else parts
        if len(parts) == 1 and parts[0].key in self.scope.ctes:
            return self.scope.ctes[parts[0].key]
        unread = self.walker.set_aside.get(parts[-1].name)
        if unread is not None:
            return Relation([Hole(Relation(), problem=unread)], problems={unread: None})
        if self.walker.made:
            made = self.walker.made.get(tuple(part.key for part in self.walker.catalog.complete(parts)))
            if made is not None:
                # Rows of an earlier statement stay its own; a statement that reads its target sees what is there.
                return made
        table = self.walker.catalog.find(parts)
        self.walker.read[table.relation] = None
        return table_relation(table, self.names)

    def derived(self, node: exp.Subquery) -> Relation:
        """A query in FROM; it does not see the items beside it, but in DuckDB those before it."""
        inner = node.this
        if isinstance(inner, exp.Query) and not isinstance(inner, exp.Table):
            bare = node if node.args.get("with_") else inner
            silent = self.names.dialect in SILENT_LATERAL and self.scope.sources and may_be_lateral(node)
            return self.walker.query(bare, self.scope if silent else self.scope.parent, self.scope.ctes)
        select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner))
        return self.walker.query(select, self.scope.parent, self.scope.ctes)

    def join(self, join: exp.Join) -> None:
        """One join: its right side, its condition, its merged columns."""
        kind = str(join.args.get("kind") or "").upper()
        side = str(join.args.get("side") or "").upper()
        if kind == "ARRAY":
            if self.walker.evaluator.counts and side != "LEFT":
                thin_sources(self.scope.sources, (), self.names)
            self.array_join(join)
            return
        left = list(self.scope.visible())
        added = self.add(join.this)
        # ClickHouse gives the other side's columns, too.
        semi = kind in ("ANTI", "SEMI") and self.names.dialect != "clickhouse"
        if self.walker.evaluator.counts:
            thin_join(join, side, left, added, self.names)
        for condition in (join.args.get("on"), join.args.get("match_condition")):
            if isinstance(condition, exp.Expr):
                self.scope.in_condition = True
                self.take(self.walker.evaluator.facts([condition], self.scope, JOIN))
                self.scope.in_condition = False
        for key in join.args.get("using") or []:
            self.merge_key(self.names.ident(key.this if isinstance(key, exp.Column) else key), left, added, side, semi)
        if str(join.args.get("method") or "").upper() == "NATURAL":
            self.natural(left, added, side, semi)
        other = left if side == "RIGHT" else added
        if kind == "ANTI" and not semi:
            self.empty(other, join)
        for source in other if semi else ():
            source.hidden = True

    def empty(self, sources: list[Source], join: exp.Join) -> None:
        """The side of ClickHouse's ANTI JOIN of which no row is there."""
        conditions = [join.args.get("on"), *(join.args.get("using") or [])]
        named = [part for node in conditions if node is not None for part in node.find_all(exp.Identifier)]
        keys = {self.names.ident(part).key for part in named}
        for source in sources:
            source.relation = emptied(source.relation, keys)

    def take(self, value: Value) -> None:
        """Adds what decides about the rows."""
        self.rows.update(value.facts)
        self.problems.update(value.problems)

    def array_join(self, join: exp.Join) -> None:
        """ClickHouse's ARRAY JOIN: a column becomes its elements, under its own name or another."""
        parts = [join.this, *(join.args.get("expressions") or [])]
        aliases = self.aliases_before(join, {part.alias_or_name for part in parts})
        for part in parts:
            inner = part.this if isinstance(part, exp.Alias) else part
            mode, self.scope.alias_mode = self.scope.alias_mode, self.names.projection_mode
            array = self.aliased_array(inner, aliases) or self.walker.evaluator.value(inner, self.scope)
            self.scope.alias_mode = mode
            # The fields of a Nested column are arrays themselves: an element has them all.
            nested = array.shape is not None and array.shape.fields is not None
            value = array.reshaped(TRANSFORMATION) if nested else array.get_element()
            ident = self.names.ident(part.args["alias"]) if isinstance(part, exp.Alias) else self.names.make(inner.name)
            if isinstance(part, exp.Alias):
                self.scope.sources.append(Source((), Relation([OutCol(ident.stored, ident.key, value)])))
            else:
                self.scope.using[ident.key] = (ident, value)

    def aliases_before(self, join: exp.Join, given: set[str]) -> dict[str, exp.Expr]:
        """The outputs of the query by their aliases, but for those that read what its ARRAY JOIN gives."""
        outputs = join.parent.expressions if isinstance(join.parent, exp.Select) else []
        return {
            self.names.ident(node.args["alias"]).key: node.this
            for node in outputs
            if isinstance(node, exp.Alias) and not any(column.name in given for column in node.find_all(exp.Column))
        }

    def aliased_array(self, node: exp.Expr, aliases: dict[str, exp.Expr]) -> Value | None:
        """What a bare name in ARRAY JOIN means if it is an output's alias; None if it is none, or a known column."""
        if not isinstance(node, exp.Column) or len(node.parts) > 1:
            return None
        ident = self.names.ident(node.this)
        if ident.key not in aliases or ident.key in self.scope.later or self.scope.definite(ident) is not None:
            return None
        if any(source.relation.may_have(ident) for source in self.scope.visible()):
            return unknown("ambiguous_column", f"{ident.name} may be a column or the alias of an output")
        return self.walker.evaluator.value(aliases[ident.key], self.scope)

    def natural(self, left: list[Source], added: list[Source], side: str, semi: bool) -> None:
        """NATURAL JOIN: the columns that both sides have."""
        right_columns = {column.key: column for source in added for column in source.relation.columns}
        left_columns = {column.key: column for source in left for column in source.relation.columns}
        if any(source.relation.is_open for source in [*left, *added]):
            problem = Problem("star_without_schema", "NATURAL JOIN over a relation with unknown columns")
            self.problems[problem] = None
            for source in merging(left, added, side):
                source.unsure = problem
            return
        for key, column in left_columns.items():
            if key in right_columns:
                self.merge_key(Ident(column.name, column.name, key), left, added, side, semi)

    def merge_key(self, key: Ident, left: list[Source], added: list[Source], side: str, semi: bool) -> None:
        """One column of USING."""
        from_left = self.scope.using[key.key][1] if key.key in self.scope.using else self.side_value(key, left)
        from_right = self.side_value(key, added)
        for value in (from_left, from_right):
            self.take(Value(compose(value.facts, JOIN), value.problems))
        if semi:
            return
        for source in added:
            source.merged.add(key.key)
        if side == "FULL":
            value = merge((from_left, from_right)).used(TRANSFORMATION)
        else:
            value = from_right if side == "RIGHT" else from_left
        self.scope.using[key.key] = (key, value)

    def side_value(self, key: Ident, sources: list[Source]) -> Value:
        """The column of one side that USING names."""
        return Scope(self.names, sources=[source for source in sources if not source.hidden]).resolve_name(key)

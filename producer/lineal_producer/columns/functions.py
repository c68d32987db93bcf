"""What functions do to their arguments, by syntax class where the grammar has one, else by name."""

from __future__ import annotations

import re

from sqlglot import exp


def words(text: str) -> frozenset[str]:
    """The set of the words of a text."""
    return frozenset(text.split())


# Hashes and the like hide a value; count does too, as OpenLineage's Spark integration says.
# Redshift's APPROXIMATE COUNT(DISTINCT x) is a count.
MASKING_HERE = frozenset({("redshift", "approxdistinct")})
MASKING = words(
    """
    count crc32 md5 md5digest md5_digest md5_hex md5_binary md5numberlower64 md5numberupper64
    md5_number md5_number_lower64 md5_number_upper64 hash mmh3 murmur3hash murmurhash3_32 murmurhash2_64 sha sha1
    sha1digest sha1_hex sha1_binary sha2 sha2digest sha2_hex sha2_binary sha224 sha256 sha384 sha512 sha3 xxhash64
    xxh64 xxhash32 mask farmfingerprint farm_fingerprint fnv_hash fnv_hash1a fnv hash_agg hashagg checksum
    checksumagg checksum_agg binary_checksum hashbytes standard_hash standardhash ora_hash encrypt aes_encrypt
    aesencrypt encrypt_raw cityhash64 siphash64 siphash128 halfmd5 inthash32 inthash64 hashbytes md5_base64
    farmhash64 hivehash hive_hash digest hmac crypt cityhash64agg func_sha1 func_sha256 sha2_256 md5_number
    siphash128reference xxh3 murmurhash2_32 murmurhash3_64 murmurhash3_128 gcchash javahash
    """
)
# Aggregates that the grammar knows only as names.
NAMED_AGGREGATES = words(
    """
    sum avg min max count median mode stddev variance product string_agg listagg array_agg list bit_and bit_or
    bit_xor bool_and bool_or every any_value arbitrary first last arg_min arg_max min_by max_by histogram entropy
    kurtosis skewness favg fsum kahan_sum sem mad quantile quantile_cont quantile_disc reservoir_quantile
    approx_count_distinct approx_quantile approx_percentile approx_set merge hll_union_agg hll_accumulate
    hll_combine jsonb_agg json_agg json_object_agg jsonb_object_agg json_arrayagg json_objectagg xmlagg map_agg
    multimap_agg map_union map_from_entries_agg collect_list collect_set group_concat array_concat_agg
    array_union_agg array_unique_agg object_agg bitmap_or_agg bitmap_construct_agg bitmap_agg regr_slope
    regr_intercept regr_count regr_r2 regr_avgx regr_avgy corr covar_pop covar_samp max_n min_n top_k topk
    count_star sumif avgif countif counts logical_or logical_and geometric_mean checksum numeric_histogram
    tdigest_agg qdigest_agg st_union st_collect st_extent st_union_agg st_collect_agg percentile approx_median
    approx_top_k approx_top_count approx_top_sum string_agg_distinct count_min_sketch bit_and_agg bit_or_agg
    bit_xor_agg booland_agg boolor_agg boolxor_agg bitand_agg bitor_agg bitxor_agg wm_concat stats_mode hash_agg
    checksum_agg reduce_agg ratio_to_report collect mean sumkahan sum_no_overflow kurtosis_pop bitstring_agg
    histogram_exact arg_max_null arg_min_null arg_max_nulls_last arg_min_nulls_last json_group_array
    json_group_object json_group_structure variant_group_object json_agg_strict jsonb_agg_strict json_object_agg_strict
    jsonb_object_agg_strict json_object_agg_unique jsonb_object_agg_unique range_agg range_intersect_agg st_asmvt
    st_memunion st_polygonize datasketches_hll datasketches_hll_accumulate datasketches_hll_combine
    st_intersection_agg vector_avg vector_sum vector_min vector_max st_centroid_agg kll_quantiles.merge_point_int64
    kll_quantiles.merge_point_double bitmap_and_agg schema_of_json_agg schema_of_variant_agg std try_avg try_sum
    hll_sketch_agg histogram_numeric st_envelope_agg theta_sketch_agg theta_union_agg kll_sketch_agg_bigint
    kll_sketch_agg_float kll_sketch_agg_double measure approx_most_frequent convex_hull_agg geometry_union_agg
    make_set_digest merge_set_digest learn_classifier learn_regressor noisy_count_gaussian noisy_count_if_gaussian
    noisy_sum_gaussian noisy_avg_gaussian hll_create_sketch st_unionagg approx_percentile_cont approx_percentile_disc
    stdevp var varp boolean_and_agg boolean_or_agg boolean_xor_agg corr_k corr_s json_dataguide kurtosis_samp
    skewness_pop skewness_samp stats_binomial_test stats_crosstab stats_f_test stats_ks_test stats_mw_test
    stats_one_way_anova stats_t_test_one stats_t_test_paired stats_t_test_indep stats_t_test_indepu stats_wsr_test
    sys_xmlagg approx_count_distinct_agg approx_count_distinct_detail approx_percentile_agg
    approx_percentile_detail approx_sum approx_count some
    hll_count.init hll_count.merge hll_count.merge_partial kll_quantiles.init_int64 kll_quantiles.init_double
    kll_quantiles.merge_int64 kll_quantiles.merge_double kll_quantiles.merge_partial
    """
)
# Aggregates of ClickHouse that the grammar does not know at all, under whatever combinators.
UNKNOWN_AGGREGATES = re.compile(
    r"(?:analysisOfVariance|(?:any|anyLast|first_value|last_value)_respect_nulls|approx_top_(?:count|k)|argAnd(?:Max|Min)"
    r"|corrMatrix|(?:corr|covarPop|covarSamp|stddevPop|stddevSamp|varPop|varSamp)Stable|covar(?:Pop|Samp)Matrix"
    r"|distinct(?:DynamicTypes|JSONPaths|JSONPathsAndTypes)|estimateCompressionRatio|exponentialTimeDecayed(?:Count|Max|Sum)"
    r"|flameGraph|groupArray(?:Intersect|Sorted)|groupNumericIndexedVector|lttb|(?:max|min|sum)MappedArrays|quantiles?DD"
    r"|quantileExactExclusive|quantilesExactInclusive|quantileExactWeightedInterpolated|sequenceMatchEvents"
    r"|singleValueOrNull|sparkbar|studentTTestOneSample|sumMapFiltered(?:WithOverflow)?|sumMapWithOverflow"
    r"|timeSeriesGroupArray)"
    r"(?:If|Array|Map|SimpleState|State|Merge|ForEach|Distinct|OrDefault|OrNull|Resample|ArgMin|ArgMax)*"
)
# Ranks and the like depend on nothing but their window; an argument of ntile is a plain input.
ROW_FUNCTIONS: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name)
    for name in ("Lag", "Lead", "FirstValue", "LastValue", "NthValue", "First", "Last", "Ntile")
    if hasattr(exp, name)
)
RANKS: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name)
    for name in ("RowNumber", "Rank", "DenseRank", "PercentRank", "CumeDist", "Ntile")
    if hasattr(exp, name)
)
# They tell which keys a row is grouped by, and aggregate nothing.
GROUPINGS = frozenset({"grouping", "groupingid", "grouping_id"})
NAMED_ROW_FUNCTIONS = frozenset(
    {
        "lag",
        "lead",
        "first_value",
        "last_value",
        "nth_value",
        "ntile",
        "conditional_true_event",
        "conditional_change_event",
    }
)
# Ordered-set aggregates: their ORDER BY is what they aggregate.
ORDERED_SET: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name)
    for name in ("PercentileCont", "PercentileDisc", "Mode", "ApproxPercentile")
    if hasattr(exp, name)
)
KEEPS_INSIDE: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name) for name in ("AnyValue", "Max", "Min", "First", "Last", "ArgMax", "ArgMin") if hasattr(exp, name)
)
# How the grammar reads ClickHouse's aggregates.
AGGREGATES_BY_NAME = (exp.AnonymousAggFunc, exp.ParameterizedAgg, exp.CombinedAggFunc, exp.CombinedParameterizedAgg)
# They give an array's elements in another order, or some of them by their places.
SAME_ELEMENTS: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name)
    for name in ("ArrayReverse", "Reverse", "ArraySlice", "Shuffle", "ArrayConcat")
    if hasattr(exp, name)
)
# They give an array in the order of its elements; the grammar's versions spell them differently.
IN_ORDER: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name) for name in ("ArraySort", "SortArray") if hasattr(exp, name)
)
ELEMENT_OF: tuple[type[exp.Expr], ...] = tuple(
    getattr(exp, name) for name in ("Explode", "Unnest", "Inline", "ArrayFirst", "ArrayLast") if hasattr(exp, name)
)
# Where no function takes a lambda, so that an arrow always goes into JSON.
ARROW_IS_JSON = frozenset({"postgres", "mysql", "sqlite", "materialize", "risingwave", "redshift", "tsql", "fabric"})
# DuckDB's functions that take a lambda; in every other one an arrow goes into JSON. COLUMNS() takes one too.
LAMBDA_FUNCTIONS = words(
    """
    transform list_transform array_transform list_apply array_apply apply arrayfilter list_filter array_filter filter
    reduce list_reduce array_reduce columns comprehension arrayreduce
    """
)
# Bare words that are units where a date function takes one.


# Functions that ask whether a lambda holds for elements of an array.
TESTS = frozenset({"forall", "any_match", "all_match", "none_match"})


def function_name(node: exp.Expr) -> str:
    """A function's name in lower case, whichever way the grammar holds it."""
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return str(node.name).lower()
    return node.key


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate function's call."""
    if isinstance(node, RANKS) or function_name(node) in GROUPINGS:
        return False
    if isinstance(node, exp.AggFunc):
        return True
    if not isinstance(node, exp.Anonymous):
        return isinstance(node, exp.Any) and isinstance(node.this, exp.Paren) and not is_compared(node)
    return str(node.name).lower() in NAMED_AGGREGATES or UNKNOWN_AGGREGATES.fullmatch(str(node.name)) is not None


def is_compared(node: exp.Any) -> bool:
    """Whether ANY(…) is what something is compared with: a list or a query, where Spark's aggregate has a condition."""
    return isinstance(node.this.this, exp.Query) or (
        isinstance(node.parent, exp.Binary) and node.parent.args.get("expression") is node
    )


def is_row_function(node: exp.Expr) -> bool:
    """Whether a window function hands over another row's value or a rank, not an aggregate."""
    if isinstance(node, ROW_FUNCTIONS):
        return True
    return isinstance(node, exp.Anonymous) and str(node.name).lower() in NAMED_ROW_FUNCTIONS


def is_json_arrow(node: exp.Expr, dialect: str) -> bool:
    """Whether `name -> …` among a function's arguments, which the grammar takes for a lambda, is a path into JSON."""
    if dialect in ARROW_IS_JSON:
        return True
    if dialect not in ("duckdb", "") or len(node.expressions) != 1 or node.args.get("colon"):
        return False
    if dialect == "duckdb":
        return function_name(node.parent) not in LAMBDA_FUNCTIONS if node.parent is not None else True
    name = node.expressions[0].name
    return not any(part.name == name for part in node.this.find_all(exp.Identifier))

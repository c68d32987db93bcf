"""Bodies as the log keeps them: compressed, which is faster and smaller than what PostgreSQL would do with them."""

import zlib

_MARK = b"z"
_HEAD = 5
_LEVEL = 3
_SHORT = 100

# What events of OpenLineage say again and again; the more common the nearer to the end. It can't change, as what was
# packed with it needs it; a better one would come beside it (a stream names its own by checksum).
_WORDS = (
    b'"ownership": {"owners": [{"name": "", "type": "MAINTAINER"}]}, "documentation": {"description": "", '
    b'"lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE", "storage": {"storageLayer": "", "fileF'
    b'ormat": ""symlinks": {"identifiers": [{"namespace": "", "name": "", "type": "TABLE"}]}, "version": {'
    b'"datasetVersion": ""sourceCodeLocation": {"type": "git", "url": "https://github.com/", "sql": {"quer'
    b'y": "select ", "dialect": ""errorMessage": {"message": "", "programmingLanguage": "PYTHON", "stackTr'
    b'ace": "Traceback (most recent call last)"outputStatistics": {"rowCount": 0, "size": 0}, "dataQuality'
    b'Assertions": {"assertions": [{"assertion": "not_null", "success": true, "column": "airflow": {"dag":'
    b' {"dag_id": "", "owner": "airflow", "schedule_interval": "@daily", "spark_properties": {"properties"'
    b': {"spark.app.name": "", "spark.master": "", "spark_version": {"spark-version": "3."nominalTime": {"'
    b'nominalStartTime": "2026-01-01T00:00:00Z", "nominalEndTime": "2026-01-01T00:00:00Z", "processing_eng'
    b'ine": {"name": "dbt", "version": "1.", "openlineageAdapterVersion": "1.", "tags": {"tags": [{"key": '
    b'""parent": {"run": {"runId": "0"}, "job": {"namespace": "", "name": ""}, "root": {"run": {"runId": "'
    b'", "job": {""jobType": {"processingType": "BATCH", "integration": "DBT", "jobType": "MODEL"}, "STREA'
    b'MING", "SPARK", "AIRFLOW""columnLineage": {"fields": {"": {"inputFields": [{"namespace": "", "name":'
    b' "", "field": "", "dataset": ["transformations": [{"type": "INDIRECT", "subtype": "FILTER", "JOIN", '
    b'"GROUP_BY", "SORT", "WINDOW", "CONDITIONAL", "type": "DIRECT", "subtype": "IDENTITY", "TRANSFORMATIO'
    b'N", "AGGREGATION", "description": "", "masking": false}]}, "dataSource": {"name": "postgres://", "sn'
    b'owflake://", "s3://", "bigquery", "hdfs://", "uri": "", "schema": {"fields": [{"name": "id", "type":'
    b' "bigint"}, {"name": "", "type": "string", "ordinal_position": 1}, {"type":"varchar","name":"text","'
    b'type":"timestamp","description":"","fields":[{"name":"","type":"integer"},"_schemaURL": "https://ope'
    b"nlineage.io/spec/facets/1-0-1/ColumnLineageDatasetFacet.json#/$defs/SchemaDatasetFacet.json#/$defs/S"
    b'chemaDatasetFacet", "_producer": "https://github.com/OpenLineage/OpenLineage/tree/1."schemaURL":"htt'
    b'ps://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent","producer":"https://"schemaURL": "h'
    b'ttps://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent", "producer": "https://"inputs":[]'
    b',"outputs":[{"namespace":"","name":"","facets":{"inputFacets":{},"outputFacets":{}}}],"run": {"runId'
    b'": "", "facets": {}}, "job": {"namespace": "", "name": "", "facets": {}}, "inputs": [], "outputs": ['
    b'{"namespace": "", "name": "", "facets": {}, "inputFacets": {}, "outputFacets": {}}]}{"eventType":"ST'
    b'ART","eventTime":"2026-01-01T00:00:00.000Z","run":{"runId":"","job":{"namespace":"","name":"{"eventT'
    b'ype": "COMPLETE", "eventTime": "2026-01-01T00:00:00.000000+00:00", '
)


def pack(body: bytes) -> bytes:
    """A mark that no JSON begins with, the size in 4 bytes (big endian) and a zlib stream; a short body as it is."""
    if len(body) < _SHORT:
        return body
    packer = zlib.compressobj(_LEVEL, zdict=_WORDS)
    return b"".join((_MARK, len(body).to_bytes(_HEAD - 1, "big"), packer.compress(body), packer.flush()))


def unpack(kept: bytes) -> bytes:
    """The body that was packed, or that was kept as it came."""
    if kept[:1] != _MARK:
        return kept
    return zlib.decompressobj(zdict=_WORDS).decompress(memoryview(kept)[_HEAD:])

# The receiver, from the wheel: `docker build -t lineal .`
FROM python:3.12-slim-bookworm AS wheel
WORKDIR /src
RUN pip install --no-cache-dir "build>=1.2"
COPY pyproject.toml hatch_build.py README.md LICENSE CHANGELOG.md ./
COPY producer producer
COPY receiver receiver
COPY schemas schemas
COPY migrations migrations
COPY examples examples
COPY tools tools
RUN LINEAL_PAGE=required python -m build --wheel --outdir /dist .

FROM python:3.12-slim-bookworm
COPY --from=wheel /dist/*.whl /tmp/
RUN wheel="$(ls /tmp/lineal-*.whl)" \
    && pip install --no-cache-dir --only-binary :all: "lineal[receiver] @ file://$wheel" \
    && rm "$wheel" \
    && useradd --system --uid 10001 --home-dir /nonexistent lineal
USER 10001
EXPOSE 5000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:5000/readyz', timeout=2)"]
# --insecure-listen: inside the container it must listen on every address, and there are no tokens yet. Publish the port on 127.0.0.1 only, as compose.yaml does.
ENTRYPOINT ["lineal"]
CMD ["serve", "--host", "0.0.0.0", "--port", "5000", "--insecure-listen"]

# The console, its worker and the embedded store in one image. `docker compose up` runs it beside a Postgres of its own.
#
#   docker build --build-arg TORCH_INDEX=<package index with CPU builds of torch> -t chronomemory .
#
# Without TORCH_INDEX torch comes from the default index: on x86 that build brings several gigabytes of CUDA libraries along.

ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ARG TORCH_INDEX=""
ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:${PATH}
COPY requirements.txt constraints.txt ./
# --no-deps: the file is complete, and nothing that it does not name by hash gets in.
RUN pip install --no-deps --only-binary :all: --require-hashes -r requirements.txt
# torch alone is named by its version: its CPU and CUDA builds share it but no hash.
RUN version="$(sed -n 's/^torch==//p' constraints.txt)" && test -n "${version}" && \
    if [ -n "${TORCH_INDEX}" ]; then \
      pip install --no-deps --index-url "${TORCH_INDEX}" "torch==${version}"; \
    else \
      pip install -c constraints.txt "torch==${version}"; \
    fi && \
    pip check

FROM ${PYTHON_IMAGE}
ENV PATH=/opt/venv/bin:${PATH} \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    CHRONOMEMORY_DATA=/data \
    CHRONOMEMORY_ADDRESS=0.0.0.0 \
    PORT=8501
# A fixed number, so that a volume's owner can be given by number; no password, no shell, no home.
RUN groupadd --system --gid 10001 chronomemory && \
    useradd --system --uid 10001 --gid chronomemory --no-create-home --home-dir /tmp --shell /usr/sbin/nologin chronomemory && \
    install --directory --mode 0700 --owner chronomemory --group chronomemory /data
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY app.py ./
COPY .streamlit ./.streamlit
COPY core ./core
COPY console ./console
COPY pages ./pages
# Compiled now, because at run time this account can write nothing but /data and /tmp.
RUN python -m compileall -q core console pages
USER 10001:10001
VOLUME /data
EXPOSE 8501
STOPSIGNAL SIGTERM
# Ready: store, ledger and embedding model answer. The first start makes the store, hence the start period.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=4 \
    CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open('http://127.0.0.1:' + os.environ.get('PORT', '8501') + '/readyz', timeout=4)"]
CMD ["python", "app.py"]

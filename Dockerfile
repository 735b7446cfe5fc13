# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Images of warpyard-server.
#
#   docker build --target runtime-cpu -t warpyard:0.1.0-cpu .
#   docker build --target runtime-cuda -t warpyard:0.1.0-cuda .
#
# BASE may be any Debian 12 image; CUDA_TOOLKIT any image with a CUDA 13.0 toolkit. Their tags name
# versions; where a build must be the same for ever, pass digests, such as
# --build-arg BASE=debian:12.12-slim@sha256:... (docs/deployment.md).
# The CUDA runtime image has no toolkit: the server carries the CUDA runtime, and the container
# runtime mounts the driver.
ARG BASE=debian:12.12-slim
ARG CUDA_TOOLKIT=nvidia/cuda:13.0.1-devel-ubuntu22.04

FROM ${CUDA_TOOLKIT} AS toolkit

# The packages come before the sources, so that a change of the sources keeps their layer.
FROM ${BASE} AS build
WORKDIR /src
COPY tools/setup.sh tools/packages.txt tools/
RUN tools/setup.sh build python && rm -rf /var/lib/apt/lists/*

FROM build AS build-cpu
COPY . .
RUN tools/package.sh --cpu && mkdir /opt/warpyard \
    && tar -xzf build/package/warpyard-*-linux-x86_64.tar.gz -C /opt/warpyard --strip-components=1 \
    && rm -rf build

FROM build AS build-cuda
COPY --from=toolkit /usr/local/cuda-13.0 /usr/local/cuda
COPY . .
RUN tools/package.sh && mkdir /opt/warpyard \
    && tar -xzf build/package/warpyard-*-linux-x86_64-cuda.tar.gz -C /opt/warpyard --strip-components=1 \
    && rm -rf build

# The flags of the server are the arguments of the container. Without any it listens on the
# container's own loopback only: who publishes a port says how it is protected (--tls-cert, --tokens,
# or --allow-insecure). Nothing is written but files below /tmp, so the root may be read-only.
FROM ${BASE} AS runtime
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="warpyard" \
      org.opencontainers.image.description="Shares GPUs among geometry jobs with deadlines" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH=/opt/warpyard/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# A number, because Kubernetes cannot tell whether a name is root (runAsNonRoot).
USER 65532:65532
EXPOSE 7843 9843
STOPSIGNAL SIGTERM
# For a server without TLS on the default port. Others override it, as deploy/compose.tls.yaml does.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/opt/warpyard/bin/warpyard", "health"]
ENTRYPOINT ["/opt/warpyard/bin/warpyard-server"]

FROM runtime AS runtime-cpu
COPY --from=build-cpu /opt/warpyard /opt/warpyard
CMD ["--backend", "cpu"]

# The driver's parts that the server needs. Which GPUs a container sees is for the container runtime
# to say (--gpus, nvidia.com/gpu): an image that asks for all would get them all by accident.
FROM runtime AS runtime-cuda
ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility CUDA_CACHE_PATH=/tmp/cuda
COPY --from=build-cuda /opt/warpyard /opt/warpyard
CMD ["--backend", "cuda"]

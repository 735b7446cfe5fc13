# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Images of warpyard-server.
#
#   docker build --target runtime-cpu -t warpyard:cpu .
#   docker build --target runtime-cuda -t warpyard:cuda .
#
# BASE may be any Debian 12 image; CUDA_TOOLKIT any image with a CUDA 13.0 toolkit. The CUDA runtime
# image has no toolkit: the server carries the CUDA runtime, and the container runtime mounts the
# driver.
ARG BASE=debian:bookworm-slim
ARG CUDA_TOOLKIT=nvidia/cuda:13.0.1-devel-ubuntu22.04

FROM ${CUDA_TOOLKIT} AS toolkit

FROM ${BASE} AS build-cpu
WORKDIR /src
COPY tools/setup.sh tools/packages.txt tools/
RUN tools/setup.sh build python && rm -rf /var/lib/apt/lists/*
COPY . .
RUN tools/package.sh --cpu && mkdir /opt/warpyard \
    && tar -xzf build/package/warpyard-*-linux-x86_64.tar.gz -C /opt/warpyard --strip-components=1

FROM ${BASE} AS build-cuda
COPY --from=toolkit /usr/local/cuda-13.0 /usr/local/cuda
WORKDIR /src
COPY tools/setup.sh tools/packages.txt tools/
RUN tools/setup.sh build python && rm -rf /var/lib/apt/lists/*
COPY . .
RUN tools/package.sh && mkdir /opt/warpyard \
    && tar -xzf build/package/warpyard-*-linux-x86_64-cuda.tar.gz -C /opt/warpyard --strip-components=1

FROM ${BASE} AS runtime-cpu
COPY --from=build-cpu /opt/warpyard /opt/warpyard
USER 65532:65532
EXPOSE 7843 9843
ENTRYPOINT ["/opt/warpyard/bin/warpyard-server"]
CMD ["--listen", "0.0.0.0:7843", "--metrics", "0.0.0.0:9843", \
     "--allow-insecure", "--backend", "cpu"]

FROM ${BASE} AS runtime-cuda
COPY --from=build-cuda /opt/warpyard /opt/warpyard
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 65532:65532
EXPOSE 7843 9843
ENTRYPOINT ["/opt/warpyard/bin/warpyard-server"]
CMD ["--listen", "0.0.0.0:7843", "--metrics", "0.0.0.0:9843", \
     "--allow-insecure", "--backend", "cuda"]

#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

# Makes build/package/warpyard-VERSION-linux-x86_64[-cuda].tar.gz: server and client, to be unpacked
# anywhere on an x86-64 Linux with glibc 2.36 or newer. gRPC, Protobuf and Abseil are linked
# statically; libraries that the distribution has only as shared ones lie beside, in lib/.
# Usage: tools/package.sh [--cpu]    --cpu leaves the CUDA backend out even where nvcc is found
#        tools/package.sh --deb     build/package/*.deb instead, for Debian 12, with its shared libraries
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

# Libraries that every glibc system has; the package must not contain them.
platform='^(linux-vdso|libc|libm|libdl|librt|libpthread|ld-linux-x86-64)\.so'

# Copies the shared libraries that a program needs, beyond the platform, into a folder.
copy_libraries() {
  local program="$1" folder="$2" name path
  while read -r name _ path _; do
    if [[ ! $name =~ $platform && $path == /* && ! -e $folder/$name ]]; then
      install -m 644 "$path" "$folder/$name"
    fi
  done < <(ldd "$program")
}

if [[ ${1-} == --deb ]]; then
  tools/setup.sh build python
  build=build/package/objects-deb
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPYARD_BUILD_TESTS=OFF \
    -DWARPYARD_BUILD_BENCHMARKS=OFF
  cmake --build "$build" --parallel "$(nproc)"
  (cd "$build" && cpack -G DEB -B "$root/build/package")
  ls -l build/package/*.deb
  exit
fi
cuda=AUTO
if [[ ${1-} == --cpu ]]; then
  cuda=OFF
elif [[ $# -gt 0 ]]; then
  echo "usage: tools/package.sh [--cpu | --deb]" >&2
  exit 2
fi

tools/setup.sh build python
build=build/package/objects-$cuda
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPYARD_CUDA="$cuda" \
  -DWARPYARD_STATIC_GRPC=ON -DWARPYARD_BUILD_TESTS=OFF -DWARPYARD_BUILD_BENCHMARKS=OFF
cmake --build "$build" --parallel "$(nproc)"

version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")"
name="warpyard-$version-linux-x86_64"
if grep -q '^WARPYARD_NVCC:FILEPATH=/' "$build/CMakeCache.txt"; then
  name="$name-cuda"
fi

stage="build/package/$name"
rm -rf "$stage"
mkdir -p "$stage/lib"
for component in server client; do
  cmake --install "$build" --prefix "$stage" --component "$component" --strip
done
install -m 644 LICENSE README.md "$stage"
for program in "$stage"/bin/*; do
  copy_libraries "$program" "$stage/lib"
done
cp -r proto "$stage/proto"
rm "$stage/proto/CMakeLists.txt"

tar -C build/package --owner=0 --group=0 --numeric-owner --sort=name -czf "$stage.tar.gz" "$name"
rm -rf "$stage"
ls -l "$stage.tar.gz"

#!/bin/sh
# Installs into a new prefix, then builds and runs a small consumer against it: through pkg-config and through CMake's
# find_package, shared and static, from the C compiler and, for the headers, the C++ one.
set -eu
if [ "${TSR_SANITIZE:-0}" = 1 ]; then
    echo 'skipped: a consumer would need the sanitizers too'
    exit 77
fi
CC=${CC:-cc}
CMAKE=${CMAKE:-cmake}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix

"$CMAKE" --install "$TSR_BUILD" --prefix "$tmp/first" > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
mv "$tmp/first" "$prefix" # an installed tree may be moved
for file in include/*.h; do [ -e "$prefix/$file" ] || { echo "$file is not installed"; exit 1; }; done
lib=$(dirname "$(find "$prefix" -name libtessera.a)")
[ -e "$lib/libtessera.so.0" ] || { echo "no libtessera.so.0 in $lib"; exit 1; }
if [ -e "$TSR_BUILD/tessera" ]; then "$prefix/bin/tessera" --help > /dev/null; fi

mkdir "$tmp/consumer"
cat > "$tmp/consumer/main.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <tessera.h>

int main(void)
{
    const char *source = "@compute @workgroup_size(1) fn main() {}";
    tsr_module *m = NULL;
    tsr_status st =
        tsr_compile(&(tsr_compile_args){.name = "t.wgsl", .source = source, .source_bytes = strlen(source)}, &m);
    printf("%s %s %zu\n", tsr_version(), tsr_status_name(st), tsr_module_entry_count(m));
    tsr_module_free(m);
    return st != TSR_OK;
}
END
cat > "$tmp/consumer/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(consumer LANGUAGES C)
find_package(tessera 0.1 REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE tessera::tessera)
add_executable(static main.c)
target_link_libraries(static PRIVATE tessera::tessera_static)
END
version=$(sed -n 's/^project(tessera VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
expect()
{
    how=$1
    shift
    got=$("$@") || { echo "$how: the consumer failed"; exit 1; }
    [ "$got" = "$version TSR_OK 1" ] || { echo "$how: '$got'"; exit 1; }
    echo "$how: $got"
}
# Whether the program needs the shared library.
is_shared() { readelf -d "$1" | grep -q 'NEEDED.*libtessera'; }

if command -v pkg-config > /dev/null 2>&1; then
    PKG_CONFIG_PATH=$lib/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    "$CC" -std=c11 -o "$tmp/pc_shared" "$tmp/consumer/main.c" $(pkg-config --cflags --libs tessera)
    is_shared "$tmp/pc_shared" || { echo 'pkg-config: not shared'; exit 1; }
    expect 'pkg-config, shared' env LD_LIBRARY_PATH="$lib" "$tmp/pc_shared"
    # shellcheck disable=SC2046
    "$CC" -std=c11 -o "$tmp/pc_static" "$tmp/consumer/main.c" $(pkg-config --cflags tessera) -Wl,-Bstatic \
        $(pkg-config --libs-only-L --libs-only-l tessera) -Wl,-Bdynamic -lm -pthread
    ! is_shared "$tmp/pc_static" || { echo 'pkg-config: not static'; exit 1; }
    expect 'pkg-config, static' "$tmp/pc_static"
    pkg-config --libs --static tessera | grep -q -- -pthread || { echo 'pkg-config --static lacks -pthread'; exit 1; }
    [ "$(pkg-config --modversion tessera)" = "$version" ] || { echo 'tessera.pc has another version'; exit 1; }
else
    echo 'pkg-config is not here: that way is not tested'
fi

CC="$CC" "$CMAKE" -S "$tmp/consumer" -B "$tmp/build" -DCMAKE_PREFIX_PATH="$prefix" > "$tmp/log" 2>&1 &&
    "$CMAKE" --build "$tmp/build" >> "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
is_shared "$tmp/build/shared" || { echo 'find_package: not shared'; exit 1; }
! is_shared "$tmp/build/static" || { echo 'find_package: not static'; exit 1; }
expect 'find_package, shared' "$tmp/build/shared"
expect 'find_package, static' "$tmp/build/static"

if command -v c++ > /dev/null 2>&1; then
    for header in include/*.h; do
        printf '#include "%s"\n' "$header" | c++ -std=c++11 -pedantic -Wall -Werror -I"$prefix" -I"$prefix/include" \
            -x c++ -fsyntax-only - || { echo "$header is no C++"; exit 1; }
    done
    echo 'headers: C++ too'
fi

# For AArch64 from another machine: what tools/aarch64 set up in build/aarch64-root. CTest starts programs through its
# `run`.
set(root ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER ${root}/bin/cc)
set(CMAKE_CROSSCOMPILING_EMULATOR ${root}/bin/run)
set(CMAKE_FIND_ROOT_PATH ${root}/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# The library, static and shared, and the command.

set(whole)
foreach(stage ${TSR_WHOLE} pipeline)
    if(TARGET tsr_${stage}_objects)
        list(APPEND whole $<TARGET_OBJECTS:tsr_${stage}_objects>)
    endif()
endforeach()

# The shared library exports exactly what include/ declares with TSR_API: the linker's version script is made from the
# headers (tests/project/exports.sh compares the result with them).
file(GLOB TSR_HEADERS CONFIGURE_DEPENDS include/*.h)
set(version_script ${CMAKE_BINARY_DIR}/exports.map)
add_custom_command(OUTPUT ${version_script}
    COMMAND sh ${CMAKE_SOURCE_DIR}/tools/exports --map ${TSR_HEADERS} > ${version_script}
    DEPENDS tools/exports ${TSR_HEADERS} VERBATIM)
add_custom_target(tsr_version_script DEPENDS ${version_script})

function(tsr_library name kind)
    add_library(${name} ${kind} ${whole})
    set_target_properties(${name} PROPERTIES OUTPUT_NAME tessera LINKER_LANGUAGE C)
    target_link_libraries(${name} PRIVATE m Threads::Threads)
    target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
include(GNUInstallDirs)
if(TARGET tsr_pipeline_objects)
    tsr_library(tessera_static STATIC)
    tsr_library(tessera_shared SHARED)
    set_target_properties(tessera_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        LINK_DEPENDS ${version_script})
    add_dependencies(tessera_shared tsr_version_script)
    target_link_options(tessera_shared PRIVATE LINKER:--version-script=${version_script})
    if(NOT TSR_SANITIZE AND NOT TSR_FUZZ)
        target_link_options(tessera_shared PRIVATE LINKER:-z,defs)
    endif()
endif()

# The command: a client of the public headers. Its parts without main are a library that unit tests can link.
#
# Its start is most of what a short program costs. Linked in, jansson is one library less to find and map; at a fixed
# address, the tables of constants need no relocation (bench/front.sh, which measures whole processes).
find_library(TSR_JANSSON NAMES libjansson.a jansson REQUIRED)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
file(GLOB sources CONFIGURE_DEPENDS src/cli/*.c)
if(sources AND TARGET tessera_static)
    add_library(tsr_cli STATIC ${sources})
    target_link_libraries(tsr_cli PUBLIC tessera_static ${TSR_JANSSON})
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/src/main.c AND TARGET tessera_static)
    add_executable(tessera_command src/main.c)
    set_target_properties(tessera_command PROPERTIES OUTPUT_NAME tessera POSITION_INDEPENDENT_CODE ${TSR_PIE})
    target_link_libraries(tessera_command PRIVATE $<TARGET_NAME_IF_EXISTS:tsr_cli> tessera_static ${TSR_JANSSON})
endif()

# What bench/run starts: bench/NAME.c becomes bench/NAME in the build folder. The loops of C in bench/jit and
# bench/everyday are compiled for this machine, as its peers are.
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native TSR_HAS_MARCH_NATIVE)
if(TSR_HAS_MARCH_NATIVE)
    set_source_files_properties(bench/jit.c bench/everyday.c PROPERTIES COMPILE_OPTIONS "-O3;-march=native")
endif()
file(GLOB programs CONFIGURE_DEPENDS bench/*.c)
foreach(program ${programs})
    if(TARGET tessera_static)
        get_filename_component(name ${program} NAME_WE)
        add_executable(bench_${name} ${program})
        set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
        target_link_libraries(bench_${name} PRIVATE tessera_static m)
    endif()
endforeach()

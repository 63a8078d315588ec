# Unit tests, scripts, fuzzers. CTest runs the first two.

# Drivers are not instrumented and keep memory of their own: under the sanitizers none is looked for, and the interpreter
# serves, whose every access is seen. Native code is run where it is what is tested: the code that LLVM makes is not
# instrumented, but all around it is, and leaks are looked for.
set(TSR_SANITIZED_ENVIRONMENT)
if(TSR_SANITIZE)
    set(TSR_SANITIZED_ENVIRONMENT "TSR_JIT=0" "VK_DRIVER_FILES=none" "VK_ICD_FILENAMES=none")
endif()

# A Vulkan driver of our own that fails on demand (tests/vulkan/fake_vulkan.c).
add_library(fake_vulkan MODULE tests/vulkan/fake_vulkan.c)
target_link_libraries(fake_vulkan PRIVATE Threads::Threads)
set_target_properties(fake_vulkan PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# A unit test is tests/unit/STAGE_NAME.c. It links cmocka and stage STAGE with what is below it; "cli" the parts of the
# command; any other word ("api", "device", ...) the whole library.
file(GLOB units CONFIGURE_DEPENDS tests/unit/*.c)
foreach(unit ${units})
    get_filename_component(name ${unit} NAME_WE)
    string(REGEX REPLACE "_.*" "" stage ${name})
    if(stage IN_LIST TSR_STAGES)
        set(library tsr_${stage})
    elseif(stage STREQUAL cli)
        set(library tsr_cli)
    else()
        set(library tessera_static)
    endif()
    if(NOT TARGET ${library})
        continue()
    endif()
    add_executable(unit_${name} ${unit})
    target_link_libraries(unit_${name} PRIVATE ${library} m cmocka)
    add_test(NAME unit_${name} COMMAND unit_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set(unit_environment "${TSR_SANITIZED_ENVIRONMENT}")
    if(stage STREQUAL jit)
        set(unit_environment)
    endif()
    if(name STREQUAL api_vulkan)
        list(APPEND unit_environment "TSR_VULKAN=$<TARGET_FILE:fake_vulkan>")
    endif()
    set_tests_properties(unit_${name} PROPERTIES TIMEOUT 600 LABELS unit ENVIRONMENT "${unit_environment}")
endforeach()

# Every executable tests/FOLDER/*.sh is a test, named after its path. It gets TESSERA (the command), TSR_BUILD and
# TSR_SOURCE (the folders), runs in TSR_SOURCE, and skips itself with exit status 77.
set(environment "TESSERA=${CMAKE_BINARY_DIR}/tessera" "TSR_BUILD=${CMAKE_BINARY_DIR}"
    "TSR_SOURCE=${CMAKE_SOURCE_DIR}" "CC=${CMAKE_C_COMPILER}" "CMAKE=${CMAKE_COMMAND}"
    "TSR_SANITIZE=$<BOOL:${TSR_SANITIZE}>" ${TSR_SANITIZED_ENVIRONMENT})
file(GLOB scripts CONFIGURE_DEPENDS tests/*/*.sh)
if(CMAKE_CROSSCOMPILING)
    set(scripts) # they start the command, which this machine cannot
endif()
foreach(script ${scripts})
    execute_process(COMMAND test -x ${script} RESULT_VARIABLE not_executable)
    if(not_executable)
        continue()
    endif()
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/tests ${script})
    string(REGEX REPLACE "\\.sh$" "" name ${name})
    get_filename_component(folder ${name} DIRECTORY)
    add_test(NAME ${name} COMMAND ${script} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT "${environment}" TIMEOUT 900
        LABELS ${folder})
endforeach()
if(TEST exec/aarch64)
    set_tests_properties(exec/aarch64 PROPERTIES TIMEOUT 7200) # with TSR_ALL=1: all cases under an emulator
endif()

# tests/fuzz/fuzz_NAME.c is a libFuzzer target fuzz_NAME. Those that read WGSL share a mutator which knows its pieces.
set(TSR_WGSL_FUZZERS fuzz_wgsl fuzz_emit)
file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
if(TSR_FUZZ AND TARGET tessera_static)
    foreach(fuzzer ${fuzzers})
        get_filename_component(name ${fuzzer} NAME_WE)
        add_executable(${name} ${fuzzer})
        if(name IN_LIST TSR_WGSL_FUZZERS)
            target_sources(${name} PRIVATE tests/fuzz/mutate_wgsl.c)
        endif()
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:tsr_cli> tessera_static m)
    endforeach()
endif()

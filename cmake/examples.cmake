# The demo, the runner of execution cases (tests/exec): clients of the library. The timer of bench/run.
if(TARGET tessera_static)
    add_executable(tessera_demo examples/demo.c)
    target_link_libraries(tessera_demo PRIVATE tessera_static)
    if(TSR_TESTS)
        add_executable(exec_runner tests/exec/runner.c)
        target_link_libraries(exec_runner PRIVATE tessera_static m)
        file(GLOB exec_cases CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} tests/exec/*.wgsl)
        if(exec_cases)
            add_test(NAME exec_interpreter COMMAND exec_runner --device cpu:interpreter ${exec_cases}
                WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
            add_test(NAME exec_native COMMAND exec_runner --device cpu ${exec_cases}
                WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
            # The same on each path of the JIT; a processor without one runs them in the interpreter.
            foreach(path plain avx2 avx512)
                add_test(NAME exec_native_${path} COMMAND exec_runner --device cpu ${exec_cases}
                    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
                set_tests_properties(exec_native_${path} PROPERTIES ENVIRONMENT "TSR_CPU=${path}")
            endforeach()
            # Barriers by stacks, as code has them that fission cannot take apart.
            add_test(NAME exec_native_stacks COMMAND exec_runner --device cpu ${exec_cases}
                WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
            set_tests_properties(exec_native_stacks PROPERTIES ENVIRONMENT "TSR_BARRIERS=stacks")
            # One in three by the long list of passes, bit_counts among them; tests/exec/llvms.sh does so with other cases
            # each day.
            list(LENGTH exec_cases last)
            math(EXPR last "${last} - 1")
            set(exec_hot_cases)
            foreach(place RANGE 2 ${last} 3)
                list(GET exec_cases ${place} exec_case)
                list(APPEND exec_hot_cases ${exec_case})
            endforeach()
            add_test(NAME exec_native_hot COMMAND exec_runner --device cpu ${exec_hot_cases}
                WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
            set_tests_properties(exec_native_hot PROPERTIES ENVIRONMENT "TSR_JIT=hot")
        endif()
        add_test(NAME demo COMMAND tessera_demo WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
        set_tests_properties(demo PROPERTIES ENVIRONMENT "${TSR_SANITIZED_ENVIRONMENT}")
    endif()
endif()

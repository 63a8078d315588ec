# Each stage (a folder of src/) is compiled once, into objects; a static library a stage lets a test link the stage it
# tests and what is below it, and the whole library is made from the same objects. TSR_BUILD_SHARED marks the public
# functions as the ones to export; everything else stays hidden.

set(TSR_STAGES base coopmat ir wgsl analysis check pass emit exec)   # each may be linked alone, with what is below
set(TSR_WHOLE ${TSR_STAGES} verify device webgpu kernels)            # what makes the library, with src/*.c

function(tsr_objects name)
    if(ARGN)
        add_library(tsr_${name}_objects OBJECT ${ARGN})
        target_compile_definitions(tsr_${name}_objects PRIVATE TSR_BUILD_SHARED)
    endif()
endfunction()

foreach(stage ${TSR_WHOLE})
    file(GLOB sources CONFIGURE_DEPENDS src/${stage}/*.c)
    if(stage STREQUAL base AND EXISTS ${CMAKE_SOURCE_DIR}/src/error.c)
        list(APPEND sources src/error.c)   # every stage may fail with a sentence for tsr_last_error
    endif()
    if(stage STREQUAL coopmat)
        list(APPEND sources ${TSR_PROFILE_DATA})   # data/devices.json as an array
    endif()
    tsr_objects(${stage} ${sources})
endforeach()
file(GLOB sources CONFIGURE_DEPENDS src/*.c)
list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/main.c ${CMAKE_SOURCE_DIR}/src/error.c)
tsr_objects(pipeline ${sources})

function(tsr_stage name)
    if(TARGET tsr_${name}_objects)
        add_library(tsr_${name} STATIC $<TARGET_OBJECTS:tsr_${name}_objects>)
        set(how PUBLIC)
    else()
        add_library(tsr_${name} INTERFACE)
        set(how INTERFACE)
    endif()
    target_link_libraries(tsr_${name} ${how} ${ARGN})
endfunction()
tsr_stage(base m)
tsr_stage(coopmat tsr_base)
tsr_stage(ir tsr_coopmat)
tsr_stage(wgsl tsr_ir)
tsr_stage(analysis tsr_ir)
tsr_stage(check tsr_analysis)
tsr_stage(pass tsr_analysis)
tsr_stage(emit tsr_analysis)
tsr_stage(exec tsr_ir Threads::Threads)

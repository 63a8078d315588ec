# data/devices.json becomes part of the library: a C array made by tools/embed, compiled with the coopmat stage.
set(TSR_PROFILE_DATA ${CMAKE_BINARY_DIR}/profile_data.c)
add_custom_command(OUTPUT ${TSR_PROFILE_DATA}
    COMMAND sh ${CMAKE_SOURCE_DIR}/tools/embed tsr_profile_data ${CMAKE_SOURCE_DIR}/data/devices.json > ${TSR_PROFILE_DATA}
    DEPENDS data/devices.json tools/embed VERBATIM)

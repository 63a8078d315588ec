# `cmake --install`: headers, both libraries, the command, tessera.pc, the CMake package.

if(NOT TARGET tessera_shared)
    return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

install(FILES ${TSR_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(tessera_shared PROPERTIES EXPORT_NAME tessera)
install(TARGETS tessera_shared tessera_static EXPORT tesseraTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tessera_command)
    install(TARGETS tessera_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tesseraConfig.cmake.in ${CMAKE_BINARY_DIR}/tesseraConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tesseraConfig.cmake ${CMAKE_BINARY_DIR}/tesseraConfigVersion.cmake
    DESTINATION ${package_dir})

# The file finds its prefix from where it lies, so that an installed tree can be moved. The way up has as many steps as
# the library folder has parts, and one for pkgconfig itself.
string(REGEX REPLACE "[^/]+" ".." up ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(TSR_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
    set(TSR_PC_PREFIX "\${pcfiledir}/${up}")
endif()
configure_file(cmake/tessera.pc.in ${CMAKE_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# SPDX-License-Identifier: GPL-2.0-only
# libperf (tools/lib/perf of the kernel): the system's where pkg-config knows one, else built from the
# distribution's kernel source package. Only the folders it needs are unpacked, once per build folder.
# Gives the target perfcmp_libperf.
add_library(perfcmp_libperf INTERFACE)
pkg_check_modules(LIBPERF IMPORTED_TARGET libperf)
if(LIBPERF_FOUND)
	message(STATUS "libperf: the system's, ${LIBPERF_VERSION}")
	target_link_libraries(perfcmp_libperf INTERFACE PkgConfig::LIBPERF)
	return()
endif()

set(PERFCMP_KERNEL_SOURCE "" CACHE FILEPATH "kernel source archive to build libperf from (linux-source-*.tar.xz)")
set(archive "${PERFCMP_KERNEL_SOURCE}")
foreach(candidate /usr/src/linux-source-6.12.tar.xz /usr/src/linux-source-6.1.tar.xz)
	if(NOT archive AND EXISTS ${candidate})
		set(archive ${candidate})
	endif()
endforeach()
if(NOT archive)
	message(FATAL_ERROR "libperf: no kernel source found: install linux-source-6.12 (or linux-source-6.1), "
		"or give -DPERFCMP_KERNEL_SOURCE=FILE")
endif()

set(libperf_dir ${CMAKE_BINARY_DIR}/libperf)
set(stamp ${libperf_dir}/built-from)
file(TIMESTAMP ${archive} archive_time)
set(wanted "${archive} ${archive_time} ${CMAKE_C_COMPILER}")
set(have "")
if(EXISTS ${stamp})
	file(READ ${stamp} have)
endif()

# perfcmp_libperf_run(WHAT COMMAND...): stops with its output if the command fails
function(perfcmp_libperf_run what)
	execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT status EQUAL 0)
		file(REMOVE_RECURSE ${source})
		message(FATAL_ERROR "libperf: ${what} failed:\n${output}")
	endif()
endfunction()

# The kernel's makefiles cannot work below a folder with a blank in its name, as the build folder may be; and people
# who build kernels have ARCH, CROSS_COMPILE, O and the like in their environment, which are not meant for us.
if(NOT have STREQUAL wanted OR NOT EXISTS ${libperf_dir}/libapi.a)
	message(STATUS "libperf: building it from ${archive} (once, about 15 seconds)")
	execute_process(COMMAND mktemp -d /tmp/perfcmp-libperf.XXXXXX OUTPUT_VARIABLE source OUTPUT_STRIP_TRAILING_WHITESPACE)
	perfcmp_libperf_run("unpacking ${archive}" tar -xJf ${archive} -C ${source} --strip-components=1 --wildcards
		*/tools/lib/perf */tools/lib/api */tools/lib/*.c */tools/build */tools/scripts */tools/include */tools/arch/*/include)
	file(REMOVE_RECURSE ${libperf_dir})
	foreach(part api perf)
		perfcmp_libperf_run("building lib${part}.a" env -i "PATH=$ENV{PATH}" "HOME=$ENV{HOME}" make -C ${source}/tools/lib/${part} lib${part}.a CC=${CMAKE_C_COMPILER})
		file(COPY ${source}/tools/lib/${part}/lib${part}.a DESTINATION ${libperf_dir})
	endforeach()
	file(COPY ${source}/tools/lib/perf/include DESTINATION ${libperf_dir})
	file(REMOVE_RECURSE ${source})
	file(WRITE ${stamp} "${wanted}")
endif()
message(STATUS "libperf: ${libperf_dir}/libperf.a")
target_include_directories(perfcmp_libperf SYSTEM INTERFACE ${libperf_dir}/include)
target_link_libraries(perfcmp_libperf INTERFACE ${libperf_dir}/libperf.a ${libperf_dir}/libapi.a)

# Runs the example on the golden graph, and checks what it prints and writes.

set(binary "${SCRATCH}/quickstart.binpb")
set(json "${SCRATCH}/quickstart.json")
execute_process(
  COMMAND "${PROGRAM}" "${GRAPH}" "${binary}" "${json}"
  OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 "${GRAPH}" digest)
foreach(expected IN ITEMS "digest sha256:${digest}\n" "nodes 3\n")
  string(FIND "${printed}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "The example did not print '${expected}' but:\n${printed}")
  endif()
endforeach()

# The tool finds both files canonical, and the same document.
foreach(file IN ITEMS "${binary}" "${json}")
  execute_process(COMMAND "${TOOL}" digest "${file}" OUTPUT_VARIABLE line COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "  ${file}" "" digest "${line}")
  string(FIND "${printed}" "built ${digest}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "The digest of ${file} is ${digest} but the example printed:\n${printed}")
  endif()
endforeach()
execute_process(COMMAND "${PROGRAM}" "${json}" "${binary}" "${json}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)

# Extracts the code of the walk-through from its page: cmake -DPAGE=... -DREGISTRY=... -DOUT=... -P walkthrough.cmake
#
# A block of the page that begins with "```cpp file=PATH" is the file of that path or, for the registry, the line to be added to its list.
# Writes OUT/max_register.cc and OUT/registry.cc.
file(READ "${PAGE}" page)

function(block_of path result)
  string(FIND "${page}" "```cpp file=${path}\n" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${PAGE} has no block for ${path}")
  endif()
  string(LENGTH "```cpp file=${path}\n" fence)
  math(EXPR start "${start} + ${fence}")
  string(SUBSTRING "${page}" ${start} -1 rest)
  string(FIND "${rest}" "\n```" end)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${rest}" 0 ${end} block)
  set(${result} "${block}" PARENT_SCOPE)
endfunction()

block_of(server-core/src/adt/max_register.cc type)
block_of(server-core/src/adt/registry.cc line)
string(STRIP "${line}" line)

# The list is the macro that ends at the first line without a backslash.
file(READ "${REGISTRY}" registry)
set(list_end "\n\nnamespace claret {")
string(FIND "${registry}" "${list_end}" end)
string(SUBSTRING "${registry}" 0 ${end} before)
string(SUBSTRING "${registry}" ${end} -1 after)

file(WRITE "${OUT}/max_register.cc" "${type}")
# A tree in which the page's steps were carried out has the line already.
string(FIND "${before}" "${line}" present)
if(present EQUAL -1)
  set(before "${before} \\\n  ${line}")
endif()
file(WRITE "${OUT}/registry.cc" "${before}${after}")

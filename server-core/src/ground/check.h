// CLARET_CHECK(condition): checks a precondition (REQUIRES in a header) while checks are on: in tests, laws, sanitizer runs and the
// simulation. A check that fails ends the process.
//
// The same binary serves with checks on and off: while they are off, a check costs the reading of one flag.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace claret {

inline bool checks_are_on = false;

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: required: %s\n", file, line, condition);
  std::abort();
}

}  // namespace claret

#define CLARET_CHECK(condition)                               \
  do {                                                        \
    if (::claret::checks_are_on && !(condition)) {            \
      ::claret::check_failed(#condition, __FILE__, __LINE__); \
    }                                                         \
  } while (false)

// CLARET_CHECK(condition): a condition that a header REQUIRES, checked while checks are on: in tests, laws, sanitizers and the
// simulation. A check that fails ends the process.
//
// One binary has both: while checks are off, each costs the reading of one flag.
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

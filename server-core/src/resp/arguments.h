// The arguments of a command: views into bytes that somebody else holds. The first is the command's name.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace claret::resp {

using Arguments = std::span<const std::string_view>;

inline constexpr char lower(char character) {
  return 'A' <= character && character <= 'Z' ? static_cast<char>(character + ('a' - 'A')) : character;
}

// Compares names as clients write them: letters of ASCII are equal in both cases.
inline bool same_name(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (lower(left[i]) != lower(right[i])) return false;
  }
  return true;
}

}  // namespace claret::resp

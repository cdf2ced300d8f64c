// Validates UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <string_view>

namespace claret {

bool is_valid_utf8(std::string_view bytes);

// The length of the well-formed sequence at the beginning, 1 to 4; 0 if there is none. REQUIRES: not empty.
std::size_t utf8_sequence(std::string_view bytes);

}  // namespace claret

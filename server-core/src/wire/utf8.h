// Validates UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <string_view>

namespace claret {

bool is_valid_utf8(std::string_view bytes);

}  // namespace claret

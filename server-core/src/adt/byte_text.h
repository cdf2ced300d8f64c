// Bytes of Redis clients as texts. Texts of Claret are UTF-8. A byte that is no part of a well-formed sequence is stored as a code point of a
// private area that stands for it, from U+10FF80 for the byte 0x80 to U+10FFFF for 0xFF; so are the bytes of such a code point itself. So
// any bytes come back as they were. Python does the same with its surrogates (PEP 383), which UTF-8 does not have.
//
// What is well-formed, and that is nearly everything, is stored as it is.
#pragma once

#include <string>
#include <string_view>

namespace claret {

std::string text_of_bytes(std::string_view bytes);
std::string bytes_of_text(std::string_view text);
// bytes_of_text() would change nothing.
bool is_plain_text(std::string_view text);

}  // namespace claret

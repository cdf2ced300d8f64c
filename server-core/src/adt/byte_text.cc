#include "adt/byte_text.h"

#include <algorithm>

#include "ground/utf8.h"

namespace claret {

namespace {

constexpr char kFirst = static_cast<char>(0xF4);  // of every stand-in
constexpr char kSecond = static_cast<char>(0x8F);
constexpr unsigned kLow = 0xBE;  // the third byte of those for 0x80 to 0xBF
constexpr unsigned kHigh = 0xBF;  // the same for 0xC0 to 0xFF

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_stand_in(std::string_view text) {
  return text.size() >= 4 && text[0] == kFirst && text[1] == kSecond && (byte_at(text, 2) == kLow || byte_at(text, 2) == kHigh);
}

void append_stand_in(std::string& text, unsigned byte) {
  text += {kFirst, kSecond, static_cast<char>(byte < 0xC0 ? kLow : kHigh), static_cast<char>(0x80 | (byte & 0x3F))};
}

}  // namespace

bool is_plain_text(std::string_view text) {
  for (std::size_t at = text.find(kFirst); at != std::string_view::npos; at = text.find(kFirst, at + 1)) {
    if (is_stand_in(text.substr(at))) return false;
  }
  return true;
}

std::string text_of_bytes(std::string_view bytes) {
  if (is_valid_utf8(bytes) && is_plain_text(bytes)) return std::string(bytes);
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = is_stand_in(bytes) ? 0 : utf8_sequence(bytes);
    if (length == 0) {
      append_stand_in(text, byte_at(bytes, 0));
      bytes.remove_prefix(1);
      // The rest of a stand-in that came as it is has no sequence of its own, and is taken byte by byte.
    } else {
      text.append(bytes.substr(0, length));
      bytes.remove_prefix(length);
    }
  }
  return text;
}

std::string bytes_of_text(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    if (is_stand_in(text)) {
      bytes.push_back(static_cast<char>((byte_at(text, 2) == kLow ? 0x80 : 0xC0) | (byte_at(text, 3) & 0x3F)));
      text.remove_prefix(4);
    } else {
      const std::size_t length = std::max<std::size_t>(1, std::min(text.find(kFirst, 1), text.size()));
      bytes.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return bytes;
}

}  // namespace claret

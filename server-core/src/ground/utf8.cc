#include "ground/utf8.h"

#include <cstdint>
#include <cstring>

namespace claret {

namespace {

bool continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The length of the well-formed sequence at `at`, or 0 if there is none.
std::size_t sequence_length(const unsigned char* at, std::size_t left) {
  const unsigned char first = at[0];
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return left >= 2 && continuation(at[1]) ? 2 : 0;
  if (first < 0xF0) {
    if (left < 3 || !continuation(at[1]) || !continuation(at[2])) return 0;
    if (first == 0xE0 && at[1] < 0xA0) return 0;
    if (first == 0xED && at[1] >= 0xA0) return 0;
    return 3;
  }
  if (first > 0xF4 || left < 4) return 0;
  if (!continuation(at[1]) || !continuation(at[2]) || !continuation(at[3])) return 0;
  if (first == 0xF0 && at[1] < 0x90) return 0;
  if (first == 0xF4 && at[1] >= 0x90) return 0;
  return 4;
}

}  // namespace

std::size_t utf8_sequence(std::string_view bytes) {
  return sequence_length(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

bool is_valid_utf8(std::string_view bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    // Keys and members are nearly always ASCII, so eight bytes are checked at a time.
    if (left >= 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      if ((word & 0x8080808080808080ull) == 0) {
        at += 8;
        left -= 8;
        continue;
      }
    }
    const std::size_t length = sequence_length(at, left);
    if (length == 0) return false;
    at += length;
    left -= length;
  }
  return true;
}

}  // namespace claret

#include "ground/slots.h"

#include <array>

namespace claret {

namespace {

// CRC-16/XMODEM: polynomial 0x1021, start 0, not reflected.
constexpr std::array<std::uint16_t, 256> kCrcTable = [] {
  std::array<std::uint16_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

std::uint16_t crc16(std::string_view bytes) {
  std::uint32_t crc = 0;
  for (const char byte : bytes) crc = (crc << 8 & 0xFFFF) ^ kCrcTable[crc >> 8 ^ static_cast<unsigned char>(byte)];
  return static_cast<std::uint16_t>(crc);
}

// The hashed part of a key: the first non-empty {tag}, or the whole key.
std::string_view hashed_part(std::string_view key) {
  const auto open = key.find('{');
  if (open == std::string_view::npos) return key;
  const auto close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint32_t slot_of(std::string_view key) { return crc16(hashed_part(key)) % kSlots; }

}  // namespace claret

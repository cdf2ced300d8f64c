#include "ground/utf8.h"
#include "telemetry/frame.h"

namespace claret {

namespace {

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdull;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53ull;
  return bits ^ bits >> 33;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string shown_key(std::string_view key) {
  if (key.size() <= telemetry::kShownKeyBytesMax) return std::string(key);
  static constexpr std::string_view kCut = "…";
  static constexpr std::size_t kDigits = 8;
  std::size_t end = telemetry::kShownKeyBytesMax - kCut.size() - kDigits;
  while (end > 0 && continues_character(key[end])) --end;
  std::string shown(key.substr(0, end));
  shown += kCut;
  const std::uint64_t digest = fnv(key);
  for (std::size_t digit = 0; digit < kDigits; ++digit) shown += "0123456789abcdef"[digest >> 4 * digit & 15];
  return shown;
}

std::string shown_session(std::string_view name) { return is_valid_utf8(name) ? shown_key(name) : std::string(); }

std::uint64_t shown_transaction(std::uint64_t priority) { return mixed(priority + 1); }

}  // namespace claret

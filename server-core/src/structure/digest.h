// A keyed digest of 16 bytes: SipHash-2-4 with an output of 128 bits (Aumasson and Bernstein, 2012).
//
// Whoever does not know the key cannot make two texts with one digest, so equal digests stand for equal texts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace claret {

using Digest = std::array<std::uint8_t, 16>;
using DigestKey = std::array<std::uint8_t, 16>;

Digest digest_of(std::string_view text, const DigestKey& key);

}  // namespace claret

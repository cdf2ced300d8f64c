#include "structure/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace claret {
namespace {

std::string hex(const Digest& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

// The texts 00, 00 01, ..., and the key 00 01 ... 0f, as in the vectors that the authors have published; computed with OpenSSL's SIPHASH.
TEST(Digest, IsSipHashOf128Bits) {
  DigestKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  const auto digest = [&](std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i);
    return hex(digest_of(text, key));
  };
  EXPECT_EQ(digest(0), "a3817f04ba25a8e66df67214c7550293");
  EXPECT_EQ(digest(1), "da87c1d86b99af44347659119b22fc45");
  EXPECT_EQ(digest(7), "a1f1ebbed8dbc153c0b84aa61ff08239");
  EXPECT_EQ(digest(8), "3b62a9ba6258f5610f83e264f31497b4");
  EXPECT_EQ(digest(15), "5493e99933b0a8117e08ec0f97cfc3d9");
  EXPECT_EQ(digest(63), "5150d1772f50834a503e069a973fbd7c");
}

TEST(Digest, DependsOnTheKey) {
  DigestKey other{};
  other[15] = 1;
  EXPECT_NE(digest_of("a", {}), digest_of("a", other));
}

}  // namespace
}  // namespace claret

#include "adt/byte_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ground/utf8.h"

namespace claret {

TEST(ByteText, StoresWellFormedTextAsItIs) {
  for (const std::string text : {"", "plain", "zażółć 🦀", "\xF4\x8F\xBD\xBF"}) EXPECT_EQ(text_of_bytes(text), text);
}

TEST(ByteText, StoresAByteThatIsNoTextAsACodePointThatStandsForIt) {
  EXPECT_EQ(text_of_bytes("a\xFF"), "a\xF4\x8F\xBF\xBF");
  EXPECT_EQ(text_of_bytes("\x80"), "\xF4\x8F\xBE\x80");
}

TEST(ByteText, GivesBackAnyBytesAndStoresNothingButUtf8) {
  const unsigned seed = std::random_device()();
  std::mt19937 dice(seed);
  const std::string pieces[] = {
      "a", "\xF4", "\x8F", "\xBE", "\xBF", "\x80", "\xF4\x8F\xBE\x80", "\xC3\xA9", "\xED\xA0\x80", std::string(1, '\0')};
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (std::uint32_t n = dice() % 12; n > 0; --n) bytes += pieces[dice() % std::size(pieces)];
    const std::string text = text_of_bytes(bytes);
    ASSERT_TRUE(is_valid_utf8(text)) << "seed " << seed;
    ASSERT_EQ(bytes_of_text(text), bytes) << "seed " << seed;
    ASSERT_EQ(is_plain_text(text), text == bytes) << "seed " << seed;
  }
}

}  // namespace claret

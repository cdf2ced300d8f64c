#include "ground/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace claret {
namespace {

TEST(Utf8, AcceptsEveryCharacterOfUnicode) {
  for (const std::string_view text : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                      "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8D\xB7z"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << ::testing::PrintToString(text);
  }
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndTruncatedSequences) {
  for (const std::string_view bytes : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x80\x80", "\xE0\x9F\xBF",
                                       "\xE2\x82", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x8D",
                                       "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "ok\xC3(", "a\x80"}) {
    EXPECT_FALSE(is_valid_utf8(bytes)) << ::testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace claret

#include "resp/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace claret::resp {
namespace {

struct Case {
  std::string_view pattern;
  std::string_view text;
};

TEST(RespGlob, MatchesAsRedisDoes) {
  constexpr Case kMatching[] = {
      {"", ""},      {"a*", "a"},    {"*a*", "a"},           {"a*c*e", "abcde"},   {"*", "anything"}, {"a?c", "abc"}, {"h[ae]llo", "hello"},
      {"[^e]", "a"}, {"[a-c]", "b"}, {"[c-a]", "b"},         {"\\*", "*"},         {"a\\", "a\\"},    {"[\\]]", "]"}, {"[a-", "-"},
      {"[a", "a"},   {"[^", "a"},    {"[^]", "a"},           {"[a-]", "]"},        {"**a**", "bab"},  {"*[^", "a"},   {"[a^]", "^"},
      {"[\\", "\\"}, {"\\a", "a"},   {"*ab*ab", "xabyabab"}, {"[\xFF-a]", "\x01"},
  };
  for (const auto& [pattern, text] : kMatching) EXPECT_TRUE(glob_matches(pattern, text)) << pattern << " " << text;
}

TEST(RespGlob, RefusesAsRedisDoes) {
  constexpr Case kRefused[] = {
      {"", "a"},    {"*", ""},   {"**", ""},    {"a", "A"},       {"a?c", "ac"},     {"[^a]", "a"},
      {"[]a", "a"}, {"[", "["},  {"[a-]", "-"}, {"[\\]", "\\"},   {"[^", ""},        {"a*b", "a"},
      {"*b", "a"},  {"[b", "a"}, {"[^]a", "a"}, {"[\\a-z]", "c"}, {"[\xFF-a]", "b"},
  };
  for (const auto& [pattern, text] : kRefused) EXPECT_FALSE(glob_matches(pattern, text)) << pattern << " " << text;
}

TEST(RespGlob, CanIgnoreCase) {
  EXPECT_TRUE(glob_matches("MAX*[A-Z]", "maxmemory", Letters::kCaseless));
  EXPECT_TRUE(glob_matches("save", "SAVE", Letters::kCaseless));
  EXPECT_FALSE(glob_matches("SAVE", "save"));
}

TEST(RespGlob, TakesNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(5000, 'a')));
  EXPECT_TRUE(glob_matches(pattern, std::string(5000, 'a')));
}

}  // namespace
}  // namespace claret::resp

#include "structure/text_blocks.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace claret {
namespace {

using Texts = std::vector<std::string>;

Texts behind(const TextBlocks& blocks, const std::string* passed, std::size_t limit = ~std::size_t{0}) {
  Texts texts;
  blocks.walk_behind(passed, [&](const std::string& text) {
    if (texts.size() == limit) return false;
    texts.push_back(text);
    return true;
  });
  return texts;
}

Texts all(const TextBlocks& blocks) { return behind(blocks, nullptr); }

void expect_same(const TextBlocks& blocks, const std::set<std::string>& model) {
  ASSERT_EQ(blocks.size(), model.size());
  ASSERT_EQ(blocks.empty(), model.empty());
  ASSERT_EQ(all(blocks), Texts(model.begin(), model.end()));
  ASSERT_EQ(blocks.last() == nullptr, model.empty());
  ASSERT_TRUE(model.empty() || *blocks.last() == *model.rbegin());
}

TEST(TextBlocks, AreInOrderAndHaveEachTextOnce) {
  TextBlocks blocks;
  EXPECT_TRUE(blocks.empty());
  EXPECT_EQ(blocks.last(), nullptr);
  EXPECT_TRUE(blocks.insert("b"));
  EXPECT_TRUE(blocks.insert(""));
  EXPECT_TRUE(blocks.insert("a"));
  EXPECT_FALSE(blocks.insert("a"));
  EXPECT_EQ(all(blocks), (Texts{"", "a", "b"}));
  EXPECT_FALSE(blocks.erase("c"));
  EXPECT_TRUE(blocks.erase(""));
  EXPECT_EQ(all(blocks), (Texts{"a", "b"}));
}

TEST(TextBlocks, AreWalkedFromAnyPlaceAsFarAsIsWanted) {
  TextBlocks blocks;
  for (int n = 100; n < 900; ++n) blocks.insert(std::to_string(n * 7 % 800 + 100));
  const std::string there = "350", between = "350!", before = "0", after = "9";
  EXPECT_EQ(behind(blocks, &there, 2), (Texts{"351", "352"}));
  EXPECT_EQ(behind(blocks, &between, 1), (Texts{"351"}));
  EXPECT_EQ(behind(blocks, &before).size(), 800u);
  EXPECT_EQ(behind(blocks, &after).size(), 0u);
}

// Texts as they are added and erased, by their number.
struct Kind {
  const char* name;
  std::function<std::string(std::uint32_t)> text;
};

class TextsOfAKind : public ::testing::TestWithParam<Kind> {};

TEST_P(TextsOfAKind, AgreeWithASortedSetAfterEveryStep) {
  constexpr unsigned kSeed = 20261201;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  TextBlocks blocks;
  std::set<std::string> model;
  // It grows beyond several blocks, shrinks until little is left in each of them, and grows again.
  for (const unsigned erased_of_ten : {2U, 9U, 3U, 10U}) {
    for (int step = 0; step < 4000; ++step) {
      const std::string text = GetParam().text(static_cast<std::uint32_t>(random() % 3000));
      if (random() % 10 < erased_of_ten) {
        ASSERT_EQ(blocks.erase(text), model.erase(text) == 1);
      } else {
        ASSERT_EQ(blocks.insert(text), model.insert(text).second);
      }
      const std::string other = GetParam().text(static_cast<std::uint32_t>(random() % 3000));
      ASSERT_EQ(blocks.contains(other), model.contains(other));
      if (step % 64 == 0) expect_same(blocks, model);
      if (step % 64 == 32) {
        ASSERT_EQ(behind(blocks, &other), Texts(model.upper_bound(other), model.end()));
      }
    }
    expect_same(blocks, model);
  }
  for (const std::string& text : std::set<std::string>(model)) ASSERT_TRUE(blocks.erase(text));
  expect_same(blocks, {});
}

INSTANTIATE_TEST_SUITE_P(
    TextBlocks, TextsOfAKind,
    ::testing::Values(
        Kind{"Short", [](std::uint32_t n) { return std::to_string(n); }},
        Kind{"WithACommonBeginning", [](std::uint32_t n) { return "a common beginning " + std::to_string(n); }},
        Kind{"WithTwoBeginnings", [](std::uint32_t n) { return (n % 2 == 0 ? "left, at some length " : "right ") + std::to_string(n); }},
        Kind{"AlikeInTheirFirstBytes", [](std::uint32_t n) { return std::string(n / 100 + 1, 'x') + std::to_string(n % 100); }},
        Kind{"OfZeros", [](std::uint32_t n) { return std::string(n % 60, '\0') + (n / 60 % 2 == 0 ? "" : "\1"); }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TextBlocks, FillOneBlockAfterTheOtherIfTheyComeInOrder) {
  TextBlocks blocks;
  std::set<std::string> model;
  for (int n = 10'000; n < 12'000; ++n) {
    ASSERT_TRUE(blocks.insert(std::to_string(n)));
    model.insert(std::to_string(n));
  }
  expect_same(blocks, model);
}

}  // namespace
}  // namespace claret

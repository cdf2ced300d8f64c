#include "structure/extendible_set.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <string>

#include "structure/text_hash.h"

namespace claret {
namespace {

using Texts = ExtendibleSet<std::string, TextHash, std::equal_to<>>;

std::string text(std::size_t number) { return "member:" + std::to_string(number); }

TEST(ExtendibleSet, FindsWhatAModelFinds) {
  const auto seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Texts texts;
  std::set<std::string> model;
  for (int step = 0; step < 200'000; ++step) {
    const std::string one = text(random() % 40'000);
    if (!model.contains(one)) {
      texts.insert(one);
      model.insert(one);
    } else if (random() % 3 == 0) {
      texts.erase(one);
      model.erase(one);
    }
    const std::string other = text(random() % 40'000);
    const std::string* found = texts.find(other);
    ASSERT_EQ(found != nullptr, model.contains(other)) << other;
    if (found != nullptr) {
      ASSERT_EQ(*found, other);
    }
    ASSERT_EQ(texts.size(), model.size());
  }
  EXPECT_GT(texts.table_count(), 8u);
}

TEST(ExtendibleSet, MovesAtMostOneTableAtAnInsertion) {
  Texts texts;
  for (std::size_t number = 0; number < 100'000; ++number) {
    const std::size_t before = texts.table_count();
    texts.insert(text(number));
    ASSERT_LE(texts.table_count(), before + 1);
  }
  for (std::size_t number = 0; number < 100'000; ++number) ASSERT_NE(texts.find(text(number)), nullptr);
  EXPECT_EQ(texts.find("another"), nullptr);
}

struct SameHash {
  using is_transparent = void;
  std::size_t operator()(int) const { return 0; }
};

TEST(ExtendibleSet, HoldsElementsOfOneHash) {
  ExtendibleSet<int, SameHash, std::equal_to<>> numbers;
  constexpr int kCount = static_cast<int>(ExtendibleSet<int, SameHash, std::equal_to<>>::kTableMax) + 10;
  for (int number = 0; number < kCount; ++number) numbers.insert(number);
  for (int number = 0; number < kCount; ++number) EXPECT_NE(numbers.find(number), nullptr);
}

}  // namespace
}  // namespace claret

#include "structure/ranked_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace claret {
namespace {

using Ranking = std::vector<std::pair<std::int64_t, std::string>>;

Ranking from_rank(const RankedSet& ranked, std::size_t rank, std::size_t limit) {
  Ranking entries;
  ranked.visit_from(rank, [&](const RankedSet::Entry& entry) {
    if (entries.size() == limit) return false;
    entries.emplace_back(entry.score, entry.item);
    return true;
  });
  return entries;
}

TEST(RankedSet, OrdersByScoreThenItem) {
  RankedSet ranked;
  ranked.set("b", 2);
  ranked.set("c", 1);
  ranked.set("a", 2);
  EXPECT_EQ(from_rank(ranked, 0, 9), (Ranking{{1, "c"}, {2, "a"}, {2, "b"}}));
  ranked.set("c", 3);
  EXPECT_EQ(from_rank(ranked, 1, 9), (Ranking{{2, "b"}, {3, "c"}}));
  EXPECT_EQ(from_rank(ranked, 3, 9), Ranking{});
  EXPECT_EQ(ranked.score("c"), 3);
  EXPECT_EQ(ranked.score("d"), std::nullopt);
}

TEST(RankedSet, ErasingAMissingItemDoesNothing) {
  RankedSet ranked;
  ranked.erase("a");
  EXPECT_EQ(ranked.size(), 0u);
}

TEST(RankedSet, AgreesWithASortedSetAfterEveryRandomStep) {
  constexpr unsigned kSeed = 20261121;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  RankedSet ranked;
  std::map<std::string, std::int64_t> scores;
  std::set<std::pair<std::int64_t, std::string>> model;
  for (int step = 0; step < 4000; ++step) {
    const std::string item = "item" + std::to_string(random() % 200);
    const auto score = static_cast<std::int64_t>(random() % 50) - 25;
    if (const auto old = scores.find(item); old != scores.end()) {
      model.erase({old->second, item});
      scores.erase(old);
    }
    if (random() % 3 == 0) {
      ranked.erase(item);
    } else {
      ranked.set(item, score);
      scores[item] = score;
      model.emplace(score, item);
    }
    ASSERT_EQ(ranked.size(), model.size());
    const std::string probe = "item" + std::to_string(random() % 200);
    const auto bound = model.lower_bound({score, probe});
    const auto rank = static_cast<std::size_t>(std::distance(model.begin(), bound));
    ASSERT_EQ(ranked.count_before(score, probe), rank);
    Ranking expected;
    for (auto next = bound; next != model.end() && expected.size() < 5; ++next) expected.push_back(*next);
    ASSERT_EQ(from_rank(ranked, rank, 5), expected);
  }
  EXPECT_EQ(from_rank(ranked, 0, model.size() + 1), Ranking(model.begin(), model.end()));
}

TEST(RankedSet, StaysShallowWhenItemsComeAndGoInOrder) {
  RankedSet ranked;
  constexpr int kItems = 20000;
  for (int i = 0; i < kItems; ++i) ranked.set(std::to_string(i), i);
  // The height of a tree whose heavier side weighs at most three quarters is bounded by log(n) / log(4/3).
  EXPECT_LE(ranked.height(), std::log(kItems + 1) / std::log(4.0 / 3.0) + 1);
  for (int i = 0; i < kItems - 100; ++i) ranked.erase(std::to_string(i));
  EXPECT_EQ(ranked.size(), 100u);
  EXPECT_LE(ranked.height(), std::log(101) / std::log(4.0 / 3.0) + 1);
}

}  // namespace
}  // namespace claret

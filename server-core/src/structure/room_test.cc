#include "structure/room.h"

#include <absl/container/flat_hash_map.h>
#include <gtest/gtest.h>

#include <string>

#include "structure/ranked_set.h"

namespace claret {
namespace {

TEST(Room, IsGivenBackWhenHardlyAnyEntriesAreLeft) {
  absl::flat_hash_map<int, int> table;
  for (int i = 0; i < 100'000; ++i) table[i] = i;
  const std::size_t most = table.capacity();
  std::size_t moved = 0;
  for (int i = 0; i < 100'000; ++i) {
    table.erase(i);
    const std::size_t before = table.capacity();
    give_back_room(table);
    if (table.capacity() != before) moved += table.size();
  }
  EXPECT_GT(most, 100'000u);
  EXPECT_LE(table.capacity(), 1u);
  EXPECT_LE(moved, 3 * kMovedMax) << "each time far fewer than the time before";
}

TEST(Room, IsKeptWhileItIsUsed) {
  absl::flat_hash_map<int, int> table;
  for (int i = 0; i < 1000; ++i) table[i] = i;
  const std::size_t most = table.capacity();
  for (int i = 0; i < 900; ++i) {
    table.erase(i);
    give_back_room(table);
  }
  EXPECT_EQ(table.capacity(), most);
}

TEST(Room, AnEmptiedRankingKeepsNone) {
  RankedSet ranking;
  for (int i = 0; i < 10'000; ++i) ranking.set(std::to_string(i), i);
  for (int i = 0; i < 10'000; ++i) ranking.erase(std::to_string(i));
  EXPECT_LE(ranking.room(), 1u);
}

}  // namespace
}  // namespace claret

#include "transaction/slot_table.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

constexpr SlotRun kAll{0, kSlots - 1};

TEST(SlotTable, BeginsWithTheRunThatWasDealt) {
  const SlotTable first({0, 3}), last({2, 3}), only({0, 1});
  EXPECT_EQ(first.runs(), (std::vector<OwnedRun>{{{0, 5461}, 0}}));
  EXPECT_EQ(last.runs(), (std::vector<OwnedRun>{{{10923, 16383}, 0}}));
  EXPECT_TRUE(only.owns_all());
  EXPECT_FALSE(first.owns_all());
  EXPECT_TRUE(first.owns(5461));
  EXPECT_FALSE(first.owns(5462));
  EXPECT_EQ(first.emptied_at(0), 0u);
  EXPECT_FALSE(first.owns_taken());
}

TEST(SlotTable, OfAShardThatJoinedLaterIsEmpty) {
  const SlotTable joined({2, 2});
  EXPECT_TRUE(joined.runs().empty());
  EXPECT_TRUE(joined.owns_none(kAll));
}

TEST(SlotTable, TakesAndGivesRuns) {
  SlotTable table({0, 2});
  table.own({9000, 9099}, 3);
  EXPECT_TRUE(table.owns_taken());
  table.disown({100, 199}, 1);
  table.empty({100, 199}, 77);
  EXPECT_EQ(table.runs(), (std::vector<OwnedRun>{{{0, 99}, 0}, {{200, 8191}, 0}, {{9000, 9099}, 3}}));
  EXPECT_EQ(table.version({50, 150}), 1u) << "of a run, the greatest";
  EXPECT_EQ(table.version({8000, 9050}), 3u);
  EXPECT_EQ(table.emptied_at(150), 77u);
  EXPECT_TRUE(table.owns({200, 300}));
  EXPECT_FALSE(table.owns({150, 300}) || table.owns_none({150, 300}));
  table.disown({9000, 9099}, 4);
  EXPECT_FALSE(table.owns_taken());
}

TEST(SlotTable, RunsWithOneVersionThatTouchAreOne) {
  SlotTable table({0, 2});
  table.own({8192, 8200}, 0);
  EXPECT_EQ(table.runs(), (std::vector<OwnedRun>{{{0, 8200}, 0}}));
  table.own({8201, 8210}, 1);
  EXPECT_EQ(table.runs().size(), 2u);
}

TEST(SlotTable, IsRestoredFromItsSpans) {
  SlotTable table({1, 4});
  table.own({0, 10}, 5);
  table.disown({5000, 5000}, 2);
  table.empty({5000, 5000}, 9);
  SlotTable restored({1, 4});
  restored.restore(table.spans());
  EXPECT_EQ(restored.spans(), table.spans());
  EXPECT_EQ(restored.runs(), table.runs());
  EXPECT_EQ(restored.owns_taken(), table.owns_taken());
}

TEST(SlotTable, OwnsAllSlotsOnceItHasTakenTheOthers) {
  SlotTable table({1, 2});
  table.own({0, 8191}, 1);
  EXPECT_TRUE(table.owns_all());
  table.disown({3, 3}, 2);
  EXPECT_FALSE(table.owns_all());
}

}  // namespace
}  // namespace claret

// What is promised where a promise has to be worth while (worth.h).
#include <gtest/gtest.h>

#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

constexpr std::uint64_t kUsesMin = 8;
constexpr std::uint64_t kEvidence = 2;

TEST(GrantingByWorth, BeginsOnceAResultHasLastedForSoManyAskings) {
  WarrantingShard shard(kUsesMin);
  TestClient holder = shard.client(), other = shard.client();
  std::uint64_t attempt = 0;
  for (std::uint64_t i = 1; i < kEvidence; ++i) EXPECT_EQ(granted(holder, ++attempt, value("c")), 0u);
  other.run(1, {add("c")});
  for (std::uint64_t i = 1; i < kEvidence; ++i) EXPECT_EQ(granted(holder, ++attempt, value("c")), 0u);
  EXPECT_NE(granted(holder, ++attempt, value("c")), 0u);
}

TEST(GrantingByWorth, PausesAfterAWarrantyThatAnsweredTooSeldom) {
  WarrantingShard shard(kUsesMin);
  TestClient holder = shard.client(), other = shard.client();
  std::uint64_t attempt = 0;
  const auto granted_after = [&](int times) {
    std::uint64_t grant = 0;
    for (int i = 0; i < times && grant == 0; ++i) grant = granted(holder, ++attempt, value("c"));
    return grant;
  };
  std::uint64_t grant = granted_after(8);
  ASSERT_NE(grant, 0u);
  other.run(1, {add("c")});
  holder.give_back(grant, 7).send();
  EXPECT_EQ(granted_after(20), 0u);
  shard.world.tick(51);
  grant = granted_after(20);  // not each asking counts any more
  ASSERT_NE(grant, 0u);
  other.run(2, {add("c")});
  holder.give_back(grant, 8).send();
  EXPECT_NE(granted_after(20), 0u) << "a better one ends the pause";
}

TEST(GrantingByWorth, LearnsNothingFromAWarrantyThatNothingHasViolated) {
  WarrantingShard shard(kUsesMin);
  TestClient holder = shard.client();
  std::uint64_t grant = 0;
  for (std::uint64_t attempt = 1; attempt <= kEvidence; ++attempt) grant = granted(holder, attempt, value("c"));
  ASSERT_NE(grant, 0u);
  holder.give_back(grant, 0).send();
  EXPECT_NE(granted(holder, kEvidence + 1, value("c")), 0u);
}

TEST(GrantingByWorth, GrantsAListAllThatItReadsOrNothing) {
  WarrantingShard shard(kUsesMin);
  TestClient holder = shard.client(), other = shard.client();
  ASSERT_EQ(granted(holder, 1, value("c")), 0u);
  const auto grants = [&](std::uint64_t attempt) {
    const std::size_t before = holder.warranties.granted.size();
    holder.run(attempt, {warranted(value("c")), warranted(set_size("s"))});
    return holder.warranties.granted.size() - before;
  };
  EXPECT_EQ(grants(2), 0u);
  EXPECT_EQ(grants(3), 2u);
}

}  // namespace
}  // namespace claret::testing

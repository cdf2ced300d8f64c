// Firm warranties: promises that end by time alone, so that others can rely on them who know nothing of recalls.
#include <gtest/gtest.h>

#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

class Firm : public ::testing::Test {
 protected:
  // Asks for a firm grant, and returns for how long it is firm.
  double ask(std::uint64_t grant, std::uint32_t for_ms) {
    holder_.want_firm(grant, for_ms).send();
    EXPECT_FALSE(holder_.warranties.firm.empty());
    const FirmSeen seen = holder_.warranties.firm.back();
    EXPECT_EQ(seen.grant, grant);
    return static_cast<double>(seen.for_us) / 1000;
  }
  bool other_has_committed() {
    other_.read();
    return !other_.replies.empty() && other_.replies.back().committed_at != 0;
  }
  void violate(std::uint64_t attempt) { other_.run(attempt, {add("c")}); }

  WarrantingShard shard_;
  TestClient holder_ = shard_.client();
  TestClient other_ = shard_.client();
};

TEST_F(Firm, StandsUntilItsTimeAlthoughItWasReturned) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 2000), 2000);
  const Timestamp until = holder_.warranties.standing.until;
  holder_.give_back(grant).used(until).send();
  violate(1);
  shard_.world.tick(1999);
  EXPECT_FALSE(other_has_committed());
  shard_.world.tick(2);
  ASSERT_TRUE(other_has_committed());
  EXPECT_GT(other_.replies.back().committed_at, until);
  EXPECT_FALSE(shard_.participant().warranties().any());
}

TEST_F(Firm, NeverCarriesTheClockAway) {
  for (std::uint64_t attempt = 1; attempt <= 30; ++attempt) {
    const std::uint64_t grant = granted(holder_, attempt, value("c"));
    ASSERT_EQ(ask(grant, 100), 100);
    shard_.world.tick(300);
    ASSERT_EQ(ask(grant, 100), 100);
    holder_.give_back(grant).send();
    violate(attempt);
    shard_.world.tick(101);
    ASSERT_TRUE(other_has_committed());
    EXPECT_LT(HybridClock::wall_ms(other_.replies.back().committed_at) - shard_.world.now().wall_ms, 4 * kTermMs) << attempt;
  }
}

TEST_F(Firm, EndsByItselfOnceItWasReturned) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 500), 500);
  holder_.give_back(grant).send();
  EXPECT_TRUE(shard_.participant().warranties().any());
  shard_.world.tick(501);
  EXPECT_FALSE(shard_.participant().warranties().any());
}

TEST_F(Firm, StaysWithThoseWhoHaveItAfterItsTime) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 500), 500);
  shard_.world.tick(501);
  EXPECT_TRUE(shard_.participant().warranties().any());
  violate(1);
  EXPECT_FALSE(other_has_committed());
  holder_.give_back(grant).send();
  EXPECT_TRUE(other_has_committed());
}

TEST_F(Firm, IsNeverShortened) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 1000), 1000);
  ASSERT_EQ(ask(grant, 100), 100);
  holder_.give_back(grant).send();
  violate(1);
  shard_.world.tick(999);
  EXPECT_FALSE(other_has_committed());
  shard_.world.tick(2);
  EXPECT_TRUE(other_has_committed());
}

TEST_F(Firm, IsNotGivenOnceSomethingWaits) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  violate(1);
  EXPECT_EQ(ask(grant, 1000), 0);
  EXPECT_EQ(ask(99, 1000), 0) << "an unknown grant";
  holder_.give_back(grant).send();
  EXPECT_TRUE(other_has_committed());
}

TEST_F(Firm, IsNotGivenForLongerThanTheSettingAllows) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  EXPECT_EQ(ask(grant, 3001), 0);
  EXPECT_EQ(ask(grant, 3000), 3000);
}

TEST_F(Firm, IsNotGivenForResultsThatDoNotLast) {
  for (std::uint64_t attempt = 1; attempt <= 12; ++attempt) {
    const std::uint64_t grant = granted(holder_, attempt, value("c"));
    ASSERT_NE(grant, 0u);
    shard_.world.tick(400);
    violate(attempt);
    holder_.give_back(grant).send();
    ASSERT_TRUE(other_has_committed());
  }
  const std::uint64_t grant = granted(holder_, 99, value("c"));
  EXPECT_EQ(ask(grant, 2400), 0) << "they last for some seconds on average";
  EXPECT_EQ(ask(grant, 100), 100);
  shard_.world.tick(4900);
  EXPECT_EQ(ask(grant, 2400), 2400) << "this one has lasted";
}

TEST_F(Firm, IsNotFollowedByAnotherBeforeWhatWaitsForItsEndHasComeBack) {
  WarrantingShard shard(WarrantyPolicy::kAuto);
  TestClient reader = shard.client(), writer = shard.client();
  std::uint64_t attempt = 0;
  const auto promise = [&](int times) {
    std::uint64_t grant = 0;
    for (int i = 0; i < times && grant == 0; ++i) grant = granted(reader, ++attempt, value("c"));
    return grant;
  };
  const std::uint64_t grant = promise(8);
  ASSERT_NE(grant, 0u);
  reader.want_firm(grant, 500).send();
  ASSERT_EQ(reader.warranties.firm.back().for_us, 500'000u);
  writer.step({.attempt = 1, .begin_with_priority = 60, .operations = {add("c")}});
  reader.give_back(grant, 100).send();
  shard.world.tick(25);
  writer.read();
  ASSERT_EQ(writer.replies.back().error, "denied");
  const double comes_back_in_ms = writer.replies.back().retry_after_ms;
  EXPECT_NEAR(comes_back_in_ms, 475, 5);
  EXPECT_EQ(promise(20), 0u) << "it is recalled";
  shard.world.tick(comes_back_in_ms + 20);
  EXPECT_EQ(promise(20), 0u) << "what has waited is on its way";
  EXPECT_NE(writer.run(2, {add("c")}).committed_at, 0u);
  shard.world.tick(500);
  EXPECT_NE(promise(40), 0u);
}

TEST_F(Firm, KeepsWhatWaitsInformedOfItsEnd) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 2000), 2000);
  // It may hold locks elsewhere, so it does not wait for that long.
  other_.step({.attempt = 1, .begin_with_priority = 60, .operations = {add("c")}});
  for (int i = 0; i < 8; ++i) shard_.world.tick(5);
  other_.read();
  ASSERT_EQ(other_.replies.size(), 1u);
  EXPECT_EQ(other_.replies[0].cause, "warranty_wait");
}

}  // namespace
}  // namespace claret::testing

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
  EXPECT_FALSE(shard_.engine().warranties.any());
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
    shard_.world.tick(200);
  }
}

TEST_F(Firm, EndsByItselfOnceItWasReturned) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 500), 500);
  holder_.give_back(grant).send();
  EXPECT_TRUE(shard_.engine().warranties.any());
  shard_.world.tick(501);
  EXPECT_FALSE(shard_.engine().warranties.any());
}

TEST_F(Firm, StaysWithThoseWhoHaveItAfterItsTime) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 500), 500);
  shard_.world.tick(501);
  EXPECT_TRUE(shard_.engine().warranties.any());
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
  EXPECT_EQ(ask(grant, 2400), 0) << "they last for less than a second on average";
  EXPECT_EQ(ask(grant, 100), 100);
  shard_.world.tick(4900);
  EXPECT_EQ(ask(grant, 2400), 2400) << "this one has lasted";
}

// Otherwise a change of several results would wait for one after the other, and never find all of them free.
TEST_F(Firm, IsNotGivenOnWhatAChangeWantsThatWaitsForAnother) {
  TestClient reader = shard_.client(), writer = shard_.client();
  const auto ask = [&](const std::string& key, std::uint64_t attempt) {
    const std::uint64_t grant = granted(reader, attempt, value(key));
    reader.want_firm(grant, 3000).send();
    reader.give_back(grant).send();
    return static_cast<double>(reader.warranties.firm.back().for_us) / 1000;
  };
  ASSERT_EQ(ask("one", 1), 3000);
  const std::vector<Op> change = {add("one"), add("two")};
  writer.step({.attempt = 1, .begin_with_priority = 60, .operations = change});
  shard_.world.tick(25);
  writer.read();
  ASSERT_EQ(writer.replies.back().error, "denied");
  const double comes_back_in_ms = writer.replies.back().retry_after_ms;
  EXPECT_NEAR(comes_back_in_ms, 2975, 5);
  EXPECT_EQ(ask("two", 2), 0);
  EXPECT_EQ(ask("three", 3), 3000);
  shard_.world.tick(comes_back_in_ms + 1);
  EXPECT_EQ(ask("one", 4), 0);
  EXPECT_NE(writer.run(2, change).committed_at, 0u);
}

TEST_F(Firm, IsGivenAgainIfWhatHasWaitedDoesNotComeBack) {
  const std::uint64_t grant = granted(holder_, 1, value("c"));
  ASSERT_EQ(ask(grant, 500), 500);
  other_.step({.attempt = 1, .begin_with_priority = 60, .operations = {add("c")}});
  holder_.give_back(grant).send();
  shard_.world.tick(25);
  shard_.world.tick(480);
  const std::uint64_t again = granted(holder_, 2, value("c"));
  shard_.world.tick(494);
  EXPECT_EQ(ask(again, 100), 0);
  shard_.world.tick(2);
  EXPECT_EQ(ask(again, 100), 100);
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

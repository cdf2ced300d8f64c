// Transactions that wait for each other: cycles, wounds, idle transactions.
#include <gtest/gtest.h>

#include "shard/test_client.h"

namespace claret::testing {
namespace {

TEST(Deadlock, TheYoungerOfTwoUpgradersIsAbortedAtOnce) {
  World world;
  TestClient elder(world, 1), younger(world, 2);
  elder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size("s")}});
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size("s")}});
  EXPECT_TRUE(elder.step({.attempt = 1, .sent_before = 1, .operations = {set_add("s", "x")}}).error.empty());
  const Reply dead = younger.step({.attempt = 2, .sent_before = 1, .operations = {set_add("s", "y")}});
  EXPECT_EQ(dead.error, "deadlock");
  EXPECT_TRUE(dead.retryable);
  elder.read();
  EXPECT_NE(elder.step({.attempt = 1, .sent_before = 2, .prepare = kAlone}).committed_at, 0u);
}

TEST(Deadlock, ACycleOverTwoRecordsIsBroken) {
  World world;
  TestClient elder(world, 1), younger(world, 2);
  elder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size("a")}});
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size("b")}});
  younger.step({.attempt = 2, .sent_before = 1, .operations = {set_add("a", "x")}});
  younger.replies.clear();
  elder.step({.attempt = 1, .sent_before = 1, .operations = {set_add("b", "x")}});
  younger.read();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "deadlock");
  elder.read();
  ASSERT_FALSE(elder.replies.empty());
  EXPECT_EQ(elder.replies.back().error, "");
}

TEST(Deadlock, ExclusiveFirstTouchLetsUpgradersTakeTurns) {
  World world;
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size("s")}, .exclusive = {"s"}});
  other.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size("s")}, .exclusive = {"s"}});
  EXPECT_TRUE(other.replies.empty());
  one.step({.attempt = 1, .sent_before = 1, .operations = {set_add("s", "x")}, .prepare = kAlone});
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results[0].integer(), 1);
}

TEST(Wounds, AnElderFirstWaitsThenForbidsTheYoungerToWait) {
  World world;
  TestClient elder(world, 1), younger(world, 2), third(world, 3);
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add("s", "x")}});
  third.step({.attempt = 3, .begin_with_priority = 5, .operations = {set_add("t", "x")}});
  elder.ask(1, {set_size("s")}, 10);
  EXPECT_TRUE(younger.wounds.empty());
  world.tick(6);
  younger.read();
  ASSERT_EQ(younger.wounds, std::vector<std::uint64_t>{2}) << "a notice, not an abort";
  const Reply dead = younger.step({.attempt = 2, .sent_before = 1, .operations = {set_size("t")}});
  EXPECT_EQ(dead.error, "wounded") << "would have to wait";
  elder.read();
  ASSERT_EQ(elder.replies.size(), 1u);
  EXPECT_EQ(elder.replies[0].results[0].integer(), 0);
}

TEST(Wounds, AnElderOnWhichOtherShardsWaitWoundsAtOnce) {
  World world(2);
  TestClient elder(world, 1), younger(world, 2);
  const std::string s = key_on(0, "s");
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add(s, "x")}});
  elder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size(s)}, .prepare = kBoth});
  younger.read();
  EXPECT_EQ(younger.wounds, std::vector<std::uint64_t>{2});
  EXPECT_EQ(younger.wounder_priorities, std::vector<std::uint64_t>{10});
}

TEST(Wounds, AnAttemptThatPassesAnElderOnWhichOtherShardsWaitGetsANoticeAtOnce) {
  World world(2);
  TestClient holder(world, 1), elder(world, 2), passing(world, 3), alone(world, 4);
  const std::string s = key_on(0, "s");
  holder.step({.attempt = 1, .begin_with_priority = 5, .operations = {set_add(s, "x")}});
  elder.step({.attempt = 2, .begin_with_priority = 10, .operations = {set_size(s)}, .prepare = kBoth});
  EXPECT_NE(passing.step({.attempt = 3, .begin_with_priority = 20, .operations = {set_add(s, "y")}, .prepare = kBoth}).voted_at, 0u);
  EXPECT_EQ(passing.wounds, std::vector<std::uint64_t>{3}) << "may wait for the elder at the other shard";
  EXPECT_NE(alone.run(4, {set_add(s, "z")}, 30).committed_at, 0u);
  EXPECT_TRUE(alone.wounds.empty()) << "has ended already";
}

TEST(Wounds, AWoundedTransactionMayFinish) {
  World world;
  TestClient elder(world, 1), younger(world, 2);
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add("s", "x")}});
  elder.ask(1, {set_size("s")}, 10);
  world.tick(6);
  EXPECT_NE(younger.step({.attempt = 2, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  elder.read();
  EXPECT_EQ(elder.replies[0].results[0].integer(), 1);
}

TEST(Wounds, AfterTheGraceTheShardAbortsTheWounded) {
  World world;
  TestClient elder(world, 1), younger(world, 2);
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add("s", "x")}});
  elder.ask(1, {set_size("s")}, 10);
  for (int i = 0; i < 10; ++i) world.tick(5);
  younger.replies.clear();
  younger.read();
  elder.read();
  ASSERT_EQ(elder.replies.size(), 1u);
  EXPECT_EQ(elder.replies[0].results[0].integer(), 0);
  EXPECT_EQ(younger.step({.attempt = 2, .sent_before = 1, .prepare = kAlone}).error, "unknown_attempt");
}

TEST(Wounds, VotedAttemptsCannotBeWounded) {
  World world(2);
  TestClient elder(world, 1), younger(world, 2);
  const std::string s = key_on(0, "s");
  const Reply vote = younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add(s, "x")}, .prepare = kBoth});
  elder.run(1, {set_size(s)}, 10);
  for (int i = 0; i < 20; ++i) world.tick(5);
  EXPECT_TRUE(elder.replies.empty());
  younger.commit_outcome(2, vote.voted_at).send();
  elder.read();
  ASSERT_EQ(elder.replies.size(), 1u);
  EXPECT_EQ(elder.replies[0].results[0].integer(), 1);
}

TEST(Wounds, ANoticeFromAnotherShardCountsWhereTheYoungerWaits) {
  World world;
  TestClient holder(world, 1), younger(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  younger.ask(2, {set_size("s")}, 20);
  younger.replies.clear();
  younger.wound(2, 5).send();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "wounded");
}

TEST(Wounds, AWoundedHolderThatWaitsIsAbortedAtOnce) {
  World world;
  TestClient elder(world, 1), younger(world, 2), third(world, 3);
  third.step({.attempt = 3, .begin_with_priority = 5, .operations = {set_add("t", "x")}});
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add("s", "x")}});
  younger.step({.attempt = 2, .sent_before = 1, .operations = {set_size("t")}});
  elder.ask(1, {set_size("s")}, 10);
  younger.replies.clear();
  world.tick(6);  // the delay has passed, the grace has not
  younger.read();
  elder.read();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "wounded");
  EXPECT_EQ(elder.replies.size(), 1u);
}

TEST(Wounds, BetweenEqualPrioritiesTheNoticeOfAnotherShardCounts) {
  World world;
  TestClient holder(world, 1), younger(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_add("s", "x")}});
  younger.ask(2, {set_size("s")}, 20);
  younger.replies.clear();
  younger.wound(2, 20).send();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "wounded");
}

TEST(Wounds, ANoticeMayComeInTheFrameThatBeginsTheAttempt) {
  World world;
  TestClient holder(world, 1), younger(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  younger.wound(2, 5);
  EXPECT_EQ(younger.ask(2, {set_size("s")}, 20).error, "wounded");
}

TEST(Idle, AnAttemptThatSendsNothingWhileOthersWaitIsAborted) {
  World world;
  TestClient sleeper(world, 1), waiter(world, 2);
  sleeper.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  waiter.ask(2, {set_size("s")}, 20);
  for (int i = 0; i < 300 && waiter.replies.empty(); ++i) {
    world.tick(10);
    waiter.read();
  }
  ASSERT_EQ(waiter.replies.size(), 1u);
  EXPECT_EQ(waiter.replies[0].results[0].integer(), 0);
}

}  // namespace
}  // namespace claret::testing

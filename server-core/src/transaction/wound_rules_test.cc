// docs/rules.md, section 4, beyond wounds_test: cycles that close in various ways, the grace, wounds from shard to shard.
#include <gtest/gtest.h>

#include "shard/test_client.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

ShardOptions options(double wound_delay_ms = 5, double wound_grace_ms = 20) {
  ShardOptions made;
  made.engine.patience.wound_delay_ms = wound_delay_ms;
  made.engine.patience.wound_grace_ms = wound_grace_ms;
  return made;
}

TEST(Cycles, AreBrokenAtOnceWhenTheGrantOfOneOfSeveralLocksClosesThem) {
  World world(1, options(1e9));
  TestClient keeper(world, 1), leaver(world, 2), elder(world, 3), younger(world, 4);
  keeper.step({.attempt = 1, .begin_with_priority = 5, .operations = {set_add("a", "k")}});
  leaver.step({.attempt = 2, .begin_with_priority = 6, .operations = {{"a", "Set.remove", {Value("y")}}}});
  elder.step({.attempt = 3, .begin_with_priority = 20, .operations = {set_size("b")}});
  elder.step({.attempt = 3, .sent_before = 1, .operations = {set_size("a")}});
  younger.step({.attempt = 4, .begin_with_priority = 40, .operations = {set_add("a", "y"), set_add("b", "y")}});
  EXPECT_TRUE(younger.replies.empty()) << "waits for the leaver and for the elder";
  leaver.step({.attempt = 2, .sent_before = 1, .prepare = kAlone});
  younger.read();
  ASSERT_EQ(younger.replies.size(), 1u) << "holds `a` now, where the elder waits for it";
  EXPECT_EQ(younger.replies[0].error, "deadlock");
}

TEST(Cycles, AreBrokenAtOnceWhenAnOlderWaiterThatHoldsNothingClosesThem) {
  World world(1, options(1e9));
  TestClient reader(world, 1), holder(world, 2), younger(world, 3), elder(world, 4);
  reader.step({.attempt = 1, .begin_with_priority = 5, .operations = {{"a", "Set.contains", {Value("z")}}}});
  holder.step({.attempt = 2, .begin_with_priority = 10, .operations = {set_add("a", "x")}});
  younger.step({.attempt = 3, .begin_with_priority = 30, .operations = {set_add("b", "x")}});
  younger.step({.attempt = 3, .sent_before = 1, .operations = {set_add("a", "z")}});
  holder.replies.clear();
  holder.add({.attempt = 2, .sent_before = 1, .operations = {set_size("b")}}).send();
  EXPECT_TRUE(holder.replies.empty() && younger.replies.empty());
  elder.step({.attempt = 4, .begin_with_priority = 20, .operations = {set_size("a")}});
  younger.read();
  holder.read();
  ASSERT_EQ(younger.replies.size(), 1u) << "queued behind the elder, which waits for the holder, which waits for the younger";
  EXPECT_EQ(younger.replies[0].error, "deadlock");
  EXPECT_EQ(holder.replies.size(), 1u);
}

// What the younger adds counts in the state when its rank is judged, and only then.
TEST(Cycles, AreBrokenAtOnceWhenAnOperationWaitsOnlyBesideAnEarlierOneOfItsOwn) {
  World world(1, options(1e9));
  TestClient seed(world, 1), elder(world, 2), younger(world, 3);
  const auto call = [](std::string name, std::vector<Value> arguments) { return Op{"scores", "ScoredSet." + name, std::move(arguments)}; };
  seed.run(1, {call("add", {Value("a"), Value(std::int64_t{10})}), call("add", {Value("b"), Value(std::int64_t{5})})});
  elder.step({.attempt = 1, .begin_with_priority = 20, .operations = {call("increment", {Value("a"), Value(std::int64_t{1})})}});
  younger.step({.attempt = 2, .begin_with_priority = 40, .operations = {reg_set("r", 1)}});
  younger.step(
      {.attempt = 2, .sent_before = 1, .operations = {call("add", {Value("c"), Value(std::int64_t{3})}), call("rank", {Value("b")})}});
  ASSERT_TRUE(younger.replies.empty());
  elder.step({.attempt = 1, .sent_before = 1, .operations = {reg_get("r")}});
  younger.read();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "deadlock");
}

TEST(Grace, IsCountedFromTheTimeWhenTheWounderBeganToWait) {
  World world(1, options(1, 20));
  TestClient holder(world, 1), first(world, 2), second(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 30, .operations = {set_add("s", "x"), set_add("t", "x")}});
  first.ask(2, {set_size("s")}, 20);
  world.tick(2);
  first.abort_outcome(2).send();
  for (int i = 0; i < 30; ++i) world.tick(1);
  second.ask(3, {set_size("t")}, 10);
  for (int i = 0; i < 15; ++i) world.tick(1);
  holder.replies.clear();
  holder.read();
  EXPECT_TRUE(holder.replies.empty()) << "wounded long ago, but this wounder has not waited for the grace";
  for (int i = 0; i < 8; ++i) world.tick(1);
  holder.read();
  ASSERT_EQ(holder.replies.size(), 1u);
  EXPECT_EQ(holder.replies[0].error, "wounded");
}

TEST(Grace, AnAttemptThatPassesAnElderWhichHasWaitedLongGetsANoticeBeforeItIsAborted) {
  World world(2, options(5, 20));
  TestClient holder(world, 1), elder(world, 2), passing(world, 3);
  const std::string s = key_on(0, "s"), t = key_on(0, "t");
  holder.step({.attempt = 1, .begin_with_priority = 5, .operations = {{s, "Set.remove", {Value("x")}}, set_add(s, "y")}});
  passing.step({.attempt = 3, .begin_with_priority = 30, .operations = {set_add(t, "x")}});
  elder.step({.attempt = 2, .begin_with_priority = 10, .operations = {set_size(t), set_size(s)}, .prepare = kBoth});
  passing.read();
  ASSERT_EQ(passing.wounds.size(), 1u);
  passing.commit_outcome(99, 1).send();
  // After the grace it requests more on a record that it holds, ahead of the elder: no crash, and an abort in time.
  world.tick(19);
  passing.step({.attempt = 3, .sent_before = 1, .operations = {set_add(t, "z")}});
  for (int i = 0; i < 10; ++i) world.tick(1);
  passing.read();
  ASSERT_FALSE(passing.replies.empty());
  EXPECT_EQ(passing.replies.back().error, "wounded");
}

// T1 waits at shard 0 for T2, which has voted there; T2's prepare at shard 1 waits for T1.
class CycleOverTwoShards : public ::testing::Test {
 protected:
  CycleOverTwoShards() {
    elder[1].step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add(b, "x")}});
    const Reply vote = younger[0].step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add(a, "x")}, .prepare = kBoth});
    EXPECT_NE(vote.voted_at, 0u);
    younger[1].step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size(b)}, .prepare = kBoth});
    elder[0].step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size(a)}});
  }
  void run(double ms) {
    for (double passed = 0; passed < ms; ++passed) {
      world.tick(1);
      for (int round = 0; round < 3; ++round) links.carry();
    }
  }
  World world{2, options(5, 20)};
  Links links{world};
  std::string a = key_on(0, "a"), b = key_on(1, "b");
  TestClient elder[2] = {{world, 1, 0}, {world, 1, 1}};
  TestClient younger[2] = {{world, 2, 0}, {world, 2, 1}};
};

TEST_F(CycleOverTwoShards, IsBrokenByTheShardsWithoutTheClientsHelp) {
  run(15);
  younger[1].read();
  ASSERT_EQ(younger[1].replies.size(), 1u);
  EXPECT_EQ(younger[1].replies[0].error, "wounded");
}

TEST_F(CycleOverTwoShards, IsBrokenThoughTheSessionWhereItVotedIsGone) {
  younger[0].hang_up();
  run(15);
  younger[1].read();
  ASSERT_EQ(younger[1].replies.size(), 1u);
  EXPECT_EQ(younger[1].replies[0].error, "wounded");
  elder[0].read();
  run(100);
  elder[0].read();
  EXPECT_EQ(elder[0].replies.size(), 1u);
}

TEST_F(CycleOverTwoShards, IsNotBrokenBeforeTheDelay) {
  run(3);
  younger[1].read();
  EXPECT_TRUE(younger[1].replies.empty());
}

TEST(Wounds, ANoticeThatArrivedBeforeTheAttemptIsSentAgain) {
  World world(2, options(5, 20));
  Links links(world);
  const std::string a = key_on(0, "a"), b = key_on(1, "b");
  TestClient elder_0(world, 1, 0), elder_1(world, 1, 1), younger_0(world, 2, 0), younger_1(world, 2, 1);
  elder_1.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add(b, "x")}});
  younger_0.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_add(a, "x")}, .prepare = kBoth});
  elder_0.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size(a)}});
  const auto run = [&](int ms) {
    for (int i = 0; i < ms; ++i) {
      world.tick(1);
      for (int round = 0; round < 3; ++round) links.carry();
    }
  };
  run(12);
  EXPECT_TRUE(younger_1.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size(b)}, .prepare = kBoth}).error.empty());
  run(40);
  younger_1.read();
  ASSERT_EQ(younger_1.replies.size(), 1u);
  EXPECT_EQ(younger_1.replies[0].error, "wounded");
}

}  // namespace
}  // namespace claret::testing

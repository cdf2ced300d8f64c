// Turns to send wide members.
#include <gtest/gtest.h>

#include "shard/test_client.h"

namespace claret::testing {
namespace {

class Turns : public ::testing::Test {
 protected:
  void want(TestClient& client) { client.turn(TurnStep::kWant).send(); }
  void back(TestClient& client) { client.turn(TurnStep::kBack).send(); }
  static TurnSeen turn(TestClient& client) {
    client.read();
    return client.seen.turns.empty() ? TurnSeen{} : client.seen.turns.back();
  }
  static Timestamp number(TestClient& client) { return turn(client).number; }

  World world{2};
  TestClient first{world, 1}, second{world, 2}, third{world, 3};
};

TEST_F(Turns, AreGrantedAtOnceIfNobodyHasOne) {
  const Timestamp reached = world.shards[0]->engine().ground.clock.reached();
  want(first);
  EXPECT_GT(number(first), reached);
  EXPECT_FALSE(turn(first).recalled);
  EXPECT_EQ(world.shards[0]->counters().totals.turns, 1u);
}

TEST_F(Turns, AreRecalledOnceWhenOthersWantThem) {
  want(first);
  want(second);
  want(third);
  EXPECT_TRUE(turn(first).recalled);
  EXPECT_EQ(turn(first).number, first.seen.turns[0].number);
  EXPECT_EQ(first.seen.turns.size(), 2u);
  EXPECT_EQ(number(second), 0u);
}

TEST_F(Turns, PassToTheOneThatHasWaitedLongest) {
  want(first);
  want(second);
  want(third);
  back(first);
  EXPECT_GT(number(second), number(first));
  EXPECT_TRUE(turn(second).recalled) << "another one waits already";
  EXPECT_EQ(second.seen.turns.size(), 1u) << "that is said at once";
  back(second);
  EXPECT_GT(number(third), number(second));
  EXPECT_FALSE(turn(third).recalled);
  back(third);
  want(first);
  EXPECT_GT(number(first), number(third));
}

TEST_F(Turns, AreWantedOnce) {
  want(first);
  want(second);
  want(second);
  back(first);
  EXPECT_FALSE(turn(second).recalled);
  back(second);
  want(third);
  EXPECT_NE(number(third), 0u);
}

TEST_F(Turns, AreNotWantedAnyMoreByThoseThatGiveBackBeforeTheyHaveOne) {
  want(first);
  want(second);
  back(second);
  back(first);
  EXPECT_EQ(number(second), 0u);
  want(third);
  EXPECT_NE(number(third), 0u);
}

TEST_F(Turns, AreNewForTheOneThatWantsAnother) {
  want(first);
  const Timestamp before = number(first);
  want(first);
  EXPECT_GT(number(first), before);
  want(second);
  want(first);
  EXPECT_GT(number(second), number(first)) << "others come first";
}

TEST_F(Turns, EndWithTheSession) {
  want(first);
  want(second);
  want(third);
  second.hang_up();
  first.hang_up();
  EXPECT_NE(number(third), 0u);
  EXPECT_FALSE(turn(third).recalled);
}

TEST_F(Turns, AreNotAwaitedForLong) {
  want(first);
  world.tick(100);
  want(second);
  world.tick(3.5);
  EXPECT_EQ(number(second), 0u);
  world.tick(1);
  EXPECT_GT(number(second), number(first));
  back(first);
  EXPECT_EQ(second.seen.turns.size(), 1u) << "it has it no more";
  want(third);
  EXPECT_TRUE(turn(second).recalled);
}

TEST_F(Turns, AreAwaitedForLongerWhereTheyUsuallyTakeLong) {
  // Each holds its turn for so long after the recall, once the first one has it.
  const auto take_turns = [&](double kept_ms, int times) {
    for (int i = 0; i < times; ++i) {
      want(second);
      world.tick(kept_ms);
      back(first);
      want(first);
      world.tick(kept_ms);
      back(second);
    }
  };
  want(first);
  const auto is_still_held_after = [&](double ms) {
    const Timestamp before = number(second);
    want(second);
    world.tick(ms);
    const bool held = number(second) == before;
    back(first);
    want(first);
    back(second);
    return held;
  };
  EXPECT_FALSE(is_still_held_after(4.5));
  take_turns(6, 30);  // at first they are given back late
  EXPECT_TRUE(is_still_held_after(12));
  EXPECT_FALSE(is_still_held_after(25));
  take_turns(0.5, 30);
  EXPECT_FALSE(is_still_held_after(4.5));
}

TEST_F(Turns, SetADeadlineWhileOthersWait) {
  want(first);
  want(second);
  EXPECT_LE(world.shards[0]->next_deadline_ms(), world.now().monotonic_ms + 4);
}

}  // namespace
}  // namespace claret::testing

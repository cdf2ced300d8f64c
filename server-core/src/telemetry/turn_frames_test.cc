// The frames that a shard reports of the turns that it grants.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "shard/test_client.h"
#include "telemetry/test_frames.h"

namespace claret::testing {
namespace {

struct Granting : Watched {
  TestClient one{*this, 1}, two{*this, 2}, three{*this, 3};

  void want(TestClient& client) { client.turn(TurnStep::kWant).send(); }
  void back(TestClient& client) { client.turn(TurnStep::kBack).send(); }
  // One takes its turn and keeps it for that long, although the other wants one.
  void keep(TestClient& client, TestClient& other, double kept_ms) {
    want(client);
    want(other);
    ms += kept_ms;
    back(client);
    back(other);
  }
};

TEST(TurnFrames, AnEndedTurnIsASliceOfItsSession) {
  Granting world;
  world.want(world.one);
  world.ms += 3;
  world.want(world.two);
  world.want(world.three);
  world.ms += 2;
  world.back(world.one);
  world.ms += 1;
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.turns.size(), 1u);
  const ShownTurns& turn = frame.turns[0];
  EXPECT_EQ(turn.session, "test");
  EXPECT_EQ(turn.peer, 1u);
  EXPECT_EQ(turn.turns, 1u);
  EXPECT_EQ(turn.length_ms, 5);
  EXPECT_EQ(turn.began_ago_ms, 6);
  EXPECT_EQ(turn.waiting, 2u);
  EXPECT_EQ(turn.recalled, 1u);
  EXPECT_EQ(turn.timed_out, 0u);
  EXPECT_EQ(frame.totals.turn_kept_ms, 5);
  EXPECT_EQ(frame.totals.turn_wait_ms, 2) << "the second has waited for its turn";
}

TEST(TurnFrames, TheTurnThatGoesOnIsInEachFrame) {
  Granting world;
  EXPECT_FALSE(world.frame().turn);
  world.want(world.one);
  world.ms += 300;
  ASSERT_TRUE(world.frame().turn);
  world.ms += 200;
  const TelemetryFrame later = world.frame();
  ASSERT_TRUE(later.turn);
  EXPECT_EQ(later.turn->length_ms, 500);
  EXPECT_EQ(later.turn->recalled, 0u);
  EXPECT_TRUE(later.turns.empty());
  EXPECT_NE(to_json(later).find(R"("turn":{"session":"test","peer":1,"agoMs":500,"lengthMs":500)"), std::string::npos);
}

TEST(TurnFrames, ATurnThatIsWaitedForNoLongerHasTimedOut) {
  Granting world;
  world.want(world.one);
  world.want(world.two);
  world.tick(5);
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.turns.size(), 1u);
  EXPECT_EQ(frame.turns[0].timed_out, 1u);
  EXPECT_EQ(frame.totals.turns_timed_out, 1u);
  EXPECT_EQ(frame.turn->peer, 2u);
}

TEST(TurnFrames, ShortTurnsOfOneSessionAreToldTogether) {
  Granting world;
  for (int turn = 0; turn < 10; ++turn) world.keep(turn % 2 == 0 ? world.one : world.two, world.three, 0.5);
  const TelemetryFrame frame = world.frame();
  EXPECT_LE(frame.turns.size(), 6u) << "two in which somebody kept a turn, and one of no length, in each cell of 8 ms";
  EXPECT_EQ(frame.totals.turns, 20u);
  std::uint64_t turns = 0;
  double kept_ms = 0;
  for (const ShownTurns& slice : frame.turns) {
    turns += slice.turns;
    kept_ms += slice.length_ms;
  }
  EXPECT_EQ(turns, 20u);
  EXPECT_EQ(kept_ms, 5);
}

TEST(TurnFrames, ALongTurnAmongShortOnesIsASliceOfItsOwn) {
  Granting world;
  world.keep(world.one, world.three, 0.5);
  world.keep(world.one, world.three, 30);
  world.keep(world.one, world.three, 0.5);
  const TelemetryFrame frame = world.frame();
  const auto own = std::find_if(frame.turns.begin(), frame.turns.end(), [](const ShownTurns& one) { return one.length_ms == 30; });
  ASSERT_NE(own, frame.turns.end());
  EXPECT_EQ(own->turns, 1u);
}

TEST(TurnFrames, HoweverManyTheyAreTheirSlicesAreFewAndDoNotOverlap) {
  Granting world;
  for (int turn = 0; turn < 4000; ++turn) {
    world.keep(turn % 3 == 0 ? world.one : world.two, world.three, 0.25 + turn % 7);
    if (turn % 5 == 0) world.ms += 0.5;
  }
  const TelemetryFrame frame = world.frame();
  EXPECT_LE(frame.turns.size(), telemetry::kTurnSlicesShown);
  EXPECT_GT(frame.turns.size(), telemetry::kTurnSlicesShown / 4);
  EXPECT_EQ(frame.turns_left_out, 0u);
  std::uint64_t turns = 0;
  double kept_ms = 0;
  double free_ago_ms = frame.elapsed_ms;
  for (const ShownTurns& slice : frame.turns) {
    EXPECT_LE(slice.began_ago_ms, free_ago_ms + 1e-6);
    free_ago_ms = slice.began_ago_ms - slice.length_ms;
    EXPECT_GE(free_ago_ms, -1e-6);
    turns += slice.turns;
    kept_ms += slice.length_ms;
  }
  EXPECT_EQ(turns, 8000u);
  EXPECT_NEAR(kept_ms, frame.totals.turn_kept_ms, 1e-6);
}

}  // namespace
}  // namespace claret::testing

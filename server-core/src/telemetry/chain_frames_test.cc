// The frames that a shard reports of chains: runs, turns, and members that are executed again.
#include <gtest/gtest.h>

#include "shard/test_client.h"
#include "telemetry/phases.h"
#include "telemetry/test_frames.h"

namespace claret::testing {
namespace {

// Watched, and `s` is tracked.
struct Tracking : Watched {
  TestClient one{*this, 1}, two{*this, 2};

  Tracking() {
    one.run(1, {set_add("s", "x")});
    one.step({.attempt = 2, .begin_with_priority = 10, .operations = {set_add("s", "y")}});
    two.ask(1, {set_size("s")}, 20);
    two.abort_outcome(1).send();
    one.abort_outcome(2).send();
    frame();
  }
};

TEST(ChainFrames, ARunIsAPhaseOfItsSession) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}).member(2, {set_add("s", "b"), set_size("s")}).send();
  world.ms += 3;
  const TelemetryFrame during = world.frame();
  ASSERT_EQ(during.hot_records.size(), 1u);
  EXPECT_EQ(during.hot_records[0].operations, 3u);
  ASSERT_TRUE(during.hot_records[0].phase);
  EXPECT_EQ(during.hot_records[0].phase->mode, kRunMode);
  EXPECT_EQ(during.hot_records[0].phase->session, "test");
  EXPECT_EQ(during.hot_records[0].phase->length_ms, 3);
  std::uint64_t holders = 0;
  for (const ShownMode& mode : during.hot_records[0].modes) holders += mode.holders;
  EXPECT_EQ(holders, 3u);
  EXPECT_EQ(during.undecided_members, 2u);
  EXPECT_NE(to_json(during).find(R"("mode":"run","session":"test")"), std::string::npos);

  world.one.read();
  world.one.word({1, 2}).send();
  const TelemetryFrame after = world.frame();
  EXPECT_FALSE(after.hot_records[0].phase);
  ASSERT_EQ(after.hot_records[0].phases.size(), 1u);
  EXPECT_EQ(after.hot_records[0].phases[0].let_in, 3u);
  EXPECT_EQ(after.hot_records[0].phases[0].length_ms, 3);
  EXPECT_EQ(after.totals.members, 0u) << "they came in the frame before";
  EXPECT_EQ(during.totals.members, 2u);
}

TEST(ChainFrames, ARunInWhichNobodyWaitsAndNothingIsStackedIsNotReported) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}).send();
  EXPECT_FALSE(world.frame().hot_records[0].phase);
  world.one.read();
  world.one.word({1}).send();
  EXPECT_TRUE(world.frame().hot_records[0].phases.empty());
}

TEST(ChainFrames, AMemberThatWaitsForItsTurnIsAWaiterAndAConflict) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}, {.label = "Bid"}).send();
  world.two.member(1, {set_size("s")}, {.label = "View"}).send();
  world.ms += 2;
  const TelemetryFrame waits = world.frame();
  ASSERT_EQ(waits.waiters.size(), 1u);
  EXPECT_EQ(waits.waiters[0].label, "View");
  EXPECT_EQ(waits.waiters[0].cause, "turn");
  EXPECT_EQ(waits.waiters[0].waited_ms, 2);
  ASSERT_EQ(waits.waiters[0].blockers.size(), 1u);
  EXPECT_EQ(waits.waiters[0].blockers[0].label, "Bid");
  EXPECT_EQ(waits.waiting, 1u);
  ASSERT_EQ(waits.conflicts.size(), 1u);
  EXPECT_EQ(waits.conflicts[0].holder_label, "Bid");
  EXPECT_EQ(waits.conflicts[0].comer_label, "View");
  EXPECT_EQ(waits.conflicts[0].outcome, "waited");
  EXPECT_EQ(waits.hot_records[0].waiting, 1u);
  ASSERT_TRUE(waits.hot_records[0].phase) << "the run, since somebody waits for its end";

  world.one.read();
  world.one.word({1}).send();
  const TelemetryFrame goes = world.frame();
  EXPECT_TRUE(goes.waiters.empty());
  EXPECT_EQ(goes.totals.waits.at("turn").count, 1u);
  EXPECT_EQ(goes.hot_records[0].waits, 1u);
  EXPECT_EQ(goes.hot_records[0].wait_ms, 2);
}

TEST(ChainFrames, WhatIsExecutedAgainIsAConflictWithWhatWasTakenOut) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}, {.label = "Bid"}).member(2, {set_size("s")}, {.label = "View"}).send();
  world.one.withdraw(1).send();
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.conflicts.size(), 1u);
  EXPECT_EQ(frame.conflicts[0].holder_label, "Bid");
  EXPECT_EQ(frame.conflicts[0].comer_label, "View");
  EXPECT_EQ(frame.conflicts[0].outcome, "again");
  EXPECT_EQ(frame.totals.answered_again, 1u);
  EXPECT_EQ(frame.totals.aborts.at("withdrawn"), 1u);
  EXPECT_EQ(frame.waiters.size(), 0u);
  EXPECT_EQ(frame.hot_records[0].conflicts, 0u);
}

TEST(ChainFrames, MembersAreSampledWithHowManyUndecidedOperationsTheyStandOn) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}, {.label = "Bid"}).member(2, {set_size("s")}, {.label = "View"}).send();
  world.one.read();
  world.one.word({1, 2}).send();
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.samples.size(), 2u);
  const Sample& view = frame.samples[1];
  EXPECT_EQ(view.label, "View");
  EXPECT_TRUE(view.committed);
  ASSERT_EQ(view.requests.size(), 1u);
  ASSERT_EQ(view.requests[0].operations.size(), 1u);
  EXPECT_EQ(view.requests[0].operations[0].course, Course::kAhead);
  EXPECT_EQ(view.requests[0].operations[0].beside, 1u);
}

TEST(ChainFrames, ATakenOutMemberIsAnAbortedSampleAndLeavesNoTrace) {
  Tracking world;
  world.one.member(1, {set_add("s", "a")}, {.label = "Bid"}).send();
  world.one.withdraw(1).send();
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.samples.size(), 1u);
  EXPECT_FALSE(frame.samples[0].committed);
  EXPECT_EQ(frame.samples[0].code, "withdrawn");
  EXPECT_TRUE(frame.hot_records[0].modes.empty());
}

}  // namespace
}  // namespace claret::testing

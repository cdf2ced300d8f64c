// The frames that a shard reports of its epochs.
#include <gtest/gtest.h>

#include <numeric>

#include "telemetry/epoch_slices.h"
#include "transaction/test_epochs.h"

namespace claret::testing {
namespace {

struct WatchedAlone : Alone {
  WatchedAlone() { shard(0).observe(true, world.now()); }
  TelemetryFrame frame() { return shard(0).take_telemetry(world.now()); }
};

TEST(EpochFrames, AnEpochIsASliceFromItsCloseToItsLastTurn) {
  WatchedAlone alone;
  alone.member_of_both(1, {put(alone.key(0), "x"), put("b", "y")});
  alone.world.ms += 3;
  Step reader = member({got(alone.key(0))}, kBoth, 1);
  reader.observes_only = true;
  alone.client(0, 2).add(reader).send();
  EXPECT_EQ(alone.frame().members_of_epochs, 2u);
  alone.world.ms += 4;
  alone.close();
  EXPECT_EQ(alone.frame().epochs.size(), 0u) << "it is not over";
  alone.world.ms += 5;
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at);
  alone.epochs().decide(alone.attempt(2), alone.attempt(2).voted_at);
  alone.settle();
  const TelemetryFrame frame = alone.frame();
  ASSERT_EQ(frame.epochs.size(), 1u);
  const ShownEpochs& epoch = frame.epochs[0];
  EXPECT_EQ(epoch.manager, 1u);
  EXPECT_EQ(epoch.epochs, 1u);
  EXPECT_EQ(epoch.writes, 1u);
  EXPECT_EQ(epoch.write_operations, 2u);
  EXPECT_EQ(epoch.reads, 1u);
  EXPECT_EQ(epoch.read_operations, 1u);
  EXPECT_EQ(epoch.came_back, 0u);
  EXPECT_EQ(epoch.called_off, 0u);
  EXPECT_NEAR(epoch.gather_ms, 7, 0.5) << "since the older member came";
  EXPECT_NEAR(epoch.held_ms, 5, 0.5);
  EXPECT_NEAR(epoch.closed_ago_ms, 5, 0.5);
  EXPECT_EQ(frame.totals.epoch_operations, 3u);
  EXPECT_EQ(frame.members_of_epochs, 0u);
  EXPECT_EQ(alone.frame().epochs.size(), 0u) << "each is told once";
}

TEST(EpochFrames, AnEpochThatIsCalledOffNamesTheLateShards) {
  WatchedAlone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  alone.epochs().call_off(kEpoch, {1});
  const TelemetryFrame frame = alone.frame();
  ASSERT_EQ(frame.epochs.size(), 1u);
  EXPECT_EQ(frame.epochs[0].called_off, 1u);
  EXPECT_EQ(frame.epochs[0].late, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(frame.epochs[0].came_back, 1u);
  EXPECT_EQ(frame.epochs[0].writes, 0u);
}

TEST(EpochFrames, WhoIsKeptOutByALockIsTold) {
  WatchedAlone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  TestClient& holder = alone.client(0, 2);
  holder.add({.attempt = 1, .begin_with_priority = 50, .operations = {put(alone.key(0), "y")}}).send();
  alone.close();
  const TelemetryFrame frame = alone.frame();
  ASSERT_EQ(frame.epochs.size(), 1u);
  EXPECT_EQ(frame.epochs[0].came_back, 1u);
  EXPECT_EQ(frame.epochs[0].writes + frame.epochs[0].reads, 0u);
}

TEST(EpochFrames, AnEpochWithoutMembersHereIsNotTold) {
  WatchedAlone alone;
  alone.close();
  EXPECT_TRUE(alone.frame().epochs.empty());
}

// A list of more operations than a shard takes in a turn is under way.
struct Listing : WatchedAlone {
  Listing() {
    for (std::uint32_t identity = 1; identity <= 6; ++identity) {
      std::vector<Op> operations;
      for (int i = 0; i < 1'000; ++i) operations.push_back(put("{" + key(0) + "}" + std::to_string(1'000 * identity + i), "x"));
      member_of_both(identity, std::move(operations));
    }
    settle();
    frame();
    epochs().close({.epoch = kEpoch, .floor = 0, .shards = {0, 1}});
    epochs().turn();
    EXPECT_EQ(epochs().gathered(), 1u) << "the others are listed already";
  }
  void expect_told() {
    const TelemetryFrame told = frame();
    ASSERT_EQ(told.epochs.size(), 1u);
    EXPECT_EQ(told.epochs[0].came_back, 5u);
    EXPECT_GE(told.epochs[0].list_ms, 0);
    EXPECT_GE(told.epochs[0].held_ms, 0);
    EXPECT_LT(told.epochs[0].held_ms, 1'000);
  }
};

TEST(EpochFrames, AnEpochThatIsGivenUpWhileItIsListedIsTold) {
  Listing lost;
  lost.epochs().manager_lost(1);
  lost.expect_told();
  Listing asked;
  asked.epochs().asked(kEpoch);
  asked.expect_told();
  Listing called_off;
  called_off.epochs().call_off(kEpoch, {1});
  called_off.expect_told();
}

TEST(EpochFrames, ATransactionThatWaitsForAMemberSaysSo) {
  WatchedAlone alone;
  alone.member_of_both(1, {got(alone.key(0))});
  alone.close();
  alone.client(0, 3).run(1, {put(alone.key(0), "y")});
  const TelemetryFrame waiting = alone.frame();
  ASSERT_EQ(waiting.waiters.size(), 1u);
  EXPECT_EQ(waiting.waiters[0].cause, waits::kEpoch);
  alone.world.ms += 6;
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at);
  alone.settle();
  const TelemetryFrame frame = alone.frame();
  ASSERT_TRUE(frame.totals.waits.contains(waits::kEpoch));
  EXPECT_NEAR(frame.totals.waits.at(waits::kEpoch).total_ms, 6, 0.5);
}

TEST(EpochFrames, ManyEpochsShareSlicesAndNoneIsLost) {
  EpochSlices slices;
  for (int i = 0; i < 1'000; ++i) {
    const double ms = 100 + 0.2 * i;
    slices.ended({.manager = 0,
                  .gathered_ms = ms - 1,
                  .closed_ms = ms,
                  .listed_ms = ms + 0.1,
                  .decided_ms = ms + 0.3,
                  .ended_ms = ms + 0.4,
                  .writes = 2});
  }
  TelemetryFrame frame;
  frame.monotonic_ms = 300;
  slices.take(frame);
  EXPECT_LE(frame.epochs.size(), telemetry::kEpochSlicesShown);
  EXPECT_EQ(frame.epochs_left_out, 0u);
  const auto sum = [&](auto member) {
    return std::accumulate(frame.epochs.begin(), frame.epochs.end(), 0.0,
                           [&](double sum, const ShownEpochs& one) { return sum + one.*member; });
  };
  EXPECT_EQ(sum(&ShownEpochs::epochs), 1'000);
  EXPECT_EQ(sum(&ShownEpochs::writes), 2'000);
  EXPECT_NEAR(sum(&ShownEpochs::held_ms), 200, 1e-6);
  EXPECT_EQ(frame.epochs.front().closed_ago_ms, 200);
  EXPECT_TRUE(std::is_sorted(frame.epochs.begin(), frame.epochs.end(),
                             [](const auto& one, const auto& other) { return one.closed_ago_ms > other.closed_ago_ms; }));
}

}  // namespace
}  // namespace claret::testing

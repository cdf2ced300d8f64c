// For random storms: a watcher that begins and stops watching the shards at random times, and checks whether the frames can be true. It has
// its own Dice, so that the storm is the same without it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "shard/dice.h"
#include "shard/test_client.h"

namespace claret::testing {

class Watcher {
 public:
  struct Seen {
    std::uint64_t frames = 0, phases = 0, slices = 0, waits = 0;
    std::uint64_t free = 0;  // waiters without a blocker: they are about to be tried again
  };

  Watcher(std::uint64_t seed, Seen& seen) : dice_(seed), seen_(seen) {}

  void act(World& world) {
    for (auto& shard : world.shards) {
      if (dice_.below(25) == 0) shard->observe(!shard->observed(), world.now());
      if (shard->observed() && dice_.below(5) == 0) look(shard->take_telemetry(world.now()));
    }
  }

 private:
  void look(const TelemetryFrame& frame) {
    ++seen_.frames;
    EXPECT_GE(frame.elapsed_ms, 0);
    EXPECT_FALSE(to_json(frame).empty());
    for (const ShownRecord& record : frame.hot_records) look_at(record);
    for (const ShownWaiter& waiter : frame.waiters) {
      ++seen_.waits;
      if (waiter.blockers.empty()) ++seen_.free;
      EXPECT_GE(waiter.waited_ms, 0);
    }
    for (const Sample& sample : frame.samples) look_at(sample, frame.monotonic_ms);
  }

  void look_at(const ShownRecord& record) {
    EXPECT_GE(record.tracked_ms, 0);
    std::uint64_t holders = 0, waiting = 0;
    for (const ShownMode& mode : record.modes) {
      EXPECT_FALSE(mode.mode.empty());
      holders += mode.holders;
      waiting += mode.waiting;
    }
    EXPECT_EQ(waiting, record.waiting);
    if (record.phase) {
      EXPECT_GT(holders, 0u) << record.key << " has no holder, but is in a phase";
      EXPECT_GE(record.phase->length_ms, 0);
    }
    double ended_ago_ms = std::numeric_limits<double>::infinity();
    for (const ShownPhase& phase : record.phases) {
      ++seen_.phases;
      EXPECT_GE(phase.length_ms, 0);
      EXPECT_GT(phase.let_in, 0u);
      EXPECT_LE(phase.began_ago_ms, ended_ago_ms) << "phases do not overlap";
      ended_ago_ms = phase.began_ago_ms - phase.length_ms;
      EXPECT_GE(ended_ago_ms, 0);
    }
    if (record.phase) {
      EXPECT_LE(record.phase->began_ago_ms, ended_ago_ms);
    }
  }

  void look_at(const Sample& sample, double now_ms) {
    EXPECT_GE(sample.ended_ms, sample.began_ms);
    EXPECT_LE(sample.ended_ms, now_ms);
    EXPECT_EQ(sample.committed, sample.code.empty());
    for (const RequestSlice& request : sample.requests) {
      EXPECT_TRUE(request.at_ms < 0 || request.at_ms >= sample.began_ms);
      for (const OperationSlice& slice : request.operations) {
        ++seen_.slices;
        EXPECT_GE(slice.waited_ms, 0);
        if (sample.committed && !was_denied(request)) {
          EXPECT_TRUE(ran(slice.course)) << static_cast<int>(slice.course);
        }
      }
    }
  }

  // No operation of the request ran; the client sent it again.
  static bool was_denied(const RequestSlice& request) {
    return std::any_of(request.operations.begin(), request.operations.end(),
                       [](const OperationSlice& slice) { return slice.course == Course::kDenied; });
  }
  static bool ran(Course course) { return course == Course::kGranted || course == Course::kWaited || course == Course::kAhead; }

  Dice dice_;
  Seen& seen_;
};

}  // namespace claret::testing

// For tests of slots that move: shards with logs, which are durable at once unless held back, and what their clients see.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"
#include "transaction/test_mover.h"

namespace claret::testing {

// Keys of the slot that moves, of another one of shard 0, and of one of shard 1 (of two).
inline std::string in_run(const std::string& name) { return "{run}" + name; }
inline std::string beside_run(const std::string& name) { return "{beside}" + name; }
inline std::string of_other(const std::string& name) { return "{other}" + name; }

struct MovingShards {
  explicit MovingShards(std::uint32_t shards = 2, std::uint32_t dealt = 0, const ShardOptions& options = logged_options())
      : world(shards, options, dealt), disks(world, options), links(world), mover(world, disks) {
    world.tick(0);
    disks.sync_all();
    world.after_input = [this] {
      if (durable) disks.sync_all();
    };
  }

  Shard& shard(std::uint32_t number) { return *world.shards[number]; }
  TestClient client(std::uint32_t number, std::uint32_t identity = 0) { return {world, ++peers, number, identity}; }
  // Moves the run from shard 0 to shard 1, to the end.
  void move(std::uint32_t from = 0, std::uint32_t to = 1) {
    ASSERT_EQ(mover.begin(from, to, run), "");
    mover.run();
  }
  // Copies until nothing is left.
  void copy() {
    do mover.take_piece();
    while (!mover.nothing_left());
  }
  // Drains the run, copies the rest, and gives it, if nobody holds anything there.
  void give() {
    mover.drain();
    while (mover.stage() == Mover::Stage::kDrains) mover.take_piece();
    mover.step();
  }
  std::int64_t value(std::uint32_t number, const std::string& key) {
    const Reply reply = client(number).run(1, {testing::value(key)}, 1);
    return reply.results.empty() ? -1 : reply.results[0].integer();
  }
  std::string error(std::uint32_t number, const std::string& key) { return client(number).run(1, {testing::value(key)}, 1).error; }
  const Record* record(std::uint32_t number, const std::string& key) {
    const Record* record = shard(number).engine().ground.records.find(key);
    return record == nullptr || record->gone ? nullptr : record;
  }
  void crash(std::uint32_t number) {
    links.break_all();
    disks.crash(number, 0);
    mover.restarted();
  }
  // Takes a checkpoint to its end.
  void checkpoint(std::uint32_t number, std::size_t bytes_max = kEverything) {
    for (int pieces = 0; pieces < 10'000; ++pieces) {
      if (disks.checkpoint(number, bytes_max)) return;
      world.tick(0);
    }
    FAIL() << "the checkpoint does not end";
  }

  bool durable = true;
  World world;
  Disks disks;
  Links links;
  Mover mover;
  std::uint32_t peers = 0;
  SlotRun run{slot_of(in_run("")), slot_of(in_run(""))};
};

}  // namespace claret::testing

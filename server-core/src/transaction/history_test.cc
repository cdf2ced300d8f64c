// Strict serializability, seen from outside: clients run random transactions over two shards, with late outcomes, broken sessions, clients
// that give up and, in some storms, changes of the concurrency control. Then every committed transaction is replayed alone, in the order of
// commit timestamps, on an empty store. Each must get the same results as before, and both stores must end in the same state
// (docs/rules.md, section 8). CLARET_SEEDS=1000 runs a thousand storms of each kind instead of thirty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "shard/test_disk.h"
#include "telemetry/test_watcher.h"
#include "transaction/test_actor.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

struct Kind {
  const char* name;
  Conditions conditions;
  bool switched = false;  // to any other conditions, shard by shard
  bool sessions_lost = false;
  bool logged = false;
  bool crashes = false;  // shards restart from their logs, part of which is not durable
  bool checkpoints = false;  // in small pieces, continuously
  bool disks_stop = false;  // for a while; half of the disks report that they are full
  std::uint32_t operations_per_turn = 0;  // 0: the default
  std::size_t leaves_at_once = 0;  // 0: the default
};

struct Storm {
  std::size_t committed = 0;
  std::uint64_t aborts = 0;
  std::uint64_t answers = 0;
  std::uint64_t reads = 0;
  std::uint64_t drained = 0;  // ticks of shards without locks
  std::uint64_t checkpoints = 0;  // finished
  std::uint64_t stops = 0;  // of disks
  std::uint64_t parts = 0;  // parts of large states that a start has found
  std::string contents;  // of the shards
};

Conditions random_conditions(Dice& dice) {
  return {.locks = dice.below(2) == 0 ? LockKind::kAbstract : LockKind::kReaderWriter,
          .phasing = dice.below(2) == 0,
          .natives_pass = dice.below(2) == 0};
}

using Watch = std::function<void(World&)>;

// `watch`: called in each turn.
Storm storm(
    std::uint64_t seed, const Kind& kind, int turns, const Watch& watch = [](World&) {}) {
  Dice dice(seed);
  ShardOptions options = kind.logged ? logged_options() : ShardOptions{};
  if (kind.operations_per_turn != 0) options.operations_per_turn = kind.operations_per_turn;
  if (kind.leaves_at_once != 0) options.participant.visits_leave_at_once = kind.leaves_at_once;
  World world(2, options);
  Disks disks(world, options);
  std::optional<std::uint32_t> stopped;  // the shard whose disk has stopped
  const auto goes_on = [&] {
    if (stopped) world.shards[*stopped]->refuse_changes(LogTrouble::kNone, world.now());
    stopped.reset();
  };
  if (kind.logged) {
    world.after_input = [&] {
      if (dice.below(4) != 0) return;
      if (const auto shard = static_cast<std::uint32_t>(dice.below(2)); shard != stopped) disks.sync(shard);
    };
  }
  Links links(world);
  for (auto& shard : world.shards) shard->set_conditions(kind.conditions, world.now());
  disks.sync_all();
  std::vector<Committed> history;
  std::uint64_t drained = 0;
  Storm result;
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::uint32_t i = 0; i < 10; ++i) actors.push_back(std::make_unique<Actor>(world, i + 1, history));
  for (int turn = 0; turn < turns; ++turn) {
    Actor& actor = *actors[dice.below(actors.size())];
    actor.act(dice);
    if (dice.below(2) == 0) actor.deliver_outcomes();
    if (kind.sessions_lost && dice.below(30) == 0) actor.lose_session(static_cast<std::uint32_t>(dice.below(2)));
    if (kind.crashes && dice.below(150) == 0) {
      const auto shard = stopped.value_or(static_cast<std::uint32_t>(dice.below(2)));
      stopped.reset();
      links.break_all();
      disks.crash(shard, dice.below(4));
      result.parts += disks.kept(shard, disks.written(shard)).of_kind(KeyKind::kPart);
      for (auto& one : actors) one->lose_session(shard);
    }
    if (kind.disks_stop && dice.below(60) == 0) {
      goes_on();
      stopped = static_cast<std::uint32_t>(dice.below(2));
      ++result.stops;
      if (dice.below(2) == 0) world.shards[*stopped]->refuse_changes(LogTrouble::kDiskFull, world.now());
    } else if (stopped && dice.below(40) == 0) {
      goes_on();
    }
    // To `none` and back: nothing runs in between, but attempts that span the change have to end or to be reported.
    if (kind.switched && dice.below(200) == 0) {
      for (auto& shard : world.shards) shard->set_conditions({LockKind::kNone}, world.now());
      for (std::uint64_t left = dice.below(12); left > 0; --left) {
        for (auto& one : actors) one->pause();
        for (auto& one : actors) one->deliver_outcomes();
        links.carry();
        world.tick(static_cast<double>(dice.below(20)));
        for (const auto& shard : world.shards) drained += shard->conditions().locks == LockKind::kNone ? 1 : 0;
      }
      for (auto& shard : world.shards) shard->set_conditions(random_conditions(dice), world.now());
    }
    if (kind.switched && dice.below(60) == 0) {
      world.shards[dice.below(2)]->set_conditions(random_conditions(dice), world.now());
    }
    if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(3)));
    if (dice.below(5) == 0) links.carry();
    // Pieces hold a few members at most.
    for (std::uint64_t left = kind.checkpoints ? dice.below(4) : 0; left > 0; --left) {
      result.checkpoints += disks.checkpoint(static_cast<std::uint32_t>(dice.below(2)), dice.below(dice.below(4) == 0 ? 300 : 60)) ? 1 : 0;
    }
    watch(world);
  }
  // Every client ends its transaction; then no gate may have holders or waiters.
  goes_on();
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  for (int turn = 0; turn < 200; ++turn) {
    for (auto& actor : actors) {
      actor->finish();
      actor->deliver_outcomes();
    }
    links.carry();
    world.tick(20);
    watch(world);
  }
  result.committed = history.size();
  result.drained = drained;
  for (auto& actor : actors) {
    EXPECT_TRUE(actor->idle());
    result.aborts += actor->aborts;
    result.answers += actor->answers;
    result.reads += actor->reads;
  }
  for (auto& shard : world.shards) {
    EXPECT_EQ(shard->participant().attempts_in_flight(), 0u);
    EXPECT_EQ(shard->participant().wounds().waiting().size(), 0u);
    result.contents += contents(*shard);
  }
  Prober prober(world);
  if (::testing::Test::HasFailure()) return result;
  EXPECT_TRUE(replay(std::move(history)) == prober.reads()) << "both stores end in the same state";
  EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  return result;
}

struct Snapshot {
  std::size_t entries;
  std::string contents;
};

// The number of votes without an outcome among the first `entries` entries.
std::size_t standing_votes(const std::vector<std::string>& log, std::size_t entries) {
  std::size_t standing = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    std::vector<std::string_view> bytes;
    LogEntry entry;
    EXPECT_TRUE(split_log(log[i], bytes) && decode(bytes.at(0), entry));
    if (entry.kind == LogEntryKind::kVote) ++standing;
    if (entry.kind == LogEntryKind::kOutcome) --standing;
  }
  return standing;
}

TEST(Rebuilding, EveryPrefixOfALogGivesTheStateAtThatMoment) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    World world(2, logged_options());
    Disks disks(world, logged_options());
    Links links(world);
    world.tick(0);
    disks.sync_all();
    world.after_input = [&] { disks.sync_all(); };
    std::vector<Committed> history;
    std::vector<std::unique_ptr<Actor>> actors;
    for (std::uint32_t i = 0; i < 10; ++i) actors.push_back(std::make_unique<Actor>(world, i + 1, history));
    std::vector<Snapshot> snapshots;
    for (int turn = 0; turn < 1500; ++turn) {
      Actor& actor = *actors[dice.below(actors.size())];
      actor.act(dice);
      if (dice.below(3) == 0) actor.deliver_outcomes();
      if (dice.below(40) == 0) actor.lose_session(static_cast<std::uint32_t>(dice.below(2)));
      if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(3)));
      if (dice.below(5) == 0) links.carry();
      snapshots.push_back({disks.written(0), contents(*world.shards[0])});
    }
    const std::vector<std::string> log = disks.entries(0);
    std::size_t votes = 0;
    for (std::size_t i = 0; i < snapshots.size(); i += 7) {
      const auto rebuilt = disks.rebuilt(0, snapshots[i].entries);
      EXPECT_EQ(contents(*rebuilt), snapshots[i].contents) << snapshots[i].entries << " entries";
      const std::size_t standing = standing_votes(log, snapshots[i].entries);
      EXPECT_EQ(rebuilt->participant().attempts_in_flight(), standing);
      votes += standing;
    }
    EXPECT_GT(votes, 20u) << "a log without votes proves little";
    EXPECT_GT(log.size(), 100u);
    if (HasFailure()) return;
  }
}

class History : public ::testing::TestWithParam<Kind> {};

TEST_P(History, IsTheSameWhenReplayedInTimestampOrder) {
  Storm total;
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 30 : std::strtoull(more, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Storm result = storm(seed, GetParam(), 1500);
    total.committed += result.committed;
    total.aborts += result.aborts;
    total.answers += result.answers;
    total.reads += result.reads;
    total.drained += result.drained;
    total.checkpoints += result.checkpoints;
    total.stops += result.stops;
    total.parts += result.parts;
    if (HasFailure()) return;
  }
  EXPECT_GT(total.committed, 1000u);
  EXPECT_GT(total.reads, 10u) << "over both shards";
  EXPECT_GT(total.aborts, 0u) << "a storm without conflicts proves nothing";
  EXPECT_EQ(total.answers > 0, GetParam().sessions_lost);
  EXPECT_EQ(total.drained > 100, GetParam().switched);
  EXPECT_EQ(total.checkpoints > 100, GetParam().checkpoints) << total.checkpoints;
  EXPECT_EQ(total.parts > 100, GetParam().checkpoints) << total.parts;
  EXPECT_EQ(total.stops > 100, GetParam().disks_stop);
}

TEST_P(History, IsTheSameWhenWatched) {
  Watcher::Seen seen;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Storm alone = storm(seed, GetParam(), 1500);
    Watcher watcher(seed, seen);
    const Storm watched = storm(seed, GetParam(), 1500, [&](World& world) { watcher.act(world); });
    EXPECT_EQ(watched.committed, alone.committed);
    EXPECT_EQ(watched.aborts, alone.aborts);
    EXPECT_TRUE(watched.contents == alone.contents);
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.frames, 1000u);
  EXPECT_GT(seen.slices, 1000u);
  EXPECT_EQ(std::min(seen.waits, seen.phases) > 20, GetParam().conditions.phasing) << seen.waits << ' ' << seen.phases;
  EXPECT_LE(seen.free * 500, seen.waits);
}

TEST(Checkpoints, ChangeNothingThatClientsSee) {
  const Kind kind{.name = "KeepingALog", .sessions_lost = true, .logged = true};
  std::size_t finished = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Storm alone = storm(seed, kind, 1500);
    const Storm kept = storm(seed, kind, 1500, [&](World& world) {
      for (const auto& shard : world.shards) {
        shard->begin_checkpoint();  // or the one in progress goes on
        CheckpointPiece piece;
        EXPECT_FALSE(shard->take_checkpoint(100, piece));
        finished += piece.position != 0 ? 1 : 0;
      }
    });
    EXPECT_EQ(kept.committed, alone.committed);
    EXPECT_EQ(kept.aborts, alone.aborts);
    EXPECT_TRUE(kept.contents == alone.contents);
    if (HasFailure()) return;
  }
  EXPECT_GT(finished, 100u);
}

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

INSTANTIATE_TEST_SUITE_P(
    Kinds, History,
    ::testing::Values(Kind{"AbstractWithPhasing", {LockKind::kAbstract, true}},
                      Kind{"AbstractWithoutPhasing", {LockKind::kAbstract, false}},
                      Kind{"ReaderWriterWithPhasing", {LockKind::kReaderWriter, true}},
                      Kind{"ReaderWriterWithoutPhasing", {LockKind::kReaderWriter, false}},
                      Kind{"LosingSessions", {LockKind::kAbstract, true}, false, true},
                      Kind{"SwitchingConditions", {LockKind::kAbstract, true}, true, false},
                      Kind{.name = "InSmallTurns", .operations_per_turn = 1},
                      Kind{.name = "InSmallTurnsLosingSessions", .sessions_lost = true, .operations_per_turn = 2},
                      Kind{.name = "LeavingInParts", .sessions_lost = true, .leaves_at_once = 1},
                      Kind{.name = "LeavingInPartsSwitchingConditions", .switched = true, .leaves_at_once = 1},
                      Kind{.name = "LeavingInPartsCrashing", .sessions_lost = true, .logged = true, .crashes = true, .leaves_at_once = 1},
                      Kind{"LosingSessionsAndSwitchingConditions", {LockKind::kAbstract, true}, true, true},
                      Kind{.name = "KeepingALog", .sessions_lost = true, .logged = true},
                      Kind{.name = "Crashing", .sessions_lost = true, .logged = true, .crashes = true},
                      Kind{.name = "CrashingWithCheckpoints", .sessions_lost = true, .logged = true, .crashes = true, .checkpoints = true},
                      Kind{.name = "CrashingWithCheckpointsLeavingInParts",
                           .sessions_lost = true,
                           .logged = true,
                           .crashes = true,
                           .checkpoints = true,
                           .leaves_at_once = 1},
                      Kind{.name = "CrashingWithDisksThatStop",
                           .sessions_lost = true,
                           .logged = true,
                           .crashes = true,
                           .checkpoints = true,
                           .disks_stop = true},
                      Kind{.name = "CrashingAndSwitchingConditions",
                           .switched = true,
                           .sessions_lost = true,
                           .logged = true,
                           .crashes = true,
                           .checkpoints = true,
                           .leaves_at_once = 1},
                      Kind{.name = "CrashingWithReaderWriterLocks",
                           .conditions = {LockKind::kReaderWriter},
                           .sessions_lost = true,
                           .logged = true,
                           .crashes = true}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace claret::testing

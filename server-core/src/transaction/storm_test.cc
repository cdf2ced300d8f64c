// Storms (test_storm.h) of every kind: strict serializability, seen from outside. CLARET_SEEDS=1000 runs a thousand storms of each kind,
// `npm run test:long` thirty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "telemetry/test_watcher.h"
#include "transaction/test_storm.h"

namespace claret::testing {

void PrintTo(const StormKind& kind, std::ostream* out) { *out << kind.name; }

namespace {

// Transactions with locks, over both shards.
StormKind with_locks(StormKind kind) {
  kind.crews = {{Role::kLocks, 10}};
  kind.expected = {{"committed", 33},
                   {"reads", 0.33},  // over both shards
                   {"aborts"},
                   {"answers", 0, kind.sessions_lost},
                   {"checkpoints", 3.3, kind.checkpoints},
                   {"parts", 3.3, kind.checkpoints},
                   {"disks stopped", 3.3, kind.disks_stop}};
  return kind;
}

// Chains of one shard, alone or beside the crews given.
StormKind with_chains(StormKind kind) {
  kind.crews.insert(kind.crews.begin(), {Role::kChains, 6});
  kind.seeds = 10;
  kind.crash_one_in = 200;
  kind.expected = {{"members in", 50},
                   {"members ended", 25},
                   {"members out", 5},
                   {"chains broken", 2.5},
                   {"members refused", 1},
                   {"members denied", 1},
                   {"answered again", 5},
                   {"members asked for", 2.5, kind.sessions_lost || kind.crashes},
                   {"checkpoints", 5, kind.checkpoints},
                   {"parts", 2.5, kind.checkpoints}};
  return kind;
}
const std::vector<Crew> kBesideChains{{Role::kLocks, 3, 3}, {Role::kNatives, 4, 4}};

// Chains that span both shards and commit in batches.
StormKind with_batches(StormKind kind) {
  kind.crews.insert(kind.crews.begin(), {Role::kWideChains, 4});
  kind.seeds = 10;
  kind.turns = 2400;
  kind.crash_one_in = 200;
  kind.expected = {{"batches", 10},
                   {"batches: members", 10},
                   {"batches: worded", 10},
                   {"batches: aborted", 2.5},
                   {"batches: chains broken", 2.5},
                   {"batches: withdrawn", 2.5},
                   {"stood back", 0.5},
                   {"displaced", 0.5},
                   {"batches: asked for", 1, kind.sessions_lost || kind.crashes},
                   {"checkpoints", 5, kind.checkpoints}};
  return kind;
}
const std::vector<Crew> kBesideBatches{{Role::kChains, 4, 2}, {Role::kNatives, 2, 6}, {Role::kLocks, 2, 4}};

// Warranties that transactions with locks violate, and the crews given.
StormKind with_warranties(StormKind kind) {
  kind.crews.insert(kind.crews.begin(), {{Role::kLocks, 6}, {Role::kWarranties, 4}});
  kind.conditions.warranties = WarrantyPolicy::kAuto;
  kind.pauses = true;
  kind.seeds = 10;
  kind.turns = 2000;
  kind.crash_one_in = 300;
  kind.expected = {{"committed", 100}, {"uses", 1000}, {"uses compared", 25}, {"recalled"}, {"lapsed"}, {"crashes", 0, kind.crashes}};
  if (kind.has(Role::kEpochs)) {
    kind.expected.push_back({"members of epochs", 20});
    kind.expected.push_back({"members of epochs over both shards", 5});
  }
  return kind;
}

// Reads of all records as of any time, beside transactions with locks.
StormKind with_looks(StormKind kind) {
  kind.crews = {{Role::kLocks, 10}, {Role::kLooks, 1, 40}};
  kind.seeds = 3;
  kind.turns = 800;
  kind.expected = {{"committed", 50}, {"looks", 5}, {"checkpoints", 0, kind.checkpoints}};
  return kind;
}

// Transactions of every kind, while runs of slots move.
StormKind with_moves(StormKind kind) {
  kind.crews = {{Role::kLocks, 6}, {Role::kIds, 3}, {Role::kResumingNatives, 3}, {Role::kChains, kind.shards}, {Role::kMoves, 1}};
  kind.logged = kind.checkpoints = true;
  kind.seeds = 2;
  kind.crash_one_in = 60;
  kind.expected = {{"committed", 100},
                   {"moves", 4},
                   {"moves called off"},
                   {"ids again", 10},
                   {"natives", 50},
                   {"members in", 10},
                   {"checkpoints", 2},
                   {"crashes", 10, kind.crashes},
                   {"moves resumed", 1, kind.crashes}};
  return kind;
}

const std::vector<StormKind> kOfLocks{
    with_locks({.name = "AbstractWithPhasing"}),
    with_locks({.name = "AbstractWithoutPhasing", .conditions = {.phasing = false}}),
    with_locks({.name = "ReaderWriterWithPhasing", .conditions = {LockKind::kReaderWriter}}),
    with_locks({.name = "ReaderWriterWithoutPhasing", .conditions = {LockKind::kReaderWriter, false}}),
    with_locks({.name = "LosingSessions", .sessions_lost = true}),
    with_locks({.name = "SwitchingConditions", .switched = true}),
    with_locks({.name = "InSmallTurns", .operations_per_turn = 1}),
    with_locks({.name = "InSmallTurnsLosingSessions", .sessions_lost = true, .operations_per_turn = 2}),
    with_locks({.name = "LeavingInParts", .sessions_lost = true, .leaves_at_once = 1}),
    with_locks({.name = "LeavingInPartsSwitchingConditions", .switched = true, .leaves_at_once = 1}),
    with_locks({.name = "LeavingInPartsCrashing", .sessions_lost = true, .logged = true, .crashes = true, .leaves_at_once = 1}),
    with_locks({.name = "LosingSessionsAndSwitchingConditions", .switched = true, .sessions_lost = true}),
    with_locks({.name = "KeepingALog", .sessions_lost = true, .logged = true}),
    with_locks({.name = "Crashing", .sessions_lost = true, .logged = true, .crashes = true}),
    with_locks({.name = "CrashingWithCheckpoints", .sessions_lost = true, .logged = true, .crashes = true, .checkpoints = true}),
    with_locks({.name = "CrashingWithCheckpointsLeavingInParts",
                .sessions_lost = true,
                .logged = true,
                .crashes = true,
                .checkpoints = true,
                .leaves_at_once = 1}),
    with_locks({.name = "CrashingWithDisksThatStop",
                .sessions_lost = true,
                .logged = true,
                .crashes = true,
                .checkpoints = true,
                .disks_stop = true}),
    with_locks({.name = "CrashingAndSwitchingConditions",
                .switched = true,

                .sessions_lost = true,
                .logged = true,
                .crashes = true,
                .checkpoints = true,
                .leaves_at_once = 1}),
    with_locks({.name = "CrashingWithReaderWriterLocks",
                .conditions = {LockKind::kReaderWriter},
                .sessions_lost = true,
                .logged = true,
                .crashes = true}),
};

const std::vector<StormKind> kOfOthers{
    with_chains({.name = "ChainsAlone"}),
    with_chains({.name = "ChainsBesideLocks", .crews = {{Role::kLocks, 3, 3}}}),
    with_chains({.name = "ChainsBesideLocksAndNatives", .crews = kBesideChains}),
    with_chains({.name = "ChainsLosingSessions", .crews = kBesideChains, .sessions_lost = true}),
    with_chains({.name = "ChainsSwitchingConditions", .crews = kBesideChains, .switched = true}),
    with_chains({.name = "ChainsInSmallTurns", .crews = kBesideChains, .sessions_lost = true, .operations_per_turn = 2}),
    with_chains({.name = "ChainsBesideReaderWriterLocks", .crews = kBesideChains, .conditions = {LockKind::kReaderWriter}}),
    with_chains({.name = "ChainsKeepingALog", .crews = kBesideChains, .sessions_lost = true, .logged = true}),
    with_chains({.name = "ChainsCrashing", .crews = kBesideChains, .logged = true, .crashes = true}),
    with_chains({.name = "ChainsCrashingWithCheckpoints",
                 .crews = kBesideChains,
                 .sessions_lost = true,
                 .logged = true,
                 .crashes = true,
                 .checkpoints = true}),
    with_batches({.name = "BatchesAlone"}),
    with_batches({.name = "BatchesBesideOthers", .crews = kBesideBatches}),
    with_batches({.name = "BatchesLosingSessions", .crews = kBesideBatches, .sessions_lost = true}),
    with_batches({.name = "BatchesSwitchingConditions", .crews = kBesideBatches, .switched = true}),
    with_batches({.name = "BatchesInSmallTurns", .crews = kBesideBatches, .sessions_lost = true, .operations_per_turn = 2}),
    with_batches({.name = "BatchesKeepingALog", .crews = kBesideBatches, .sessions_lost = true, .logged = true}),
    with_batches({.name = "BatchesCrashing", .crews = kBesideBatches, .logged = true, .crashes = true}),
    with_batches({.name = "BatchesCrashingWithCheckpoints",
                  .crews = kBesideBatches,
                  .sessions_lost = true,
                  .logged = true,
                  .crashes = true,
                  .checkpoints = true}),
    with_warranties({.name = "Warranties"}),
    with_warranties({.name = "WarrantiesBesideEpochs", .crews = {{Role::kEpochs, 4}}}),
    with_warranties({.name = "WarrantiesAndSlowDisks", .logged = true}),
    with_warranties({.name = "WarrantiesCrashing", .logged = true, .crashes = true}),
    with_looks({.name = "PastOfAbstractLocks"}),
    with_looks({.name = "PastOfReaderWriterLocks", .conditions = {LockKind::kReaderWriter}}),
    with_looks({.name = "PastLosingSessions", .sessions_lost = true}),
    with_looks({.name = "PastLeavingInParts", .leaves_at_once = 2}),
    with_looks({.name = "PastWithCheckpoints", .logged = true, .durable = true, .checkpoints = true}),
    with_moves({.name = "MovesInCalm"}),
    with_moves({.name = "MovesCrashing", .crashes = true}),
    with_moves({.name = "MovesOverThreeShards", .crashes = true, .shards = 3}),
    with_moves({.name = "MovesToAShardThatJoins", .crashes = true, .shards = 3, .dealt = 2}),
    with_moves({.name = "MovesLeavingInParts", .crashes = true, .leaves_at_once = 1}),
};

std::string contents_of_all(Storm& storm) {
  std::string all;
  for (auto& shard : storm.world.shards) all += contents(*shard);
  return all;
}

class Storms : public ::testing::TestWithParam<StormKind> {};

TEST_P(Storms, GiveTheSameWhenReplayedInTimestampOrder) {
  const StormKind& kind = GetParam();
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? kind.seeds : std::strtoull(more, nullptr, 10);
  Tally total;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed, kind);
    storm.run();
    storm.finish();
    total += storm.tally;
    if (HasFailure()) return;
  }
  for (const auto& [what, times] : total) RecordProperty(what, static_cast<int>(times));
  for (const Expected& one : kind.expected) {
    EXPECT_EQ(static_cast<double>(total[one.what]) > one.per_storm * static_cast<double>(seeds), one.happens)
        << one.what << ": " << total[one.what];
  }
}

class WatchedStorms : public ::testing::TestWithParam<StormKind> {};

TEST_P(WatchedStorms, AreAsTheyWouldBeAlone) {
  Watcher::Seen seen;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Watcher watcher(seed, seen);
    Storm alone(seed, GetParam()), watched(seed, GetParam(), [&](Storm&storm) { watcher.act(storm.world); });
    for (Storm* one : {&alone, &watched}) {
      one->run();
      one->finish();
    }
    for (const char* what : {"committed", "aborts"}) EXPECT_EQ(watched.tally[what], alone.tally[what]) << what;
    EXPECT_TRUE(contents_of_all(watched) == contents_of_all(alone));
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.frames, 1000u);
  EXPECT_GT(seen.slices, 1000u);
  EXPECT_EQ(std::min(seen.waits, seen.phases) > 20, GetParam().conditions.phasing) << seen.waits << ' ' << seen.phases;
  // Few waiters are shown without a blocker.
  EXPECT_LE(seen.free * 200, seen.waits);
}

const auto kName = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(OfLocks, Storms, ::testing::ValuesIn(kOfLocks), kName);
INSTANTIATE_TEST_SUITE_P(Of, Storms, ::testing::ValuesIn(kOfOthers), kName);
INSTANTIATE_TEST_SUITE_P(OfLocks, WatchedStorms, ::testing::ValuesIn(kOfLocks), kName);

TEST(StormCheckpoints, ChangeNothingThatClientsSee) {
  const StormKind kind = with_locks({.name = "KeepingALog", .sessions_lost = true, .logged = true});
  std::size_t finished = 0;
  const Storm::Watch take_pieces = [&](Storm& storm) {
    for (const auto& shard : storm.world.shards) {
      shard->begin_checkpoint();  // or the one in progress goes on
      CheckpointPiece piece;
      EXPECT_FALSE(shard->take_checkpoint(100, piece));
      finished += piece.position != 0 ? 1 : 0;
    }
  };
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm alone(seed, kind), kept(seed, kind, take_pieces);
    for (Storm* one : {&alone, &kept}) {
      one->run();
      one->finish();
    }
    for (const char* what : {"committed", "aborts"}) EXPECT_EQ(kept.tally[what], alone.tally[what]) << what;
    EXPECT_TRUE(contents_of_all(kept) == contents_of_all(alone));
    if (HasFailure()) return;
  }
  EXPECT_GT(finished, 100u);
}

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

// It needs the shard at every moment, and a log without checkpoints.
TEST(StormLogs, GiveTheStateOfAnyMomentByTheirPrefixes) {
  struct Snapshot {
    std::size_t entries;
    std::string contents;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Snapshot> snapshots;
    Storm storm(seed, with_locks({.sessions_lost = true, .logged = true, .durable = true}), [&](Storm& at) {
      snapshots.push_back({at.disks.written(0), contents(*at.world.shards[0])});
    });
    storm.run();
    const std::vector<std::string> log = storm.disks.entries(0);
    std::size_t votes = 0;
    for (std::size_t i = 0; i < snapshots.size(); i += 7) {
      const auto rebuilt = storm.disks.rebuilt(0, snapshots[i].entries);
      EXPECT_EQ(contents(*rebuilt), snapshots[i].contents) << snapshots[i].entries << " entries";
      const std::size_t standing = standing_votes(log, snapshots[i].entries);
      EXPECT_EQ(rebuilt->engine().attempts_in_flight(), standing);
      votes += standing;
    }
    EXPECT_GT(votes, 20u) << "a log without votes proves little";
    EXPECT_GT(log.size(), 100u);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace claret::testing

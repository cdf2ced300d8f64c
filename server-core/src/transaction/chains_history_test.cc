// Strict serializability beside chains, seen from outside: clients whose bodies change their minds send chains, while others run transactions
// with locks over two shards, one-shots and natives. Then every committed transaction is replayed alone, in the order of commit timestamps.
// Each must get the results that its client relied on, and both stores must end in the same state. CLARET_SEEDS=1000 runs a thousand storms
// of each kind.
#include <gtest/gtest.h>

#include <cstdlib>

#include "shard/test_disk.h"
#include "transaction/test_chain_actor.h"
#include "transaction/test_native_client.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

struct ChainKind {
  const char* name;
  bool locks = false;  // transactions with locks beside the chains
  bool natives = false;
  bool sessions_lost = false;
  bool switched = false;
  bool logged = false;
  bool crashes = false;
  bool checkpoints = false;
  std::uint32_t operations_per_turn = 0;  // 0: the default
  LockKind lock_kind = LockKind::kAbstract;
};

struct ChainStorm {
  std::size_t committed = 0;
  ChainCounts counts;
  std::uint64_t answered_again = 0;
  std::uint64_t waited = 0;  // members, for a turn
  std::uint64_t checkpoints = 0;
  std::uint64_t parts = 0;
};

ChainStorm chain_storm(std::uint64_t seed, const ChainKind& kind, int turns) {
  Dice dice(seed);
  ShardOptions options = kind.logged ? logged_options() : ShardOptions{};
  if (kind.operations_per_turn != 0) options.operations_per_turn = kind.operations_per_turn;
  World world(2, options);
  Disks disks(world, options);
  Links links(world);
  const Conditions conditions{.locks = kind.lock_kind};
  for (auto& shard : world.shards) shard->set_conditions(conditions, world.now());
  disks.sync_all();
  if (kind.logged) {
    world.after_input = [&] {
      if (dice.below(3) == 0) disks.sync(static_cast<std::uint32_t>(dice.below(2)));
    };
  }
  ChainStorm result;
  std::vector<Committed> history;
  std::vector<std::unique_ptr<ChainActor>> chains;
  std::vector<std::unique_ptr<Actor>> locks;
  std::vector<std::unique_ptr<NativeClient>> natives;
  for (std::uint32_t i = 0; i < 6; ++i) chains.push_back(std::make_unique<ChainActor>(world, i + 1, i % 2, history));
  for (std::uint32_t i = 0; i < (kind.locks ? 3 : 0); ++i) locks.push_back(std::make_unique<Actor>(world, 100 + i, history));
  for (std::uint32_t i = 0; i < (kind.natives ? 4 : 0); ++i) {
    natives.push_back(std::make_unique<NativeClient>(world, 200 + i, i % 2, kind.crashes, history));
  }
  const auto count_shards = [&](Shard& shard) {
    const Totals& totals = shard.counters().totals;
    result.answered_again += totals.answered_again;
  };
  for (int turn = 0; turn < turns; ++turn) {
    chains[dice.below(chains.size())]->act(dice);
    if (!locks.empty() && dice.below(3) == 0) {
      Actor& actor = *locks[dice.below(locks.size())];
      actor.act(dice);
      if (dice.below(2) == 0) actor.deliver_outcomes();
    }
    if (!natives.empty() && dice.below(4) == 0) natives[dice.below(natives.size())]->act(dice);
    if (kind.sessions_lost && dice.below(60) == 0) chains[dice.below(chains.size())]->lose_session();
    if (kind.crashes && dice.below(200) == 0) {
      const auto shard = static_cast<std::uint32_t>(dice.below(2));
      links.break_all();
      count_shards(*world.shards[shard]);
      disks.crash(shard, dice.below(4));
      result.parts += disks.kept(shard, disks.written(shard)).of_kind(KeyKind::kPart);
      for (std::size_t i = 0; i < chains.size(); ++i) {
        if (i % 2 == shard) chains[i]->lose_session();
      }
      for (auto& one : locks) one->lose_session(shard);
      for (std::size_t i = 0; i < natives.size(); ++i) {
        if (i % 2 == shard) natives[i]->connect();
      }
    }
    if (kind.switched && dice.below(150) == 0) {
      for (auto& shard : world.shards) {
        const LockKind other = dice.below(2) == 0 ? LockKind::kReaderWriter : LockKind::kAbstract;
        const char* combining[] = {"off", "auto", "on"};
        shard->set_conditions({.locks = other, .combining = combining[dice.below(3)]}, world.now());
      }
    }
    if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(12)) / 4);
    if (dice.below(5) == 0) links.carry();
    for (std::uint64_t left = kind.checkpoints ? dice.below(4) : 0; left > 0; --left) {
      result.checkpoints += disks.checkpoint(static_cast<std::uint32_t>(dice.below(2)), dice.below(dice.below(4) == 0 ? 300 : 60)) ? 1 : 0;
    }
  }
  for (auto& shard : world.shards) shard->set_conditions(conditions, world.now());
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  for (int turn = 0; turn < 200; ++turn) {
    for (auto& one : chains) one->finish(dice);
    for (auto& one : locks) {
      one->finish();
      one->deliver_outcomes();
    }
    for (auto& one : natives) one->idle();
    links.carry();
    world.tick(5);
  }
  result.committed = history.size();
  for (auto& one : chains) {
    EXPECT_TRUE(one->idle());
    result.counts += one->counts;
  }
  for (auto& one : locks) EXPECT_TRUE(one->idle());
  for (auto& one : natives) EXPECT_TRUE(one->idle());
  for (auto& shard : world.shards) {
    EXPECT_EQ(shard->participant().attempts_in_flight(), 0u);
    EXPECT_EQ(shard->participant().wounds().waiting().size(), 0u);
    count_shards(*shard);
  }
  Prober prober(world);
  if (::testing::Test::HasFailure()) return result;
  EXPECT_TRUE(replay(std::move(history)) == prober.reads()) << "both stores end in the same state";
  EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  return result;
}

class ChainHistory : public ::testing::TestWithParam<ChainKind> {};

TEST_P(ChainHistory, IsTheSameWhenReplayedInTimestampOrder) {
  ChainStorm total;
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 20 : std::strtoull(more, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ChainStorm result = chain_storm(seed, GetParam(), 1500);
    total.committed += result.committed;
    total.counts += result.counts;
    total.answered_again += result.answered_again;
    total.checkpoints += result.checkpoints;
    total.parts += result.parts;
    if (HasFailure()) return;
  }
  RecordProperty("committed", static_cast<int>(total.committed));
  EXPECT_GT(total.counts.in, 1000u);
  EXPECT_GT(total.counts.ended, 500u);
  EXPECT_GT(total.counts.out, 100u);
  EXPECT_GT(total.counts.broken, 50u);
  EXPECT_GT(total.counts.refused, 20u);
  EXPECT_GT(total.answered_again, 100u);
  EXPECT_GT(total.counts.denied, 20u);
  EXPECT_EQ(total.counts.asked > 50, GetParam().sessions_lost || GetParam().crashes);
  EXPECT_EQ(total.checkpoints > 100, GetParam().checkpoints) << total.checkpoints;
  EXPECT_EQ(total.parts > 50, GetParam().checkpoints) << total.parts;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ChainHistory,
    ::testing::Values(ChainKind{.name = "Alone"}, ChainKind{.name = "BesideLocks", .locks = true},
                      ChainKind{.name = "BesideLocksAndNatives", .locks = true, .natives = true},
                      ChainKind{.name = "LosingSessions", .locks = true, .natives = true, .sessions_lost = true},
                      ChainKind{.name = "SwitchingConditions", .locks = true, .natives = true, .switched = true},
                      ChainKind{.name = "InSmallTurns", .locks = true, .natives = true, .sessions_lost = true, .operations_per_turn = 2},
                      ChainKind{.name = "BesideReaderWriterLocks", .locks = true, .natives = true, .lock_kind = LockKind::kReaderWriter},
                      ChainKind{.name = "KeepingALog", .locks = true, .natives = true, .sessions_lost = true, .logged = true},
                      ChainKind{.name = "Crashing", .locks = true, .natives = true, .logged = true, .crashes = true},
                      ChainKind{.name = "CrashingWithCheckpoints",
                                .locks = true,
                                .natives = true,
                                .sessions_lost = true,
                                .logged = true,
                                .crashes = true,
                                .checkpoints = true}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace claret::testing

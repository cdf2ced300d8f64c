// Strict serializability over two shards, seen from outside: clients whose chains span both shards and commit in batches, beside chains of one
// shard, transactions with locks and natives. Then every committed transaction is replayed alone, in the order of commit timestamps; those of
// a batch in their order in the chain. CLARET_SEEDS=1000 runs a thousand storms of each kind.
#include <gtest/gtest.h>

#include <cstdlib>

#include "shard/test_disk.h"
#include "transaction/test_batch_actor.h"
#include "transaction/test_native_client.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

struct BatchKind {
  const char* name;
  bool others = false;  // chains of one shard, transactions with locks, natives
  bool sessions_lost = false;
  bool switched = false;
  bool logged = false;
  bool crashes = false;
  bool checkpoints = false;
  std::uint32_t operations_per_turn = 0;  // 0: the default
};

struct BatchStorm {
  BatchCounts counts;
  std::uint64_t stood_back = 0;
  std::uint64_t displaced = 0;
  std::uint64_t checkpoints = 0;
};

// Everything that acts in a storm.
class Crowd {
 public:
  Crowd(World& world, const BatchKind& kind, std::vector<Committed>& history) {
    for (std::uint32_t i = 0; i < 4; ++i) wide.push_back(std::make_unique<BatchActor>(world, 300 + i, history));
    if (!kind.others) return;
    for (std::uint32_t i = 0; i < 4; ++i) chains.push_back(std::make_unique<ChainActor>(world, i + 1, i % 2, history));
    for (std::uint32_t i = 0; i < 2; ++i) locks.push_back(std::make_unique<Actor>(world, 100 + i, history));
    for (std::uint32_t i = 0; i < 2; ++i) natives.push_back(std::make_unique<NativeClient>(world, 200 + i, i % 2, kind.crashes, history));
  }

  void act(Dice& dice) {
    wide[dice.below(wide.size())]->act(dice);
    if (!chains.empty() && dice.below(2) == 0) chains[dice.below(chains.size())]->act(dice);
    if (!natives.empty() && dice.below(6) == 0) natives[dice.below(natives.size())]->act(dice);
    if (locks.empty() || dice.below(4) != 0) return;
    Actor& actor = *locks[dice.below(locks.size())];
    actor.act(dice);
    if (dice.below(2) == 0) actor.deliver_outcomes();
  }
  void shard_is_lost(std::uint32_t shard) {
    for (auto& one : wide) one->lose_session(shard);
    for (auto& one : locks) one->lose_session(shard);
    for (std::size_t i = shard; i < chains.size(); i += 2) chains[i]->lose_session();
    for (std::size_t i = shard; i < natives.size(); i += 2) natives[i]->connect();
  }
  void finish(Dice& dice) {
    for (auto& one : wide) one->finish(dice);
    for (auto& one : chains) one->finish(dice);
    for (auto& one : locks) {
      one->finish();
      one->deliver_outcomes();
    }
    for (auto& one : natives) one->idle();
  }
  void expect_idle() {
    for (auto& one : wide) EXPECT_TRUE(one->idle());
    for (auto& one : chains) EXPECT_TRUE(one->idle());
    for (auto& one : locks) EXPECT_TRUE(one->idle());
    for (auto& one : natives) EXPECT_TRUE(one->idle());
  }

  std::vector<std::unique_ptr<BatchActor>> wide;

 private:
  std::vector<std::unique_ptr<ChainActor>> chains;
  std::vector<std::unique_ptr<Actor>> locks;
  std::vector<std::unique_ptr<NativeClient>> natives;
};

void switch_conditions(World& world, Dice& dice) {
  for (auto& shard : world.shards) {
    const LockKind other = dice.below(2) == 0 ? LockKind::kReaderWriter : LockKind::kAbstract;
    const char* combining[] = {"off", "auto", "on"};
    shard->set_conditions({.locks = other, .combining = combining[dice.below(3)]}, world.now());
  }
}

BatchStorm batch_storm(std::uint64_t seed, const BatchKind& kind, int turns) {
  Dice dice(seed);
  ShardOptions options = kind.logged ? logged_options() : ShardOptions{};
  if (kind.operations_per_turn != 0) options.operations_per_turn = kind.operations_per_turn;
  World world(2, options);
  Disks disks(world, options);
  Links links(world);
  for (auto& shard : world.shards) shard->set_conditions({}, world.now());
  disks.sync_all();
  if (kind.logged) {
    world.after_input = [&] {
      if (dice.below(3) == 0) disks.sync(static_cast<std::uint32_t>(dice.below(2)));
    };
  }
  BatchStorm result;
  std::vector<Committed> history;
  Crowd crowd(world, kind, history);
  const auto count = [&](const Shard& shard) {
    result.stood_back += shard.counters().totals.stood_back;
    const auto& breaks = shard.counters().totals.breaks;
    const auto displaced = breaks.find(reasons::kDisplaced);
    if (displaced != breaks.end()) result.displaced += displaced->second;
  };
  for (int turn = 0; turn < turns; ++turn) {
    crowd.act(dice);
    if (kind.sessions_lost && dice.below(60) == 0) {
      crowd.wide[dice.below(crowd.wide.size())]->lose_session(static_cast<std::uint32_t>(dice.below(2)));
    }
    if (kind.crashes && dice.below(200) == 0) {
      const auto shard = static_cast<std::uint32_t>(dice.below(2));
      links.break_all();
      count(*world.shards[shard]);
      disks.crash(shard, dice.below(4));
      crowd.shard_is_lost(shard);
    }
    if (kind.switched && dice.below(150) == 0) switch_conditions(world, dice);
    if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(12)) / 4);
    if (dice.below(5) == 0) links.carry();
    for (std::uint64_t left = kind.checkpoints ? dice.below(4) : 0; left > 0; --left) {
      result.checkpoints += disks.checkpoint(static_cast<std::uint32_t>(dice.below(2)), dice.below(dice.below(4) == 0 ? 300 : 60)) ? 1 : 0;
    }
  }
  for (auto& shard : world.shards) shard->set_conditions({}, world.now());
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  for (int turn = 0; turn < 200; ++turn) {
    crowd.finish(dice);
    links.carry();
    world.tick(5);
  }
  crowd.expect_idle();
  for (auto& one : crowd.wide) result.counts += one->counts;
  for (auto& shard : world.shards) {
    EXPECT_EQ(shard->participant().attempts_in_flight(), 0u);
    EXPECT_EQ(shard->participant().wounds().waiting().size(), 0u);
    count(*shard);
  }
  Prober prober(world);
  if (::testing::Test::HasFailure()) return result;
  EXPECT_TRUE(replay(std::move(history)) == prober.reads()) << "both stores end in the same state";
  EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  return result;
}

class BatchHistory : public ::testing::TestWithParam<BatchKind> {};

TEST_P(BatchHistory, IsTheSameWhenReplayedInTimestampOrder) {
  BatchStorm total;
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 20 : std::strtoull(more, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const BatchStorm result = batch_storm(seed, GetParam(), 2000);
    total.counts += result.counts;
    total.stood_back += result.stood_back;
    total.displaced += result.displaced;
    total.checkpoints += result.checkpoints;
    if (HasFailure()) return;
  }
  RecordProperty("batches", static_cast<int>(total.counts.batches));
  EXPECT_GT(total.counts.batches, 200u);
  EXPECT_GT(total.counts.members, total.counts.batches);
  EXPECT_GT(total.counts.worded, 200u);
  EXPECT_GT(total.counts.aborted, 50u);
  EXPECT_GT(total.counts.broken, 50u);
  EXPECT_GT(total.counts.withdrawn, 50u);
  EXPECT_GT(total.stood_back, 10u);
  EXPECT_GT(total.displaced, 10u);
  EXPECT_EQ(total.counts.asked > 20, GetParam().sessions_lost || GetParam().crashes) << total.counts.asked;
  EXPECT_EQ(total.checkpoints > 100, GetParam().checkpoints) << total.checkpoints;
}

INSTANTIATE_TEST_SUITE_P(Kinds, BatchHistory,
                         ::testing::Values(BatchKind{.name = "Alone"}, BatchKind{.name = "BesideOthers", .others = true},
                                           BatchKind{.name = "LosingSessions", .others = true, .sessions_lost = true},
                                           BatchKind{.name = "SwitchingConditions", .others = true, .switched = true},
                                           BatchKind{
                                               .name = "InSmallTurns", .others = true, .sessions_lost = true, .operations_per_turn = 2},
                                           BatchKind{.name = "KeepingALog", .others = true, .sessions_lost = true, .logged = true},
                                           BatchKind{.name = "Crashing", .others = true, .logged = true, .crashes = true},
                                           BatchKind{.name = "CrashingWithCheckpoints",
                                                     .others = true,
                                                     .sessions_lost = true,
                                                     .logged = true,
                                                     .crashes = true,
                                                     .checkpoints = true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace claret::testing

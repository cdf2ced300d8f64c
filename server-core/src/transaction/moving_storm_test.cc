// Slots that move, at random: clients run transactions over the shards, natives, chains and transactions with an id, while runs of slots move
// back and forth, moves are called off, and shards crash at any step. Then every committed transaction is replayed alone, in the order of
// timestamps, on an empty store: each must get the same results. Each slot has one owner, and each record is there and nowhere else.
// CLARET_SEEDS=1000 runs a thousand storms of each kind instead of four.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "transaction/test_chain_actor.h"
#include "transaction/test_moves.h"
#include "transaction/test_native_client.h"
#include "transaction/test_once_client.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

using Stage = Mover::Stage;

struct MovingKind {
  const char* name;
  std::uint32_t shards = 2;
  std::uint32_t dealt = 0;
  bool crashes = true;
  bool checkpoints = true;
  std::size_t leaves_at_once = 256;
};
void PrintTo(const MovingKind& kind, std::ostream* out) { *out << kind.name; }

struct Sums {
  std::size_t committed = 0, finished = 0, called_off = 0, resumed = 0, crashes = 0, checkpoints = 0, once_again = 0, natives = 0,
              members = 0;
};

class Storm {
 public:
  Storm(std::uint64_t seed, const MovingKind& kind) : kind_(kind), dice_(seed), options_(logged_options()) {
    options_.participant.visits_leave_at_once = kind.leaves_at_once;
    world_ = std::make_unique<World>(kind.shards, options_, kind.dealt);
    disks_ = std::make_unique<Disks>(*world_, options_);
    links_ = std::make_unique<Links>(*world_);
    mover_ = std::make_unique<Mover>(*world_, *disks_);
    world_->tick(0);
    disks_->sync_all();
    world_->owners.resize(kSlots);
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) world_->owners[slot] = shard_of_slot(slot, world_->dealt);
    world_->after_input = [this] {
      if (dice_.below(3) == 0) disks_->sync(static_cast<std::uint32_t>(dice_.below(kind_.shards)));
    };
    for (std::uint32_t i = 0; i < 6; ++i) actors_.push_back(std::make_unique<Actor>(*world_, i + 1, history_));
    for (std::uint32_t i = 0; i < 3; ++i) {
      once_.push_back(std::make_unique<OnceClient>(*world_, 20 + i, history_));
      natives_.push_back(std::make_unique<SettledNatives>(*world_, 30 + i, history_));
    }
    for (std::uint32_t shard = 0; shard < kind.shards; ++shard) {
      chains_.push_back(std::make_unique<ChainActor>(*world_, 40 + shard, shard, history_));
    }
  }

  void run(int turns) {
    for (int turn = 0; turn < turns && !::testing::Test::HasFailure(); ++turn) {
      actors_[dice_.below(actors_.size())]->act(dice_);
      if (dice_.below(2) == 0) actors_[dice_.below(actors_.size())]->deliver_outcomes();
      once_[dice_.below(once_.size())]->act(dice_);
      natives_[dice_.below(natives_.size())]->act(dice_);
      chains_[dice_.below(chains_.size())]->act(dice_);
      move();
      if (kind_.crashes && dice_.below(60) == 0) crash(static_cast<std::uint32_t>(dice_.below(kind_.shards)));
      if (dice_.below(3) == 0) world_->tick(static_cast<double>(dice_.below(5)));
      if (dice_.below(4) == 0) links_->carry();
      if (kind_.checkpoints && dice_.below(3) == 0) {
        const auto shard = static_cast<std::uint32_t>(dice_.below(kind_.shards));
        sums.checkpoints += disks_->checkpoint(shard, 40 + dice_.below(400)) ? 1 : 0;
      }
      if (dice_.below(100) == 0) compare(static_cast<std::uint32_t>(dice_.below(kind_.shards)));
    }
  }

  // Everything comes to an end; then it is judged.
  void finish() {
    if (::testing::Test::HasFailure()) return;
    kind_.crashes = false;
    disks_->sync_all();
    world_->after_input = [this] { disks_->sync_all(); };
    for (int turn = 0; turn < 300; ++turn) {
      for (auto& actor : actors_) {
        actor->finish();
        actor->deliver_outcomes();
      }
      for (auto& client : once_) client->finish();
      for (auto& client : natives_) client->finish();
      for (auto& chain : chains_) chain->finish(dice_);
      if (turn > 100) go_on();
      links_->carry();
      world_->tick(20);
    }
    judge();
  }

  Sums sums;

 private:
  Shard& shard(std::uint32_t number) { return *world_->shards[number]; }

  void move() {
    if (dice_.below(2) == 0) return;
    if (mover_->idle()) {
      if (dice_.below(4) == 0) begin();
      return;
    }
    if (mover_->stage() <= Stage::kGives && dice_.below(80) == 0) return mover_->call_off();
    if (dice_.below(40) == 0) return mover_->call_off_drain();
    go_on();
  }

  void go_on() {
    if (mover_->idle()) return;
    if (mover_->stage() == Stage::kCopies && mover_->nothing_left() && dice_.below(3) != 0) return mover_->drain();
    const std::size_t finished = mover_->finished;
    const Stage stage = mover_->stage();
    mover_->step();
    if (kind_.crashes && mover_->stage() != stage && dice_.below(5) == 0) crash(dice_.below(2) == 0 ? mover_->from() : mover_->to());
    // Clients learn of it at any time after the giver has given.
    if (mover_->finished != finished || (mover_->stage() >= Stage::kTakes && dice_.below(3) == 0)) route();
  }

  void begin() {
    const auto from = static_cast<std::uint32_t>(dice_.below(kind_.shards));
    const auto to = static_cast<std::uint32_t>((from + 1 + dice_.below(kind_.shards - 1)) % kind_.shards);
    const std::vector<OwnedRun> runs = shard(from).slots();
    if (runs.empty()) return;
    SlotRun slots = runs[dice_.below(runs.size())].slots;
    if (dice_.below(3) != 0) {
      const std::uint32_t length = slots.last - slots.first + 1;
      slots.first += static_cast<std::uint32_t>(dice_.below(length));
      slots.last = slots.first + static_cast<std::uint32_t>(dice_.below(slots.last - slots.first + 1));
    }
    mover_->piece_bytes = 60 + dice_.below(dice_.below(2) == 0 ? 200 : 2000);
    mover_->wound_after_ms = static_cast<double>(dice_.below(30));
    mover_->begin(from, to, slots);
  }

  // Clients learn which shard owns which slots: the greatest version counts.
  void route() {
    std::vector<std::uint32_t> versions(kSlots, 0);
    for (std::uint32_t number = 0; number < kind_.shards; ++number) {
      for (const OwnedRun& run : shard(number).slots()) {
        for (std::uint32_t slot = run.slots.first; slot <= run.slots.last; ++slot) {
          if (run.version < versions[slot]) continue;
          versions[slot] = run.version;
          world_->owners[slot] = number;
        }
      }
    }
  }

  void crash(std::uint32_t number) {
    ++sums.crashes;
    links_->break_all();
    disks_->crash(number, dice_.below(4));
    for (auto& actor : actors_) actor->lose_session(number);
    for (auto& client : once_) client->lose_session(number);
    for (auto& client : natives_) client->lose_session(number);
    chains_[number]->lose_session();
    mover_->restarted();
    route();
  }

  // A start from the checkpoint and the entries behind it equals a start from all entries.
  void compare(std::uint32_t number) {
    const Kept kept = disks_->kept(number, disks_->written(number));
    const auto rebuilt = disks_->rebuilt(number, kept), reference = disks_->rebuilt(number, Kept{.entries = kept.entries});
    // Attempts that leave in parts may reach a record in another order, which shows in the timestamps.
    const bool in_order = kind_.leaves_at_once > 1;
    EXPECT_EQ(contents(*rebuilt, in_order), contents(*reference, in_order));
    EXPECT_EQ(rebuilt->slots(), reference->slots());
    EXPECT_EQ(rebuilt->moves().given(), reference->moves().given());
    EXPECT_EQ(rebuilt->moves().imported(), reference->moves().imported());
    EXPECT_EQ(rebuilt->participant().attempts_in_flight(), reference->participant().attempts_in_flight());
    EXPECT_EQ(shard(number).moves().imported(), reference->moves().imported());
    EXPECT_EQ(shard(number).moves().given(), reference->moves().given());
  }

  void judge() {
    route();
    sums.committed = history_.size();
    sums.finished = mover_->finished;
    sums.called_off = mover_->called_off;
    sums.resumed = mover_->resumed;
    EXPECT_TRUE(mover_->idle());
    for (auto& actor : actors_) EXPECT_TRUE(actor->idle());
    for (auto& client : once_) {
      EXPECT_TRUE(client->idle());
      sums.once_again += client->answered_again;
    }
    for (auto& client : natives_) {
      EXPECT_TRUE(client->idle());
      sums.natives += client->executed;
    }
    for (auto& chain : chains_) {
      EXPECT_TRUE(chain->idle());
      sums.members += chain->counts.in + chain->counts.ended;
    }
    for (auto& one : world_->shards) EXPECT_EQ(one->participant().attempts_in_flight(), 0u);
    std::vector<std::uint32_t> owners(kSlots, 0);
    for (auto& one : world_->shards) {
      for (const OwnedRun& run : one->slots()) {
        for (std::uint32_t slot = run.slots.first; slot <= run.slots.last; ++slot) ++owners[slot];
      }
    }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1u), kSlots) << "each slot has one owner";
    for (const Probe& probe : probes()) {
      for (int i = 0; i < kKeysOfAType; ++i) {
        const std::string key = probe.stem + std::to_string(i);
        std::size_t there = 0;
        for (auto& one : world_->shards) {
          const Record* record = one->participant().records().find(key);
          there += record != nullptr && !record->gone && record->last_commit != 0 ? 1 : 0;
        }
        EXPECT_LE(there, 1u) << key;
      }
    }
    for (std::uint32_t number = 0; number < kind_.shards; ++number) {
      compare(number);
      const auto rebuilt = disks_->rebuilt(number, disks_->written(number));
      EXPECT_EQ(contents(shard(number), kind_.leaves_at_once > 1), contents(*rebuilt, kind_.leaves_at_once > 1));
      EXPECT_EQ(shard(number).participant().records().size(), rebuilt->participant().records().size());
    }
    if (::testing::Test::HasFailure()) return;
    Prober prober(*world_);
    EXPECT_TRUE(replay(std::move(history_)) == prober.reads()) << "both stores end in the same state";
    EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  }

  MovingKind kind_;
  Dice dice_;
  ShardOptions options_;
  std::unique_ptr<World> world_;
  std::unique_ptr<Disks> disks_;
  std::unique_ptr<Links> links_;
  std::unique_ptr<Mover> mover_;
  std::vector<Committed> history_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<std::unique_ptr<OnceClient>> once_;
  std::vector<std::unique_ptr<SettledNatives>> natives_;
  std::vector<std::unique_ptr<ChainActor>> chains_;
};

class MovingStorm : public ::testing::TestWithParam<MovingKind> {};

TEST_P(MovingStorm, LosesNothingAndDoesNothingTwice) {
  Sums total;
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 4 : std::strtoull(more, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed, GetParam());
    storm.run(1500);
    storm.finish();
    if (HasFailure()) return;
    total.committed += storm.sums.committed;
    total.finished += storm.sums.finished;
    total.called_off += storm.sums.called_off;
    total.resumed += storm.sums.resumed;
    total.crashes += storm.sums.crashes;
    total.checkpoints += storm.sums.checkpoints;
    total.once_again += storm.sums.once_again;
    total.natives += storm.sums.natives;
    total.members += storm.sums.members;
  }
  std::printf(
      "%zu commits, %zu natives, %zu members, %zu ids again; %zu moves, %zu called off, %zu resumed, %zu crashes, %zu checkpoints\n",
      total.committed, total.natives, total.members, total.once_again, total.finished, total.called_off, total.resumed, total.crashes,
      total.checkpoints);
  EXPECT_GT(total.finished, 4 * seeds);
  EXPECT_GT(total.called_off, 0u);
  EXPECT_GT(total.once_again, 10 * seeds);
  EXPECT_GT(total.committed, 100 * seeds);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MovingStorm,
                         ::testing::Values(MovingKind{"Calm", 2, 0, false}, MovingKind{"WithCrashes"}, MovingKind{"OverThreeShards", 3},
                                           MovingKind{"WithAShardThatJoins", 3, 2}, MovingKind{"LeavingInParts", 2, 0, true, true, 1}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace claret::testing

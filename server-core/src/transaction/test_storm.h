// For tests of histories: actors of several kinds do whatever they may at random, while sessions break, shards crash, disks stop, conditions
// change and slots move. Then every committed transaction is replayed alone, in the order of commit timestamps, on an empty store. Each must
// get the same results as before, and both stores must end in the same state (docs/rules.md, section 8).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shard/test_disk.h"
#include "transaction/test_batch_actor.h"
#include "transaction/test_epoch_actor.h"
#include "transaction/test_holder.h"
#include "transaction/test_looker.h"
#include "transaction/test_moving_slots.h"
#include "transaction/test_native_client.h"
#include "transaction/test_once_client.h"

namespace claret::testing {

enum class Role : std::uint8_t { kLocks, kChains, kWideChains, kNatives, kResumingNatives, kIds, kWarranties, kLooks, kMoves, kEpochs };

// Actors of one kind, one of which acts in one turn of several.
struct Crew {
  Role role;
  std::uint32_t size;
  std::uint64_t one_in = 1;
};

// More than `per_storm` on average if `happens`; otherwise no more.
struct Expected {
  const char* what;
  double per_storm = 0;
  bool happens = true;
};

struct StormKind {
  std::string name;
  std::vector<Crew> crews;
  Conditions conditions;
  bool switched = false;  // to any other conditions, shard by shard
  bool sessions_lost = false;
  bool logged = false;
  bool durable = false;  // whatever was logged, at once
  bool crashes = false;  // shards restart from their logs, part of which is not durable
  bool checkpoints = false;  // in small pieces, continuously
  bool disks_stop = false;  // for a while; half of the disks report that they are full
  bool pauses = false;  // time passes in leaps now and then
  std::uint32_t operations_per_turn = 0;  // 0: the default
  std::size_t leaves_at_once = 0;  // 0: the default
  std::uint32_t shards = 2;
  std::uint32_t dealt = 0;  // the shards that have slots at first; 0: all
  std::uint64_t crash_one_in = 150;
  std::uint64_t seeds = 15;
  int turns = 1500;
  std::vector<Expected> expected;

  bool has(Role role) const {
    return std::any_of(crews.begin(), crews.end(), [&](const Crew& crew) { return crew.role == role; });
  }
};

class Storm {
 public:
  using Watch = std::function<void(Storm&)>;

  // `watch`: called in each turn.
  Storm(
      std::uint64_t seed, StormKind kind, Watch watch = [](Storm&) {})
      : kind_(std::move(kind)),
        watch_(std::move(watch)),
        dice_(seed),
        options_(options_of(kind_)),
        world(kind_.shards, options_, kind_.dealt),
        disks(world, options_),
        links_(world) {
    for (auto& shard : world.shards) shard->set_conditions(kind_.conditions, world.now());
    world.tick(0);
    disks.sync_all();
    if (kind_.durable) world.after_input = [this] { disks.sync_all(); };
    if (kind_.logged && !kind_.durable) {
      world.after_input = [this] {
        if (dice_.below(3) != 0) return;
        if (const std::uint32_t shard = any_shard(); shard != stopped_) disks.sync(shard);
      };
    }
    for (const Crew& crew : kind_.crews) {
      auto& actors = crews_.emplace_back();
      for (std::uint32_t i = 0; i < crew.size; ++i) actors.push_back(make(crew.role, i));
    }
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

  void run() {
    for (int turn = 0; turn < kind_.turns && !::testing::Test::HasFailure(); ++turn) {
      let_act();
      if (kind_.sessions_lost && dice_.below(20) == 0) any_actor().lose_session(any_shard());
      if (kind_.crashes && dice_.below(kind_.crash_one_in) == 0) crash(stopped_.value_or(any_shard()));
      if (kind_.disks_stop) stop_disks();
      if (kind_.switched && dice_.below(75) == 0) world.shards[any_shard()]->set_conditions(any_conditions(), world.now());
      if (dice_.below(3) == 0) world.tick(any_ms());
      if (dice_.below(5) == 0) links_.carry();
      // Pieces hold a few members at most.
      for (std::uint64_t left = kind_.checkpoints ? dice_.below(4) : 0; left > 0; --left) {
        tally["checkpoints"] += disks.checkpoint(any_shard(), dice_.below(dice_.below(4) == 0 ? 300 : 60)) ? 1 : 0;
      }
      watch_(*this);
    }
  }

  // Every actor ends what it has begun. Then nobody has or waits for anything, and the history is judged.
  void finish() {
    if (::testing::Test::HasFailure()) return;
    disk_goes_on();
    for (auto& shard : world.shards) shard->set_conditions(kind_.conditions, world.now());
    world.after_input = [this] { disks.sync_all(); };
    disks.sync_all();
    for (int turn = 0; turn < 300; ++turn) {
      each([&](StormActor& one) {
        one.finish(dice_);
        one.deliver_outcomes();
      });
      links_.carry();
      world.tick(20);
      watch_(*this);
    }
    each([](StormActor& one) { EXPECT_TRUE(one.idle()); });
    for (auto& shard : world.shards) {
      EXPECT_EQ(shard->engine().attempts_in_flight(), 0u);
      EXPECT_EQ(shard->engine().ground.wounds.waiting().size(), 0u);
      EXPECT_FALSE(shard->engine().warranties.any());
      EXPECT_EQ(shard->engine().warranties.grants(), 0u);
      note_totals(*shard);
    }
    judge();
  }

 private:
  StormKind kind_;
  Watch watch_;
  Dice dice_;
  ShardOptions options_;

 public:
  World world;
  Disks disks;
  Tally tally;

 private:
  static ShardOptions options_of(const StormKind& kind) {
    ShardOptions options = kind.logged ? logged_options() : ShardOptions{};
    if (kind.operations_per_turn != 0) options.operations_per_turn = kind.operations_per_turn;
    if (kind.leaves_at_once != 0) options.engine.visits_leave_at_once = kind.leaves_at_once;
    if (kind.has(Role::kLooks)) options.engine.past.keep_ms = 60'000;
    return options;
  }

  std::unique_ptr<StormActor> make(Role role, std::uint32_t i) {
    const std::uint32_t identity = 100 * static_cast<std::uint32_t>(role) + i + 1;
    using Sessions = NativeClient::Sessions;
    switch (role) {
      case Role::kLocks:
        return std::make_unique<Actor>(world, identity, history_);
      case Role::kChains:
        return std::make_unique<ChainActor>(world, identity, i % kind_.shards, history_);
      case Role::kWideChains:
        return std::make_unique<BatchActor>(world, identity, history_);
      case Role::kNatives:
        return std::make_unique<NativeClient>(world, identity, kind_.crashes ? Sessions::kLosable : Sessions::kKept, history_);
      case Role::kResumingNatives:
        return std::make_unique<NativeClient>(world, identity, Sessions::kResumed, history_);
      case Role::kIds:
        return std::make_unique<OnceClient>(world, identity, history_);
      case Role::kWarranties:
        return std::make_unique<Holder>(world, disks, identity, history_);
      case Role::kLooks:
        return std::make_unique<Looker>(world, identity, history_);
      case Role::kEpochs:
        return std::make_unique<EpochActor>(world, identity, history_);
      case Role::kMoves:
        break;
    }
    const auto crash_if = [this](std::uint32_t shard) {
      if (kind_.crashes) crash(shard);
    };
    return std::make_unique<MovingSlots>(world, disks, crash_if, kind_.leaves_at_once != 1);
  }

  std::uint32_t any_shard() { return static_cast<std::uint32_t>(dice_.below(kind_.shards)); }
  StormActor& any_actor() {
    std::vector<StormActor*> all;
    each([&](StormActor& one) { all.push_back(&one); });
    return *all[dice_.below(all.size())];
  }
  template <typename Each>
  void each(const Each& call) {
    for (auto& crew : crews_) {
      for (auto& actor : crew) call(*actor);
    }
  }

  void let_act() {
    for (std::size_t i = 0; i < crews_.size(); ++i) {
      if (dice_.below(kind_.crews[i].one_in) != 0) continue;
      StormActor& actor = *crews_[i][dice_.below(crews_[i].size())];
      actor.act(dice_);
      if (dice_.below(2) == 0) actor.deliver_outcomes();
    }
  }

  // ---- faults

  void crash(std::uint32_t shard) {
    ++tally["crashes"];
    if (shard == stopped_) stopped_.reset();
    links_.break_all();
    note_totals(*world.shards[shard]);
    disks.crash(shard, dice_.below(4));
    if (!kind_.switched) world.shards[shard]->set_conditions(kind_.conditions, world.now());
    tally["parts"] += disks.kept(shard, disks.written(shard)).of_kind(KeyKind::kPart);
    each([&](StormActor& one) { one.lose_session(shard); });
  }

  void stop_disks() {
    if (dice_.below(60) == 0) {
      disk_goes_on();
      stopped_ = any_shard();
      ++tally["disks stopped"];
      if (dice_.below(2) == 0) world.shards[*stopped_]->refuse_changes(LogTrouble::kDiskFull, world.now());
    } else if (dice_.below(40) == 0) {
      disk_goes_on();
    }
  }
  void disk_goes_on() {
    if (stopped_) world.shards[*stopped_]->refuse_changes(LogTrouble::kNone, world.now());
    stopped_.reset();
  }

  bool has_chains() const { return kind_.has(Role::kChains) || kind_.has(Role::kWideChains); }
  // Turns of members are times, so members meet within a millisecond.
  double any_ms() {
    if (kind_.pauses && dice_.below(20) == 0) return static_cast<double>(dice_.below(200));
    return has_chains() ? static_cast<double>(dice_.below(12)) / 4 : static_cast<double>(dice_.below(3));
  }

  // Chains meet only the conditions under which they may run, and none.
  Conditions any_conditions() {
    Conditions any{.locks = dice_.below(2) == 0 ? LockKind::kAbstract : LockKind::kReaderWriter};
    if (has_chains()) {
      any.combining = dice_.below(3) == 0 ? Combining::kOff : Combining::kAuto;
    } else {
      any.phasing = dice_.below(2) == 0;
    }
    return any;
  }

  // ---- the end

  // A crash takes a shard's counters with it.
  void note_totals(const Shard& shard) {
    const Totals& totals = shard.counters().totals;
    tally["answered again"] += totals.answered_again;
    tally["stood back"] += totals.stood_back;
    tally["recalled"] += totals.warranties_recalled;
    tally["lapsed"] += totals.grants_lapsed;
    const auto displaced = totals.breaks.find(reasons::kDisplaced);
    if (displaced != totals.breaks.end()) tally["displaced"] += displaced->second;
  }

  void judge() {
    tally["committed"] = history_.size();
    each([&](StormActor& one) {
      one.judge(history_);
      tally += one.counts;
    });
    Prober prober(world);
    if (::testing::Test::HasFailure()) return;
    EXPECT_TRUE(replay(std::move(history_)) == prober.reads()) << "both stores end in the same state";
    EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  }

  Links links_;
  std::optional<std::uint32_t> stopped_;  // the shard whose disk has stopped
  std::vector<Committed> history_;
  std::vector<std::vector<std::unique_ptr<StormActor>>> crews_;
};

}  // namespace claret::testing

// For tests of histories: moves runs of slots between the shards at random, and calls moves off. Each slot has one owner, and each record is
// there and nowhere else.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "transaction/test_mover.h"
#include "transaction/test_replay.h"

namespace claret::testing {

class MovingSlots : public StormActor {
 public:
  // `crash`: called at steps of moves, with a shard that is to crash. `in_order`: attempts do not leave in parts. Those that do may reach a
  // record in another order, which shows in the timestamps.
  MovingSlots(World& world, Disks& disks, std::function<void(std::uint32_t)> crash, bool in_order)
      : world_(world), disks_(disks), crash_(std::move(crash)), in_order_(in_order), mover_(world, disks) {
    world.owners.resize(kSlots);
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) world.owners[slot] = shard_of_slot(slot, world.dealt);
  }

  void act(Dice& dice) override {
    if (dice.below(2) == 0) move(dice);
    if (dice.below(100) == 0) compare(static_cast<std::uint32_t>(dice.below(shards())));
  }
  // What the gateway remembered of the move is gone.
  void lose_session(std::uint32_t) override {
    mover_.restarted();
    route();
  }
  void finish(Dice& dice) override {
    crash_ = [](std::uint32_t) {};
    // The others have ended by then, and nobody is in the way.
    if (++finishing_ > 100) go_on(dice);
  }
  bool idle() override { return mover_.idle(); }

  void judge(const std::vector<Committed>&) override {
    route();
    counts["moves"] += mover_.finished;
    counts["moves called off"] += mover_.called_off;
    counts["moves resumed"] += mover_.resumed;
    expect_one_place();
    for (std::uint32_t number = 0; number < shards(); ++number) {
      compare(number);
      const auto rebuilt = disks_.rebuilt(number, disks_.written(number));
      EXPECT_EQ(contents(shard(number), in_order_), contents(*rebuilt, in_order_));
      // A vacant record is kept for longer than its pair.
      EXPECT_EQ(shard(number).engine().ground.records.present(), rebuilt->engine().ground.records.present());
    }
  }

 private:
  using Stage = Mover::Stage;

  Shard& shard(std::uint32_t number) { return *world_.shards[number]; }
  std::uint32_t shards() const { return static_cast<std::uint32_t>(world_.shards.size()); }

  void move(Dice& dice) {
    if (mover_.idle()) {
      if (dice.below(4) == 0) begin(dice);
    } else if (mover_.stage() <= Stage::kGives && dice.below(80) == 0) {
      mover_.call_off();
    } else if (dice.below(40) == 0) {
      mover_.call_off_drain();
    } else {
      go_on(dice);
    }
  }

  void go_on(Dice& dice) {
    if (mover_.idle()) return;
    if (mover_.stage() == Stage::kCopies && mover_.nothing_left() && dice.below(3) != 0) return mover_.drain();
    const std::size_t finished = mover_.finished;
    const Stage stage = mover_.stage();
    mover_.step();
    if (mover_.stage() != stage && dice.below(5) == 0) crash_(dice.below(2) == 0 ? mover_.from() : mover_.to());
    // Clients learn of it at any time after the giver has given.
    if (mover_.finished != finished || (mover_.stage() >= Stage::kTakes && dice.below(3) == 0)) route();
  }

  void begin(Dice& dice) {
    const auto from = static_cast<std::uint32_t>(dice.below(shards()));
    const auto to = static_cast<std::uint32_t>((from + 1 + dice.below(shards() - 1)) % shards());
    const std::vector<OwnedRun> runs = shard(from).slots();
    if (runs.empty()) return;
    SlotRun slots = runs[dice.below(runs.size())].slots;
    if (dice.below(3) != 0) {
      const std::uint32_t length = slots.last - slots.first + 1;
      slots.first += static_cast<std::uint32_t>(dice.below(length));
      slots.last = slots.first + static_cast<std::uint32_t>(dice.below(slots.last - slots.first + 1));
    }
    mover_.piece_bytes = 60 + dice.below(dice.below(2) == 0 ? 200 : 2000);
    mover_.wound_after_ms = static_cast<double>(dice.below(30));
    mover_.begin(from, to, slots);
  }

  // Clients learn which shard owns which slots: the greatest version counts.
  void route() {
    std::vector<std::uint32_t> versions(kSlots, 0);
    for (std::uint32_t number = 0; number < shards(); ++number) {
      for (const OwnedRun& run : shard(number).slots()) {
        for (std::uint32_t slot = run.slots.first; slot <= run.slots.last; ++slot) {
          if (run.version < versions[slot]) continue;
          versions[slot] = run.version;
          world_.owners[slot] = number;
        }
      }
    }
  }

  // A start from the checkpoint and the entries behind it equals a start from all entries.
  void compare(std::uint32_t number) {
    const Kept kept = disks_.kept(number, disks_.written(number));
    const auto rebuilt = disks_.rebuilt(number, kept), reference = disks_.rebuilt(number, Kept{.entries = kept.entries});
    EXPECT_EQ(contents(*rebuilt, in_order_), contents(*reference, in_order_));
    EXPECT_EQ(rebuilt->slots(), reference->slots());
    EXPECT_EQ(rebuilt->moves().given(), reference->moves().given());
    EXPECT_EQ(rebuilt->moves().imported(), reference->moves().imported());
    EXPECT_EQ(rebuilt->engine().attempts_in_flight(), reference->engine().attempts_in_flight());
    EXPECT_EQ(shard(number).moves().imported(), reference->moves().imported());
    EXPECT_EQ(shard(number).moves().given(), reference->moves().given());
  }

  void expect_one_place() {
    std::vector<std::uint32_t> owners(kSlots, 0);
    for (auto& one : world_.shards) {
      for (const OwnedRun& run : one->slots()) {
        for (std::uint32_t slot = run.slots.first; slot <= run.slots.last; ++slot) ++owners[slot];
      }
    }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1u), kSlots) << "each slot has one owner";
    for (const std::string& key : probed_keys()) {
      const auto is_there = [&](const auto& one) {
        const Record* record = one->engine().ground.records.find(key);
        return record != nullptr && !record->gone && record->last_commit != 0;
      };
      EXPECT_LE(std::count_if(world_.shards.begin(), world_.shards.end(), is_there), 1) << key;
    }
  }

  World& world_;
  Disks& disks_;
  std::function<void(std::uint32_t)> crash_;
  bool in_order_;
  Mover mover_;
  int finishing_ = 0;
};

}  // namespace claret::testing

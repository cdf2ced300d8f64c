// For tests: moves runs of slots between the shards of a World, step by step, as gateways do. Whatever it remembers may be gone after a crash
// of either shard: then it asks them what is not settled.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "shard/test_disk.h"

namespace claret::testing {

// A move is under way from its first piece on; each step is one call to a shard, or none while it has to wait.
class Mover {
 public:
  enum class Stage : std::uint8_t { kIdle, kCopies, kDrains, kGives, kTakes, kSettles };

  Mover(World& world, Disks& disks) : world_(world), disks_(disks) {}

  Stage stage() const { return stage_; }
  bool idle() const { return stage_ == Stage::kIdle; }
  const std::string& move() const { return move_; }
  std::uint32_t from() const { return from_; }
  std::uint32_t to() const { return to_; }
  // Of the records, at the last piece.
  bool nothing_left() const { return nothing_left_; }
  std::size_t piece_bytes = 500;
  double wound_after_ms = 20;
  std::size_t finished = 0, called_off = 0, resumed = 0;

  // An error's code; empty: none.
  std::string begin(std::uint32_t from, std::uint32_t to, const SlotRun& slots) {
    move_ = "move " + std::to_string(++moves_);
    from_ = from;
    to_ = to;
    slots_ = slots;
    pieces_ = 0;
    nothing_left_ = false;
    const std::string code = code_of(giver().begin_give({.move = move_, .slots = slots, .to = to}));
    if (code.empty()) stage_ = Stage::kCopies;
    return code;
  }

  void step() {
    switch (stage_) {
      case Stage::kIdle:
        return;
      case Stage::kCopies:
      case Stage::kDrains:
        return copy();
      case Stage::kGives:
        return give();
      case Stage::kTakes:
        return take_over();
      case Stage::kSettles:
        return settle();
    }
  }

  void drain() {
    if (stage_ != Stage::kCopies) return;
    if (giver().drain_give(wound_after_ms, world_.now())) return;
    finish(from_);
    stage_ = Stage::kDrains;
  }

  void call_off_drain() {
    if (stage_ != Stage::kDrains && stage_ != Stage::kGives) return;
    EXPECT_EQ(code_of(giver().call_off_drain(world_.now())), "");
    finish(from_);
    stage_ = Stage::kCopies;
  }

  void call_off() {
    if (stage_ == Stage::kIdle || stage_ > Stage::kGives) return;
    EXPECT_EQ(code_of(giver().call_off_give(world_.now())), "");
    finish(from_);
    drop();
    ++called_off;
    stage_ = Stage::kIdle;
  }

  // The shard has restarted: what is unsettled at any shard is found, and goes on or is dropped.
  void restarted() {
    const bool goes_on = stage_ != Stage::kIdle && is_known();
    if (goes_on) return;
    if (stage_ != Stage::kIdle && stage_ <= Stage::kGives && giver().engine().slot_giver.under_way()) {
      EXPECT_EQ(code_of(giver().call_off_give(world_.now())), "");
      finish(from_);
    }
    stage_ = Stage::kIdle;
    for (std::uint32_t shard = 0; shard < world_.shards.size(); ++shard) {
      const std::optional<KeptMove> imported = world_.shards[shard]->moves().imported();
      if (!imported) continue;
      const std::optional<KeptMove>& given = world_.shards[imported->peer]->moves().given();
      if (given && given->id == imported->id) continue;
      EXPECT_EQ(code_of(world_.shards[shard]->drop_import(imported->id, world_.now())), "");
      finish(shard);
    }
    for (std::uint32_t shard = 0; shard < world_.shards.size(); ++shard) {
      const std::optional<KeptMove>& given = world_.shards[shard]->moves().given();
      if (!given) continue;
      move_ = given->id;
      from_ = shard;
      to_ = given->peer;
      slots_ = given->slots;
      stage_ = Stage::kTakes;
      ++resumed;
    }
  }

  // Goes on to the end.
  void run() {
    for (int steps = 0; steps < 10'000 && !idle(); ++steps) {
      step();
      if (nothing_left_) drain();
      disks_.sync_all();
      world_.tick(steps % 10 == 0 ? 1 : 0);
    }
    EXPECT_TRUE(idle()) << "the move does not end";
  }

  void take_piece() { copy(); }
  // The last piece that was taken; empty if there was nothing to copy.
  std::string last_piece;

  static std::string code_of(const std::optional<Error>& error) { return error ? std::string(error->code) : std::string(); }

 private:
  Shard& giver() { return *world_.shards[from_]; }
  Shard& taker() { return *world_.shards[to_]; }

  void finish(std::uint32_t shard) {
    world_.shards[shard]->finish();
    world_.after_input();
  }

  // Both shards still have what the next step needs.
  bool is_known() {
    const std::optional<KeptMove>& imported = taker().moves().imported();
    const bool has_pieces = imported ? imported->id == move_ && imported->pieces == pieces_ : pieces_ == 0;
    switch (stage_) {
      case Stage::kIdle:
        return false;
      case Stage::kCopies:
      case Stage::kDrains:
      case Stage::kGives:
        return has_pieces && giver().engine().slot_giver.under_way();
      case Stage::kTakes:
      case Stage::kSettles:
        return false;  // found again among what is not settled
    }
    return false;
  }

  void copy() {
    GivePiece piece;
    EXPECT_EQ(code_of(giver().take_give(piece_bytes, piece)), "");
    nothing_left_ = piece.bytes_left == 0;
    last_piece = piece.bytes;
    if (!piece.bytes.empty()) {
      const std::string code = code_of(taker().import_piece(move_, from_, piece.bytes, world_.now()));
      finish(to_);
      if (!code.empty()) return call_off();
      ++pieces_;
      needs_ = taker().log_position();
    }
    if (piece.complete) stage_ = Stage::kGives;
  }

  void give() {
    if (taker().engine().ground.journal.durable() < needs_) return;
    if (giver().give(world_.now())) return;
    finish(from_);
    stage_ = Stage::kTakes;
  }

  void take_over() {
    const std::optional<Timestamp> at = giver().given(move_);
    if (!at) return;
    const std::string code = code_of(taker().take_over(move_, *at, world_.now()));
    finish(to_);
    // The taker knows nothing of it any more: it had taken it before.
    if (code.empty() || code == "unknown_move") stage_ = Stage::kSettles;
  }

  void settle() {
    const std::optional<KeptMove>& imported = taker().moves().imported();
    if (!taker().has_taken(move_) && taker().moves().takes(move_)) return;
    if (imported && imported->id == move_) return;
    EXPECT_EQ(code_of(giver().settle_give(move_)), "");
    finish(from_);
    stage_ = Stage::kIdle;
    ++finished;
  }

  void drop() {
    const std::optional<KeptMove> imported = taker().moves().imported();
    if (!imported || imported->id != move_) return;
    EXPECT_EQ(code_of(taker().drop_import(move_, world_.now())), "");
    finish(to_);
  }

  World& world_;
  Disks& disks_;
  Stage stage_ = Stage::kIdle;
  std::uint64_t moves_ = 0;
  std::string move_;
  std::uint32_t from_ = 0, to_ = 0;
  SlotRun slots_;
  std::uint64_t pieces_ = 0;
  std::uint64_t needs_ = 0;  // the position that has to be durable at the taker
  bool nothing_left_ = false;
};

}  // namespace claret::testing

// Gives a run of slots to another shard (docs/decisions/0033-slots-that-move.md). A shard gives one at a time.
//
// The giver copies the run while it serves it, drains it, and logs `gave`. From then on it serves it no more. The taker (slot_taker.h), told only once
// that is durable, logs `took`, and serves the run once that is durable. If either dies in between, `gave` in the giver's log decides.
//
// Each call returns an error if it is refused. Not thread-safe.
#pragma once

#include <absl/container/btree_set.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "transaction/attempts.h"
#include "transaction/capability.h"
#include "transaction/endings.h"
#include "transaction/giving.h"
#include "transaction/ground.h"
#include "transaction/leftovers.h"

namespace claret {

class Requests;

class SlotGiver final : public Capability {
 public:
  struct Parts {
    Attempts& attempts;
    Endings& endings;
    Requests& requests;
    Leftovers& leftovers;
  };
  SlotGiver(Ground& ground, const Parts& parts)
      : ground_(ground), parts_(parts), copying_(ground.records, ground.deduplication, ground.effects, ground.clock, ground.copy) {}

  std::optional<Error> begin(Give give);
  bool under_way() const { return copying_.under_way(); }
  std::optional<Error> take(std::size_t bytes_max, GivePiece& piece);
  // From now on nobody begins to hold anything in the run, nor changes anything there. Those that hold something and have not voted are wounded
  // after a while.
  std::optional<Error> drain(double wound_after_ms);
  bool is_drained();
  // What has waited for the drain goes on; the copy does too.
  std::optional<Error> call_off_drain();
  std::optional<Error> call_off();
  // Logs that the run is the other shard's. What has waited is refused.
  std::optional<Error> give();
  // The time above which the other shard's clock has to be, once it is durable that the run was given.
  std::optional<Timestamp> given(std::string_view move) const;
  // The other shard owns the run, and that is durable.
  std::optional<Error> settle_move(std::string_view move);

  // ---- attempts that come while the run is drained
  // The transaction's home is in the run, and the attempt was not there before.
  bool holds_up(const Attempt& attempt) const;
  // REQUIRES: it is held up. It starts once the drain is over.
  void hold_back(Attempt& attempt);

  void watch(TransactionWitness*) override {}
  void lose(Coordinator&) override {}
  bool settle() override { return false; }
  void turn() override {}
  double next_due_ms() const override { return ground_.locks.drain().on ? next_press_ms_ : kNeverDue; }
  void due() override { press(); }
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return !ground_.locks.drain().on && !ground_.moves.given(); }

 private:
  std::optional<Error> check() const;
  bool any_inside();
  // Ends those that still hold, or have wanted, something in the run, which is another shard's now.
  void end_inside(const SlotRun& slots);
  void go_on(const SlotRun& slots);
  void end_drain();
  // Wounds those for which the drain has waited for long enough.
  void press();

  Ground& ground_;
  Parts parts_;
  Giving copying_;
  std::vector<std::uint64_t> inside_;  // serials of the attempts for which the drain waits
  absl::btree_set<std::uint64_t> held_back_;  // serials of the attempts that wait for the drain before they come to a gate
  double drain_began_ms_ = 0;
  double wound_after_ms_ = 0;
  double next_press_ms_ = 0;
};

}  // namespace claret

// Departures of attempts that hold many records: such an attempt leaves in steps, since no call may take long (docs/rules.md, section 11).
//
// The end of the attempt is decided, answered and logged at once. Then, turn by turn, the effects are applied to each of its records, after
// which the record is released. In between the attempt is a transaction that has committed but not released all its locks: a reader of a
// record either sees all its effects there or waits for them, and other holders of the record commute with it in any case.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "gate/locks.h"
#include "transaction/attempts.h"
#include "transaction/capability.h"
#include "transaction/effects.h"

namespace claret {

// At least this share of all remaining visits leaves in a turn.
inline constexpr std::size_t kTurnsToLeave = 32;

class Departures final : public Capability {
 public:
  // An attempt with more visits than `visits_at_once` leaves in steps of that many.
  Departures(Locks& locks, Effects& effects, Attempts& attempts, std::size_t visits_at_once)
      : locks_(locks), effects_(effects), attempts_(attempts), visits_at_once_(visits_at_once) {}

  std::size_t visits_at_once() const { return visits_at_once_; }
  bool in_parts(const Attempt& attempt) const { return attempt.visits.size() > visits_at_once_; }
  // `committed_at` 0: the attempt has no effects to apply.
  void add(std::unique_ptr<Attempt> attempt, Timestamp committed_at, std::uint64_t position);
  std::size_t size() const { return leaving_.size(); }
  bool any() const { return !leaving_.empty(); }

  // Applies at once what committed attempts have yet to do on this record.
  void leave_now(Record& record);
  // True if effects of entries up to that position have yet to be applied.
  bool owe(std::uint64_t position) const;

  void watch(TransactionWitness*) override {}
  void lose(Coordinator&) override {}
  bool settle() override { return false; }
  double next_due_ms() const override { return kNeverDue; }
  void due() override {}
  bool change(const Change&) override { return true; }
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }
  // The next step. Attempts that have left all their records are gone.
  void turn() override;

 private:
  struct Leaving {
    std::unique_ptr<Attempt> attempt;
    Timestamp committed_at;  // 0: aborted
    std::uint64_t position;
    std::size_t next = 0;  // index of the next visit
  };

  // Applies and releases everything that the attempt has on the record of this visit, its first there. Returns the number of visits.
  std::size_t leave(Leaving& one, Visit& first);

  Locks& locks_;
  Effects& effects_;
  Attempts& attempts_;
  std::size_t visits_at_once_;
  std::deque<Leaving> leaving_;
  std::size_t visits_left_ = 0;
};

}  // namespace claret

// Departures of attempts that hold much: such an attempt leaves in parts, since no call may run long (docs/rules.md, section 11).
//
// Its end is decided, answered and logged at once; then, turn by turn, each of its records takes the effects and is let go of, in this
// order. In between it is a transaction that has committed and not released all its locks yet: a reader of a record sees it with all of
// the attempt's effects there or waits for them, and other holders of the record go together with it anyway.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <deque>
#include <memory>

#include "gate/locks.h"
#include "transaction/effects.h"

namespace claret {

// Of all that leaves in parts, at least this share goes in a turn.
inline constexpr std::size_t kTurnsToLeave = 32;

class Departures {
 public:
  // An attempt of more visits than `visits_at_once` leaves in parts of so many.
  Departures(Locks& locks, Effects& effects, std::size_t visits_at_once)
      : locks_(locks), effects_(effects), visits_at_once_(visits_at_once) {}

  bool in_parts(const Attempt& attempt) const { return attempt.visits.size() > visits_at_once_; }
  // `committed_at` 0: it has no effects to leave behind.
  void add(std::unique_ptr<Attempt> attempt, Timestamp committed_at, std::uint64_t position);
  std::size_t size() const { return leaving_.size(); }
  bool empty() const { return leaving_.empty(); }

  // Once a turn: the next part goes. `gone` is told of each attempt that has nothing left here.
  void leave(absl::FunctionRef<void(const Attempt&)> gone);
  // What committed attempts have still to do on this record is done now.
  void leave_now(Record& record);
  // Effects of entries up to that position are still to come.
  bool owe(std::uint64_t position) const;

 private:
  struct Leaving {
    std::unique_ptr<Attempt> attempt;
    Timestamp committed_at;  // 0: aborted
    std::uint64_t position;
    std::size_t next = 0;  // of its visits
  };

  // All that it did on the record of its first visit there; so many visits.
  std::size_t leave(Leaving& one, Visit& first);

  Locks& locks_;
  Effects& effects_;
  std::size_t visits_at_once_;
  std::deque<Leaving> leaving_;
  std::size_t visits_left_ = 0;
};

}  // namespace claret

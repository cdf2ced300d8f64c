// Effects of committed operations on their records.
//
// A large attempt leaves its records turn by turn (departures.h), so its effects may reach a record after those of a later log entry, with
// which they commute.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transaction/attempt.h"
#include "transaction/checkpoint.h"

namespace claret {

class Effects {
 public:
  explicit Effects(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  // `position` of the log entry, or 0 if there is none. REQUIRES: the visit's reservation has been given back.
  void apply(Visit& visit, Timestamp at, std::uint64_t position);
  // Applies an operation outside any transaction, later than all others on the record. Its entry is still to come: see `logged`.
  void apply(Record& record, const Call& call, const Value& result, Timestamp at);
  // The entry at this position has the record's last change.
  void logged(Record& record, std::uint64_t position);
  // Applies all operations of the attempt, after giving its reservations back.
  void apply(Attempt& attempt, Timestamp at, std::uint64_t position);

  // Records that commits have created, or changed while watched, since the last call; some may appear more than once.
  std::vector<Record*> take_changed() { return std::exchange(changed_, {}); }

 private:
  void commit(Record& record, const Call& call, const Value& result);

  Checkpoint& checkpoint_;
  std::vector<Record*> changed_;
};

}  // namespace claret

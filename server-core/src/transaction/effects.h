// Effects of committed operations on their records.
//
// A large attempt leaves its records turn by turn (departures.h), so effects may reach a record later than those of a later entry of
// the log, with which they commute.
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

  // `position` of the entry in the log, 0 where there is none. REQUIRES: the visit's reservation has been given back.
  void apply(Visit& visit, Timestamp at, std::uint64_t position);
  // All that the attempt has done here; gives its reservations back.
  void apply(Attempt& attempt, Timestamp at, std::uint64_t position);

  // Records that commits have made, or changed while they were watched, since the last call; some more than once.
  std::vector<Record*> take_changed() { return std::exchange(changed_, {}); }

 private:
  Checkpoint& checkpoint_;
  std::vector<Record*> changed_;
};

}  // namespace claret

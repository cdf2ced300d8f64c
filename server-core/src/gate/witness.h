// A witness is told what happens at the gates while somebody watches the shard. It changes nothing.
#pragma once

#include "counters/conflict_pairs.h"
#include "gate/gate.h"

namespace claret {

class GateWitness {
 public:
  virtual ~GateWitness() = default;

  // The request's operations have come, whatever becomes of them.
  virtual void operations(const GateRequest&) = 0;
  // The claim cannot be granted; `held_back`: because of its turn alone.
  virtual void conflict(const ConflictPair&, const Claim&, bool held_back) = 0;
  virtual void waited(const Claim&, double ms) = 0;
  // The next three: on records that are hot (Record::hot) alone. A visit has come to hold, or a holder has left.
  virtual void entered(const Visit&, const LockRule&) = 0;
  virtual void left(const Record&) = 0;
  // The oldest waiter's turn has come, and it holds.
  virtual void turn(const Claim&, const LockRule&) = 0;
  // The request has waited, and ends where it runs.
  virtual void passed(const GateRequest&, const LockRule&) = 0;
  // The record is about to be dropped; it is hot.
  virtual void dropped(Record&) = 0;
};

}  // namespace claret

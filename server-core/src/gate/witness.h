// A witness is notified of what happens at the gates while the shard is watched. It changes nothing.
#pragma once

#include "counters/conflict_pairs.h"
#include "gate/gate.h"

namespace claret {

class GateWitness {
 public:
  virtual ~GateWitness() = default;

  // The request's operations have arrived, whatever their result.
  virtual void operations(const GateRequest&) = 0;
  // The claim cannot be granted now.
  virtual void conflict(const ConflictPair&, const Claim&) = 0;
  virtual void waited(const Claim&, double ms) = 0;
  // A native was executed on the record, which exists.
  virtual void native(Record&) = 0;
  // A native met a holder: it waits, or has broken the holder (ConflictPair::broke).
  virtual void native_conflict(const ConflictPair&, Record&) = 0;
  // A native has waited, and was executed, failed or was withdrawn.
  virtual void native_waited(const Record&, double ms) = 0;
  // The next three calls are made only for records that are hot (Record::hot). A visit now holds its record, or a holder has left it.
  virtual void entered(const Visit&, const LockRule&) = 0;
  virtual void left(const Record&) = 0;
  // The oldest waiter's turn has come, and its claim is granted.
  virtual void turn(const Claim&, const LockRule&) = 0;
  // The request has waited, and ends where it runs.
  virtual void passed(const GateRequest&, const LockRule&) = 0;
  // The record is about to be deleted; it is hot.
  virtual void dropped(Record&) = 0;
};

}  // namespace claret

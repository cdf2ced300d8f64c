// A warranty: the promise that an observing operation has this result until the warranty ends (Liu et al., "Warranties for fast strong
// consistency").
//
// It stands at its record's gate beside the holders, and holds nothing: other observers and changes that leave the result as it is pass. A
// change that would violate it waits at the gate, and *sleeps*: others pass it, since it cannot be next before the warranty has ended.
// transaction/warranties.h keeps the sessions that rely on it.
#pragma once

#include "adt/adt.h"
#include "gate/lock_rule.h"
#include "gate/visit.h"

namespace claret {

struct Warranty {
  Record* record = nullptr;
  Call call;
  Value result;
  bool recalled = false;  // something waits for its end
  double recalled_ms = 0;  // since then
  // No later than then it has ended. Infinity until it is recalled.
  double ends_by_ms = std::numeric_limits<double>::infinity();
  double firm_until_ms = 0;  // it does not end before, whoever has returned it
};

// Would the change make another result possible? Judged by the operations' own modes: that a transaction wants the record exclusively
// violates nothing. `result`: null if it is not known yet, or there is none.
bool violates(const Call& change, const Value* result, const Warranty& warranty, const LockRule& rule);

// The first warranty that the visit violates, or null. An intent counts as its operation.
const Warranty* first_violated(const Visit& visit, const LockRule& rule);

// The priority of what is no transaction: it is older than none.
inline constexpr std::uint64_t kNobodysPriority = std::numeric_limits<std::uint64_t>::max();

// Keeps the warranties of all gates.
class WarrantyKeeper {
 public:
  // The operation has to wait for the warranties at the record's gate that it violates: they are to end. `result`: null if it is not known.
  // `priority`: of its transaction.
  virtual void recall(Record& record, const Call& change, const Value* result, std::uint64_t priority) = 0;
  // Somebody waits for the end of all warranties on the record.
  virtual void recall_all(Record& record) = 0;

 protected:
  ~WarrantyKeeper() = default;
};

}  // namespace claret

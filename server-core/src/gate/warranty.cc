#include "gate/warranty.h"

#include "gate/gate.h"
#include "ground/mutation.h"

namespace claret {

bool violates(const Call& change, const Value* result, const Warranty& warranty, const LockRule& rule) {
  if (change.operation->operation_class == OperationClass::kObserve) return false;
  const DataType& type = *warranty.record->type;
  switch (rule.relation(type, rule.mode_of(*change.operation), rule.mode_of(*warranty.call.operation))) {
    case Relation::kAlways:
      return false;
    case Relation::kNever:
      return true;
    case Relation::kDepends:
      break;
  }
  static const Value kVoid;
  if (result == nullptr && change.operation->result != Kind::kVoid) return true;
  return !type.commutes({&change, result == nullptr ? &kVoid : result}, {&warranty.call, &warranty.result}, *warranty.record->state);
}

const Warranty* first_violated(const Visit& visit, const LockRule& rule) {
  const Gate* gate = visit.record->gate.get();
  if (gate == nullptr || mutated(Mutation::kChangeViolatesWarranty)) return nullptr;
  for (const Warranty* warranty : gate->warranties()) {
    if (violates(visit.call, visit.executed ? &visit.result : nullptr, *warranty, rule)) return warranty;
  }
  return nullptr;
}

}  // namespace claret

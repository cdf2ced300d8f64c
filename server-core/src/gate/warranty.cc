#include "gate/warranty.h"

#include "gate/agree.h"
#include "gate/gate.h"

namespace claret {

bool violates(const Call& change, const Value* result, const Warranty& warranty, const LockRule& rule) {
  if (change.operation->operation_class == OperationClass::kObserve) return false;
  const DataType& type = *warranty.record->type;
  switch (agree(rule, type, *change.operation, *warranty.call.operation)) {
    case Relation::kAlways:
      return false;
    case Relation::kNever:
      return true;
    case Relation::kDepends:
      break;
  }
  return !agree(type, *warranty.record->state, {&change, result}, {&warranty.call, &warranty.result});
}

const Warranty* first_violated(const Visit& visit, const LockRule& rule) {
  const Gate* gate = visit.record->gate.get();
  if (gate == nullptr) return nullptr;
  for (const Warranty* warranty : gate->warranties()) {
    if (violates(visit.call, visit.executed ? &visit.result : nullptr, *warranty, rule)) return warranty;
  }
  return nullptr;
}

}  // namespace claret

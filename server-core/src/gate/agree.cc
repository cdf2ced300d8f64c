#include "gate/agree.h"

#include "gate/gate.h"
#include "ground/mutation.h"

namespace claret {

bool agree(const DataType& type, const State& state, Held first, Held second) {
  static const Value kVoid;
  for (Held* side : {&first, &second}) {
    if (side->result != nullptr) continue;
    if (side->call->operation->result != Kind::kVoid) return false;
    side->result = &kVoid;
  }
  return type.commutes(first, second, state);
}

bool agree(const Held& operation, const Visit& holder) {
  const bool has_results = operation.call->operation->result != Kind::kVoid || holder.call.operation->result != Kind::kVoid;
  if (holder.party->epoch != 0 && has_results) return mutated(Mutation::kEpochJoinsReaders);
  return agree(*holder.type, *holder.record->state, operation, {&holder.call, &holder.result});
}

}  // namespace claret

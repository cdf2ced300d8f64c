// The modes of locks: abstract locks have those of the data type, reader/writer locks only distinguish observing operations from others.
#pragma once

#include <string_view>

#include "adt/adt.h"
#include "gate/table.h"
#include "gate/visit.h"
#include "ground/conditions.h"

namespace claret {

struct LockRule {
  LockKind kind = LockKind::kAbstract;
  bool quarantined = false;  // changes sleep, since warranties from before the shard's start may stand (transaction/warranties.h)
  double quarantined_until_ms = 0;

  Mode mode_of(const Visit& visit) const { return visit.exclusive ? kExclusiveMode : mode_of(*visit.call.operation); }
  Mode mode_of(const OperationSpec& operation) const {
    if (kind == LockKind::kAbstract) return operation.mode;
    return operation.operation_class == OperationClass::kObserve ? kReadMode : kExclusiveMode;
  }

  std::string_view name_of(const DataType& type, Mode mode) const {
    if (mode == kExclusiveMode) return "exclusive";
    return kind == LockKind::kAbstract ? type.modes()[mode].name : "read";
  }

 private:
  static constexpr Mode kReadMode = 0;
};

inline Asker asker_of(const Claim& claim) { return claim.observes_at_once ? Asker::kLook : Asker::kHold; }
inline Asker asker_of(const Visit& visit) {
  if (visit.party->epoch != 0) return Asker::kListed;
  return visit.observes_at_once ? Asker::kLook : Asker::kHold;
}

}  // namespace claret

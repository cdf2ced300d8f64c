// Which modes exclude each other: abstract locks ask the data type, reader/writer locks only distinguish observing operations from others.
// And whether operations that hold nothing pass attempts that have yet to vote (the condition `natives`).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "adt/adt.h"
#include "gate/visit.h"

namespace claret {

enum class LockKind : std::uint8_t {
  kNone,  // operations run at once, without transactions: the upper bound of the paper's figures
  kReaderWriter,  // the paper's baseline
  kAbstract,  // boosting
};

// The names on the wire, in the configuration and in the addon.
constexpr std::string_view name_of(LockKind kind) {
  switch (kind) {
    case LockKind::kNone:
      return "none";
    case LockKind::kReaderWriter:
      return "rw";
    case LockKind::kAbstract:
      break;
  }
  return "abstract";
}
constexpr std::optional<LockKind> lock_kind(std::string_view name) {
  for (const LockKind kind : {LockKind::kNone, LockKind::kReaderWriter, LockKind::kAbstract}) {
    if (name == name_of(kind)) return kind;
  }
  return std::nullopt;
}

struct LockRule {
  LockKind kind = LockKind::kAbstract;
  bool natives_pass = true;  // false: natives break nobody, and wait like all others
  bool quarantined = false;  // changes sleep, since warranties from before the shard's start may stand (transaction/warranties.h)

  Mode mode_of(const Visit& visit) const { return visit.exclusive ? kExclusiveMode : mode_of(*visit.call.operation); }
  Mode mode_of(const OperationSpec& operation) const {
    if (kind == LockKind::kAbstract) return operation.mode;
    return operation.operation_class == OperationClass::kObserve ? kReadMode : kExclusiveMode;
  }

  Relation relation(const DataType& type, Mode first, Mode second) const {
    if (first == kExclusiveMode || second == kExclusiveMode) return Relation::kNever;
    if (kind == LockKind::kAbstract) return type.relation(first, second);
    return Relation::kAlways;
  }

  // A visit or a claim.
  bool passes_unvoted(const auto& one) const { return natives_pass && one.observes_at_once; }

  std::string_view name_of(const DataType& type, Mode mode) const {
    if (mode == kExclusiveMode) return "exclusive";
    return kind == LockKind::kAbstract ? type.modes()[mode].name : "read";
  }

 private:
  static constexpr Mode kReadMode = 0;
};

}  // namespace claret

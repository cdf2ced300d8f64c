// The concurrency control in effect at a shard.
#pragma once

#include <string>

#include "gate/lock_rule.h"
#include "gate/locks.h"
#include "ground/errors.h"

namespace claret {

struct Conditions {
  LockKind locks = LockKind::kAbstract;
  bool phasing = true;
  std::string combining = "auto";

  bool operator==(const Conditions&) const = default;
};

inline LockSettings lock_settings(const Conditions& conditions, double phase_cap_ms) {
  return {LockRule{conditions.locks}, conditions.phasing, phase_cap_ms};
}

inline Error condition_changed() {
  return {.code = errors::kConditionChanged,
          .message = "the cluster's concurrency control was switched meanwhile",
          .retryable = true,
          .cause = errors::kConditionChanged};
}

}  // namespace claret

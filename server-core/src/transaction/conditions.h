// What the conditions in force (ground/conditions.h) are for transactions.
#pragma once

#include "gate/locks.h"
#include "ground/conditions.h"
#include "ground/errors.h"

namespace claret {

inline LockSettings lock_settings(const Conditions& conditions, const Patience& patience) {
  return {.rule = LockRule{conditions.locks}, .phasing = conditions.phasing, .patience = patience};
}

inline Error condition_changed() {
  return {.code = errors::kConditionChanged,
          .message = "the conditions, or the version of a type, were switched meanwhile",
          .retryable = true,
          .cause = errors::kConditionChanged};
}

}  // namespace claret

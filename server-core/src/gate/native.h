// Admission of natives: single operations outside any transaction (docs/decisions/0023-natives.md; Mediator, section 3).
//
// A native takes no lock. It is admitted, executed and applied within one call of the shard, or it waits at the record's gate. Holders
// that commute with it are no obstacle. Of the others
//   - it waits for those that have voted: only the outcome of their transactions can release them;
//   - it passes those that have not voted if it only observes: their effects will come later, and their results stay what they are;
//   - it passes an intent, which has neither result nor effect yet, and a blind change without a result, which will overwrite it;
//   - it breaks all other unvoted holders: their transactions are aborted, and retried by their clients. A guarded transaction, which
//     natives have broken before, makes it wait for a while first.
// It waits for any run (run.h): undoing what was executed there could undo the native too.
// All holders are judged before any is broken: while the native has to wait for one of them, none is broken.
//
// The gate judges; transaction/natives.h acts.
#pragma once

#include <absl/container/inlined_vector.h>

#include "adt/adt.h"
#include "gate/gate.h"
#include "gate/lock_rule.h"

namespace claret {

struct NativeRule {
  LockRule locks;
  bool heeds_guards = true;
};

struct NativeJudgement {
  enum class Verdict : std::uint8_t {
    kPasses,
    kWaits,
    kRefused,  // in this state, whatever the holders do
    kBreaksAndRetries,  // an unvoted holder's reservation is in the way: the native is judged again once the party has ended
  };
  Verdict verdict = Verdict::kPasses;
  Outcome outcome;  // for kPasses and kRefused
  absl::InlinedVector<Visit*, 4> broken;  // one visit of each party to be ended before the native is applied
  const Visit* blocker = nullptr;  // kWaits: the first one found
};

// REQUIRES: the operation belongs to the record's type.
NativeJudgement judge(const Native& native, const NativeRule& rule, const Context& context);

}  // namespace claret

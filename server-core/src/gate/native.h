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
// A change that would violate a warranty sleeps at the gate until it has ended.
//
// Judged here; transaction/natives.h acts.
#pragma once

#include <absl/container/inlined_vector.h>

#include "adt/adt.h"
#include "gate/gate.h"
#include "gate/judge.h"

namespace claret {

struct NativeJudgement {
  // kBreak: an unvoted holder's reservation is in the way, and the native is judged again once its party has ended. kRefuse: in this state, whatever the
  // holders do.
  Verdict verdict;
  Outcome outcome;  // for kPass, kBreak, kSleep and kRefuse
  absl::InlinedVector<Visit*, 4> broken;  // for kPass and kBreak: one visit of each party to be ended before the native is applied
  const Visit* blocker = nullptr;  // for kWait: the first one found; null if it waits for the end of a drain
};

// `heeds_guards`: it waits for guarded parties, instead of breaking them. REQUIRES: the operation belongs to the record's type.
NativeJudgement judge(const Native& native, const GateRules& rules, bool heeds_guards = true);

}  // namespace claret

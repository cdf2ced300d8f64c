// The judges: may somebody be at a record now? Each goes along one row of the table (table.h) and gives a verdict (verdict.h). They end nobody and wake
// nobody; who asks does what the verdict says. Natives are judged in native.h, all others here.
//
// Of claims, in this order:
//   1. turns (the paper, 4.2, capped phases): a newcomer passes waiters with which it does not commute only while the phase is below its cap, or if the
//      newcomer is older than all of them. A party that already holds the record passes: those waiters wait for it in any case. So does a claim that only
//      observes and leaves at once: it keeps nobody waiting;
//   2. admission (the paper, 5.1.1): a visit may join the holders if its mode always commutes with theirs, or, where that depends, if the type says that
//      the visit commutes with them, and if its reservation can be taken. A visit that only observes and leaves at once passes attempts that have yet to
//      vote: they take effect later, and no result of theirs changes.
#pragma once

#include <cstdint>
#include <limits>

#include "gate/drain.h"
#include "gate/gate.h"
#include "gate/lock_rule.h"
#include "gate/patience.h"
#include "gate/verdict.h"

namespace claret {

// What judges go by.
struct GateRules {
  const LockRule& locks;
  const Drain& drain;
  const Patience& patience;
  const Context& context;
};

// `heed_queue`: it does not come to its turn by being the oldest. All visits of a claim that passes are admitted; of another, some may be, and the caller
// withdraws them. `refusal` and `refused` are set for kRefuse.
Verdict judge(Claim& claim, const GateRules& rules, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused);

// A visit of a member of an epoch (epochs.h of `transaction`). Nobody's turn is heeded. What reserves is admitted if it passes.
Verdict judge_listed(Visit& visit, const GateRules& rules, Refusal& refusal);

// A member of the chain `owner`, at a record that it has not named before.
Verdict judge_ride(const Visit& visit, std::uint64_t owner, const GateRules& rules, double now_ms);
// Judged by modes alone: what is executed on a run was not judged by the committed state.
bool violates_by_mode(const Visit& visit, const Warranty& warranty, const LockRule& rule);

// A wish to be promised what the visit has observed.
Verdict judge_promise(const Visit& visit, const GateRules& rules);

// An observation of the record as of a time that the shard's clock has reached: does it know all that commits by then? A run that has not voted by
// then is no obstacle: the look sees beneath it.
Verdict judge_past_look(const Record& record, const DataType& type, const OperationSpec& operation, Timestamp at, const LockRule& rule);
// The same beside holders alone, for those who see the state as it is.
Verdict judge_beside_votes(const Record& record, const DataType& type, const OperationSpec& operation, Timestamp at, const LockRule& rule);

// What was promised keeps the change out: a warranty that it would violate, or the quarantine. kNothing: it may go on.
Why kept_out_by_promise(const Visit& visit, const LockRule& rule);

// Rule 2 for one visit: executes it, and takes its reservation if it may join. Does not make it a holder. `refusal` is set for kRefuse.
Verdict admit(Visit& visit, const LockRule& rule, const Context& context, Refusal& refusal);
// Admits a visit that has its result already and whose party held the record before. False if it does not commute with the other holders.
bool readmit(Visit& visit);
// Undoes admit: gives the reservation back.
void withdraw(Visit& visit);

// Whatever the two do. The visit only observes and leaves at once, and the holder's attempt has yet to vote: it comes later in the history.
bool passes(const Visit& visit, const Visit& holder);

// Does this (not admitted) visit have to wait for that holder?
bool conflicts(const Visit& visit, const Visit& holder, const LockRule& rule);

// Does the claim have to respect that waiter's turn? For two modes: unless they always commute. Within a mode: if the calls may conflict,
// or if the waiter waits for the sum of reservations to which the claim would add.
bool incompatible(const Claim& claim, const Claim& waiter, const LockRule& rule);

// The first native at the record that does not always commute with the claim, among those that wait since `since_ms` or longer. Null if there is none.
const WaitingNative* first_native_against(const Claim& claim, const LockRule& rule,
                                          double since_ms = std::numeric_limits<double>::infinity());

}  // namespace claret

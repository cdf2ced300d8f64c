// Locks, continued: members of epochs, which hold all their records from one moment on (transaction/epochs.h).
#include <algorithm>

#include "gate/agree.h"
#include "gate/locks.h"
#include "ground/mutation.h"

namespace claret {

namespace {

bool changes_state(const Visit& visit) { return visit.call.operation->operation_class != OperationClass::kObserve; }

// Members of one epoch take effect one after the other, in an order that nobody knows yet. What was reserved has to stay possible in any.
bool passes_member(const Visit& visit, const Visit& holder) {
  const EpochNumber epoch = holder.party->epoch;
  if (epoch != visit.party->epoch && !(epoch != 0 && mutated(Mutation::kEpochPassesOld))) return false;
  return !(holder.call.operation->reserves && changes_state(visit));
}

bool goes_with_holder(const Visit& visit, const Visit& holder, const LockRule& rule) {
  switch (agree(rule, *visit.type, visit.mode, holder.mode)) {
    case Relation::kAlways:
      return true;
    case Relation::kNever:
      return false;
    case Relation::kDepends:
      // A result of this member is still to come.
      return visit.call.operation->result == Kind::kVoid && holder.call.operation->result == Kind::kVoid &&
             agree({&visit.call, &visit.result}, holder);
  }
  return false;
}

// What the party's earlier operations do to the record may follow from results that are still to come.
bool follows_open_result(const Visit& visit) {
  for (const Visit* other = visit.previous; other != nullptr; other = other->previous) {
    if (other->call.operation->operation_class == OperationClass::kBoth && !other->executed) return true;
  }
  return false;
}

}  // namespace

Listed Locks::list(Visit& visit, Refusal& refusal) {
  Record& record = *visit.record;
  visit.mode = settings_.rule.mode_of(visit);
  visit.executed = false;
  const Gate* gate = record.gate.get();
  if (drain_.covers(record) && !passes(Asker::kListed, Standing::kDrain)) return Listed::kMissed;
  if (record.run() != nullptr && !passes(Asker::kListed, Standing::kTip)) return Listed::kMissed;
  if (changes_state(visit) && !passes(Asker::kListed, Standing::kWarranty) &&
      (settings_.rule.quarantined || first_violated(visit, settings_.rule) != nullptr)) {
    warranty_keeper_->recall(record, visit.call, nullptr, visit.party->priority);
    return Listed::kMissed;
  }
  if (visit.call.operation->reserves) {
    if (follows_open_result(visit)) return Listed::kMissed;
    switch (admit(visit, settings_.rule, context_, refusal)) {
      case Admission::kGranted:
        return Listed::kHeld;
      case Admission::kBlocked:
        return Listed::kMissed;
      case Admission::kRefused:
        return Listed::kRefused;
    }
  }
  if (gate == nullptr) return Listed::kHeld;
  const auto is_in_the_way = [&](const Visit* holder) {
    return holder->party != visit.party && !passes(Asker::kListed, standing_of(*holder)) && !passes_member(visit, *holder) &&
           !goes_with_holder(visit, *holder, settings_.rule);
  };
  const auto holders = gate->holders();
  return std::any_of(holders.begin(), holders.end(), is_in_the_way) ? Listed::kMissed : Listed::kHeld;
}

Listed Locks::list(Party& party, double now_ms, Refusal& refusal, const Visit*& refused) {
  for (Visit& visit : party.visits) {
    const Listed listed = list(visit, refusal);
    if (listed == Listed::kHeld) {
      // What takes no reservation may still be counted in the state; it is taken off again with the others.
      if (!visit.call.operation->reserves) visit.type->reserve(*visit.record->state, visit.call, visit.result);
      visit.admitted = true;  // later operations of the party on the record are judged after it
      enter(visit, now_ms);
      continue;
    }
    unlist(party);
    refused = &visit;
    return listed;
  }
  return Listed::kHeld;
}

void Locks::unlist(Party& party) {
  for (Visit& visit : party.visits) {
    if (visit.held) {
      visit.record->gate->remove_holder(visit);
      if (witness_ && visit.record->hot != 0) witness_->left(*visit.record);
    }
    if (visit.admitted) withdraw(visit);
    if (visit.record->gate != nullptr) retry_waiters(*visit.record);
  }
}

}  // namespace claret

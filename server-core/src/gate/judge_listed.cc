#include <algorithm>

#include "gate/agree.h"
#include "gate/judge.h"
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

Verdict judge_listed(Visit& visit, const GateRules& rules, Refusal& refusal) {
  Record& record = *visit.record;
  visit.mode = rules.locks.mode_of(visit);
  visit.executed = false;
  const Gate* gate = record.gate.get();
  if (rules.drain.covers(record) && !passes(Asker::kListed, Standing::kDrain)) return verdicts::wait(Why::kDrain);
  if (record.run() != nullptr && !passes(Asker::kListed, Standing::kTip)) return verdicts::wait(Why::kRun);
  if (visit.call.operation->reserves) {
    if (follows_open_result(visit)) return verdicts::wait(Why::kHolder);
    return admit(visit, rules.locks, rules.context, refusal);
  }
  if (const Why why = kept_out_by_promise(visit, rules.locks); why != Why::kNothing) return verdicts::sleep(why);
  if (gate == nullptr) return verdicts::kPass;
  const auto is_in_the_way = [&](const Visit* holder) {
    return holder->party != visit.party && !passes(Asker::kListed, standing_of(*holder)) && !passes_member(visit, *holder) &&
           !goes_with_holder(visit, *holder, rules.locks);
  };
  const auto holders = gate->holders();
  return std::any_of(holders.begin(), holders.end(), is_in_the_way) ? verdicts::wait(Why::kHolder) : verdicts::kPass;
}

}  // namespace claret

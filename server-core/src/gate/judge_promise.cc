#include <algorithm>

#include "gate/judge.h"
#include "gate/warranty.h"
#include "ground/mutation.h"

namespace claret {

namespace {

bool follows_own_change(const Visit& visit) {
  for (const Visit* own = visit.party->latest(*visit.record); own != nullptr; own = own->previous) {
    if (own->call.operation->operation_class != OperationClass::kObserve && !mutated(Mutation::kGrantOnOwnChange)) return true;
  }
  return false;
}

}  // namespace

Verdict judge_promise(const Visit& visit, const GateRules& rules) {
  const Record& record = *visit.record;
  if (rules.locks.quarantined) return verdicts::wait(Why::kQuarantine);
  if (record.run() != nullptr && !passes(Asker::kPromise, Standing::kTip)) return verdicts::wait(Why::kRun);
  if (rules.drain.covers(record) && !passes(Asker::kPromise, Standing::kDrain)) return verdicts::wait(Why::kDrain);
  if (follows_own_change(visit)) return verdicts::wait(Why::kHolder);
  if (record.gate == nullptr) return verdicts::kPass;
  const Gate& gate = *record.gate;
  // What waits for the end of one may have gone, to come back then.
  const auto recalled = [](const Warranty* warranty) { return warranty->recalled; };
  const auto warranties = gate.warranties();
  if (!passes(Asker::kPromise, Standing::kWarranty) && std::any_of(warranties.begin(), warranties.end(), recalled)) {
    return verdicts::wait(Why::kWarranty);
  }
  Warranty candidate;
  candidate.record = visit.record;
  candidate.call = visit.call;
  candidate.result = visit.result;
  const auto violates_it = [&](const Visit* other) {
    return violates(other->call, other->executed ? &other->result : nullptr, candidate, rules.locks);
  };
  const auto is_in_the_way = [&](const Visit* holder) { return !passes(Asker::kPromise, standing_of(*holder)) && violates_it(holder); };
  const auto holders = gate.holders();
  if (std::any_of(holders.begin(), holders.end(), is_in_the_way)) return verdicts::wait(Why::kHolder);
  if (passes(Asker::kPromise, Standing::kQueue)) return verdicts::kPass;
  const auto waits_to_violate = [&](const Claim* claim) { return std::any_of(claim->visits.begin(), claim->visits.end(), violates_it); };
  const auto waiters = gate.waiters();
  if (std::any_of(waiters.begin(), waiters.end(), waits_to_violate)) return verdicts::wait(Why::kQueue);
  const auto natives = gate.natives();
  const auto will_violate = [&](const WaitingNative* native) { return violates(native->call, nullptr, candidate, rules.locks); };
  return std::any_of(natives.begin(), natives.end(), will_violate) ? verdicts::wait(Why::kNative) : verdicts::kPass;
}

}  // namespace claret

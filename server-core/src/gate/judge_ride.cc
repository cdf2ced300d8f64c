#include <algorithm>

#include "gate/agree.h"
#include "gate/judge.h"
#include "gate/record_operations.h"
#include "gate/warranty.h"

namespace claret {

bool violates_by_mode(const Visit& visit, const Warranty& warranty, const LockRule& rule) {
  if (visit.record != warranty.record || !changes(visit)) return false;
  return agree(rule, *visit.type, *visit.call.operation, *warranty.call.operation) != Relation::kAlways;
}

Verdict judge_ride(const Visit& visit, std::uint64_t owner, const GateRules& rules, double now_ms) {
  if (rules.locks.quarantined && changes(visit)) return verdicts::sleep(Why::kQuarantine);
  if (is_of_record(*visit.type)) return verdicts::wait(Why::kNever);
  const Gate* gate = visit.record->gate.get();
  if (gate == nullptr || visit.previous != nullptr) return verdicts::kPass;
  if (!gate->holders().empty() && !passes(Asker::kRide, standing_of(*gate->holders().front()))) return verdicts::wait(Why::kHolder);
  const auto is_violated = [&](const Warranty* warranty) {
    const auto& visits = visit.party->visits;
    return std::any_of(visits.begin(), visits.end(), [&](const Visit& one) { return violates_by_mode(one, *warranty, rules.locks); });
  };
  const auto warranties = gate->warranties();
  if (!passes(Asker::kRide, Standing::kWarranty) && std::any_of(warranties.begin(), warranties.end(), is_violated)) {
    return verdicts::sleep(Why::kWarranty);
  }
  const bool has_waited = gate->waited_for_since_ms() < now_ms - rules.patience.ride_cap_ms;
  if (has_waited && !passes(Asker::kRide, Standing::kQueue)) return verdicts::wait(Why::kQueue);
  const Run* run = gate->run();
  if (run != nullptr && run->owner != owner && !passes(Asker::kRide, Standing::kTip)) return verdicts::wait(Why::kRun);
  return verdicts::kPass;
}

}  // namespace claret

// For tests: is there somebody who waits for nobody? Then a wake-up was forgotten, and the waiter would stand until something else woke it.
#pragma once

#include <algorithm>
#include <string>

#include "gate/agree.h"
#include "gate/native.h"
#include "gate/wait_graph.h"
#include "transaction/engine.h"

namespace claret::testing {

// REQUIRES: the claim waits, and was blocked in the last try.
inline bool waits_for_something(const Claim& claim, const Locks& locks) {
  const Gate* gate = claim.record->gate.get();
  if (gate == nullptr) return false;
  if (claim.record->queued) return true;  // it will be tried again
  if (locks.drain().covers(*claim.record)) return true;
  // Several changes of a claim may violate a warranty together.
  if (claim.verdict.sleeps() && (locks.rule().quarantined || !gate->warranties().empty())) return true;
  if (first_native_against(claim, locks.rule()) != nullptr) return true;
  bool found = false;
  for_each_blocker(claim, locks.rule(), [&](const Blocker&) {
    found = true;
    return false;
  });
  return found;
}

// REQUIRES: the native waits at its record's gate.
inline bool waits_for_something(const Native& native, const Locks& locks) { return judge(native, locks.rules()).verdict.waits(); }

// The first of them, for people; empty: there is none. A request that is granted as a whole may have claims that wait for the others only. Natives
// are found at records at which some claim waits.
inline std::string overlooked(const Engine& engine) {
  const Locks& locks = engine.ground.locks;
  const auto name = [](const Record& record, const DataType& type, const Call& call) {
    return operation_name(type, call) + " on " + record.key;
  };
  for (const auto& [serial, party] : engine.ground.wounds.waiting()) {
    const GateRequest* request = party->asking();
    if (request == nullptr) continue;
    bool any = false;
    for (const Claim& claim : request->claims) {
      if (!claim.waiting || !claim.blocked()) continue;
      const bool waits = waits_for_something(claim, locks);
      any |= waits;
      if (!waits && !request->whole) return name(*claim.record, *claim.visits.front()->type, claim.visits.front()->call);
      if (claim.record->gate == nullptr || claim.record->queued) continue;
      const auto natives = claim.record->gate->natives();
      if (!natives.empty() && !waits_for_something(*natives.front(), locks))
        return name(*claim.record, *natives.front()->type, natives.front()->call) + ", a native";
    }
    if (request->whole && !any) return "a whole request, of the transaction " + std::to_string(party->serial);
  }
  return "";
}

}  // namespace claret::testing

#include "telemetry/longest_waits.h"

#include <algorithm>

#include "gate/wait_graph.h"
#include "telemetry/warranty_events.h"

namespace claret {

namespace {

ShownBlocker shown_blocker(const Blocker& blocker, const Counters& counters) {
  const Party& party = *blocker.party;
  const Visit& visit = blocker.visit != nullptr ? *blocker.visit : *blocker.claim->visits.front();
  return {.transaction = shown_transaction(party.priority),
          .label = counters.label(party.label),
          .operation = shown(*visit.type, visit.call),
          .holds = blocker.visit != nullptr,
          .voted = party.stage == Stage::kVoted,
          .waits = !party.waiting.empty()};
}

ShownBlocker shown_blocker(const WaitingNative& native, const Counters& counters) {
  return {.transaction = shown_transaction(native.serial),
          .label = counters.label(kNativeLabel),
          .operation = shown(*native.record->type, native.call),
          .holds = false,
          .voted = false,
          .waits = true};
}

ShownWaiter shown_waiter(const NativeWait& wait, const LockRule& rule, const Counters& counters, double now_ms) {
  const WaitingNative& native = *wait.native;
  const Record& record = *native.record;
  ShownWaiter waiter{.transaction = shown_transaction(native.serial),
                     .label = counters.label(kNativeLabel),
                     .key = shown_key(record.key),
                     .operation = shown(*record.type, native.call),
                     .mode = rule.name_of(*record.type, rule.mode_of(*native.call.operation)),
                     .cause = waits::kNative,
                     .waited_ms = now_ms - native.since_ms};
  if (native.sleeps) {
    waiter.cause = waits::kWarranty;
    waiter.warranty = obstacle_of(record, native.call, nullptr, rule, now_ms);
    return waiter;
  }
  if (wait.blocker != nullptr) {
    waiter.blockers.push_back(shown_blocker({wait.blocker->party, wait.blocker, nullptr}, counters));
  } else if (const WaitingNative* first = record.gate->natives().front(); first != &native) {
    waiter.blockers.push_back(shown_blocker(*first, counters));
  }
  return waiter;
}

ShownWaiter shown_waiter(const TurnWait& wait, const LockRule& rule, const Counters& counters, double now_ms) {
  const Record& record = *wait.visit->record;
  return {.transaction = shown_transaction(wait.member->priority),
          .label = counters.label(wait.member->label),
          .key = shown_key(record.key),
          .operation = shown(*record.type, wait.visit->call),
          .mode = rule.name_of(*record.type, rule.mode_of(*wait.visit)),
          .cause = waits::kTurn,
          .waited_ms = now_ms - wait.member->came_ms,
          .blockers = {shown_blocker({wait.blocker->party, wait.blocker, nullptr}, counters)},
          .more_blockers = record.run()->entries.size() > 1};
}

ShownObstacle obstacle_of(const Claim& claim, const LockRule& rule, double now_ms) {
  for (const Visit* visit : claim.visits) {
    if (first_violated(*visit, rule) == nullptr) continue;
    return obstacle_of(*claim.record, visit->call, visit->executed ? &visit->result : nullptr, rule, now_ms);
  }
  return {};
}

ShownWaiter shown_waiter(const Claim& claim, const LockRule& rule, const Counters& counters, double now_ms) {
  const Visit& visit = *claim.visits.front();
  ShownWaiter waiter{.transaction = shown_transaction(claim.party->priority),
                     .label = counters.label(claim.party->label),
                     .key = shown_key(claim.record->key),
                     .operation = shown(*visit.type, visit.call),
                     .mode = rule.name_of(*claim.record->type, claim.mode),
                     .cause = claim.cause,
                     .waited_ms = now_ms - claim.waiting_since_ms};
  if (claim.verdict.sleeps()) {
    waiter.cause = waits::kWarranty;
    waiter.warranty = obstacle_of(claim, rule, now_ms);
    return waiter;
  }
  if (claim.verdict.why == Why::kNative) {
    if (const WaitingNative* native = first_native_against(claim, rule)) {
      waiter.blockers.push_back(shown_blocker(*native, counters));
    }
    return waiter;
  }
  std::size_t searched = 0;
  // Each blocker once, although a transaction may hold a record with several operations.
  std::vector<const Party*> seen;
  const auto wanted = [&](const Party& party) {
    return ++searched <= telemetry::kHoldersSearched && std::find(seen.begin(), seen.end(), &party) == seen.end();
  };
  for_each_blocker(claim, rule, wanted, [&](const Blocker& blocker) {
    if (waiter.blockers.size() == telemetry::kBlockersShown) {
      waiter.more_blockers = true;
      return false;
    }
    seen.push_back(blocker.party);
    waiter.blockers.push_back(shown_blocker(blocker, counters));
    return true;
  });
  if (searched > telemetry::kHoldersSearched) waiter.more_blockers = true;
  return waiter;
}

}  // namespace

std::vector<ShownWaiter> longest_waits(const Waiting& waiting, const LockRule& rule, const Counters& counters, double now_ms) {
  std::vector<const Claim*> claims;
  std::size_t searched = 0;
  for (const auto& [serial, party] : waiting.parties) {
    for (const Claim* claim : party->waiting) {
      if (++searched > telemetry::kWaitingClaimsSearched) break;
      // A claim that is not blocked itself waits for the other claims of its request.
      if (claim->blocked()) claims.push_back(claim);
    }
    if (searched > telemetry::kWaitingClaimsSearched) break;
  }
  // Longest waits first; among equal waits the order is kept.
  std::stable_sort(claims.begin(), claims.end(), [](const Claim* a, const Claim* b) { return a->waiting_since_ms < b->waiting_since_ms; });
  if (claims.size() > telemetry::kWaitersShown) claims.resize(telemetry::kWaitersShown);
  std::vector<ShownWaiter> waiters;
  for (const Claim* claim : claims) waiters.push_back(shown_waiter(*claim, rule, counters, now_ms));
  for (const NativeWait& wait : waiting.natives) waiters.push_back(shown_waiter(wait, rule, counters, now_ms));
  std::vector<TurnWait> turns = waiting.turns;
  std::stable_sort(turns.begin(), turns.end(), [](const TurnWait& a, const TurnWait& b) { return a.member->came_ms < b.member->came_ms; });
  if (turns.size() > telemetry::kWaitersShown) turns.resize(telemetry::kWaitersShown);
  for (const TurnWait& wait : turns) waiters.push_back(shown_waiter(wait, rule, counters, now_ms));
  std::stable_sort(waiters.begin(), waiters.end(), [](const ShownWaiter& a, const ShownWaiter& b) { return a.waited_ms > b.waited_ms; });
  if (waiters.size() > telemetry::kWaitersShown) waiters.resize(telemetry::kWaitersShown);
  return waiters;
}

}  // namespace claret

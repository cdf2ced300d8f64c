#include "gate/obstacles.h"

#include <algorithm>
#include <cmath>

#include "gate/wait_graph.h"

namespace claret {

namespace {

constexpr double kRetryAfterMsMax = 60'000;

// The claim may violate several warranties. The one that ends last; null: it violates none, and sleeps until the quarantine is over.
const Warranty* warranty_against(const Claim& claim, const LockRule& rule) {
  if (claim.record->gate == nullptr) return nullptr;
  const Warranty* last = nullptr;
  for (const Warranty* warranty : claim.record->gate->warranties()) {
    const auto violates_it = [&](const Visit* visit) {
      return violates(visit->call, visit->executed ? &visit->result : nullptr, *warranty, rule);
    };
    const bool is_later = last == nullptr || warranty->ends_by_ms > last->ends_by_ms;
    if (is_later && std::any_of(claim.visits.begin(), claim.visits.end(), violates_it)) last = warranty;
  }
  return last;
}

// Several claims of the request may sleep. The one whose warranty ends last.
const Claim& last_to_sleep(const GateRequest& request, const Claim& first, const LockRule& rule) {
  const auto ends_by = [&](const Claim& claim) {
    const Warranty* warranty = warranty_against(claim, rule);
    return warranty == nullptr ? rule.quarantined_until_ms : warranty->ends_by_ms;
  };
  const Claim* last = &first;
  for (const Claim& claim : request.claims) {
    if (claim.verdict.sleeps() && ends_by(claim) > ends_by(*last)) last = &claim;
  }
  return *last;
}

// When the caller may come again, since a warranty may have ended.
void add_retry_after(Error& error, const Claim& claim, const LockSettings& settings, double now_ms) {
  const Warranty* warranty = warranty_against(claim, settings.rule);
  const double ends_by_ms = warranty == nullptr ? settings.rule.quarantined_until_ms : warranty->ends_by_ms;
  // What is denied at once need not wait for the term of a warranty that is returned any moment.
  const double recalled_for_ms = warranty == nullptr ? 0 : now_ms - warranty->recalled_ms;
  if (warranty != nullptr && recalled_for_ms < settings.patience.sleep_ms) return;
  // Whoever has it may be slow, or gone until its grant lapses: it is asked for again after as long as it has been waited for already.
  double free_at_ms = ends_by_ms;
  if (warranty != nullptr) free_at_ms = std::max(warranty->firm_until_ms, std::min(ends_by_ms, now_ms + recalled_for_ms));
  error.retry_after_ms = static_cast<std::uint32_t>(std::clamp(std::ceil(free_at_ms - now_ms), 0.0, kRetryAfterMsMax));
}

const Visit& visit_of(const Blocker& blocker) { return blocker.visit != nullptr ? *blocker.visit : *blocker.claim->visits.front(); }

std::optional<Blocker> first_blocker(const Claim& claim, const LockRule& rule) {
  std::optional<Blocker> first;
  for_each_blocker(claim, rule, [&](const Blocker& blocker) {
    first = blocker;
    return false;
  });
  return first;
}

}  // namespace

std::optional<Obstacle> first_obstacle(const Claim& claim, const LockRule& rule) {
  if (claim.verdict.sleeps()) {
    const Warranty* warranty = warranty_against(claim, rule);
    if (warranty == nullptr) return std::nullopt;
    return Obstacle{kWarrantyLabel, claim.record->type, &warranty->call};
  }
  if (claim.verdict.why == Why::kNative) {
    const WaitingNative* native = first_native_against(claim, rule);
    if (native == nullptr) return std::nullopt;
    return Obstacle{kNativeLabel, native->type, &native->call};
  }
  const std::optional<Blocker> blocker = first_blocker(claim, rule);
  if (!blocker) return std::nullopt;
  return Obstacle{blocker->party->label, visit_of(*blocker).type, &visit_of(*blocker).call};
}

std::string_view cause_of_wait(const Claim& claim, const LockRule& rule) {
  if (claim.verdict.sleeps()) return waits::kWarranty;
  const std::optional<Blocker> blocker = first_blocker(claim, rule);
  if (blocker && blocker->visit != nullptr && blocker->party->epoch != 0) return waits::kEpoch;
  return claim.verdict.is_turn() ? waits::kPhase : waits::kLock;
}

Error blocked_error(const Locks& locks, const GateRequest& request, std::string_view code, double now_ms) {
  const LockRule& rule = locks.rule();
  Error error{.code = code, .message = "a lock is held by another transaction", .retryable = true, .cause = causes::kLockWait};
  const auto first = std::find_if(request.claims.begin(), request.claims.end(), [](const Claim& claim) { return claim.blocked(); });
  if (first == request.claims.end()) return error;
  const Claim& claim = first->verdict.sleeps() ? last_to_sleep(request, *first, rule) : *first;
  error.key = claim.record->key;
  error.operation = operation_name(*claim.visits.front()->type, claim.visits.front()->call);
  if (claim.verdict.sleeps()) {
    error.cause = causes::kWarrantyWait;
    error.blocking_label = locks.counters().label(kWarrantyLabel);
    add_retry_after(error, claim, locks.settings(), now_ms);
  }
  if (const std::optional<Obstacle> obstacle = first_obstacle(claim, rule)) {
    error.blocking_operation = operation_name(*obstacle->type, *obstacle->call);
    error.blocking_label = locks.counters().label(obstacle->label);
  }
  return error;
}

Error in_the_way_error(const Locks& locks, const Party& blocker, const Party& waiter, std::string_view code) {
  Error error{.code = code, .retryable = true};
  for (const Claim* claim : waiter.waiting) {
    for_each_blocker(*claim, locks.rule(), [&](const Blocker& found) {
      if (found.party != &blocker) return true;
      const DataType& type = *claim->record->type;
      error.key = claim->record->key;
      error.operation = operation_name(type, visit_of(found).call);
      error.blocking_operation = operation_name(type, claim->visits.front()->call);
      error.blocking_label = locks.counters().label(waiter.label);
      return false;
    });
    if (!error.key.empty()) break;
  }
  return error;
}

}  // namespace claret

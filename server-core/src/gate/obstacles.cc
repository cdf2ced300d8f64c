// Locks, continued: what is in a claim's way, for errors and counters.
#include <algorithm>
#include <cmath>

#include "gate/locks.h"
#include "gate/wait_graph.h"

namespace claret {

namespace {

constexpr double kRetryAfterMsMax = 60'000;

}  // namespace

bool Locks::is_behind_epoch(const Claim& claim) const {
  bool is_behind = false;
  for_each_blocker(claim, settings_.rule, [&](const Blocker& blocker) {
    is_behind = blocker.visit != nullptr && blocker.party->epoch != 0;
    return false;
  });
  return is_behind;
}

const Warranty* Locks::warranty_against(const Claim& claim) const {
  if (claim.record->gate == nullptr) return nullptr;
  const Warranty* last = nullptr;
  for (const Warranty* warranty : claim.record->gate->warranties()) {
    const auto violates_it = [&](const Visit* visit) {
      return violates(visit->call, visit->executed ? &visit->result : nullptr, *warranty, settings_.rule);
    };
    const bool is_later = last == nullptr || warranty->ends_by_ms > last->ends_by_ms;
    if (is_later && std::any_of(claim.visits.begin(), claim.visits.end(), violates_it)) last = warranty;
  }
  return last;
}

const Claim& Locks::last_to_sleep(const GateRequest& request, const Claim& first) const {
  const auto ends_by = [&](const Claim& claim) {
    const Warranty* warranty = warranty_against(claim);
    return warranty == nullptr ? quarantined_until_ms_ : warranty->ends_by_ms;
  };
  const Claim* last = &first;
  for (const Claim& claim : request.claims) {
    if (claim.blocked && claim.sleeps && ends_by(claim) > ends_by(*last)) last = &claim;
  }
  return *last;
}

void Locks::add_warranty(Error& error, const Claim& claim, double now_ms) const {
  const Warranty* warranty = warranty_against(claim);
  const double ends_by_ms = warranty == nullptr ? quarantined_until_ms_ : warranty->ends_by_ms;
  // What is denied at once need not wait for the term of a warranty that is returned any moment.
  const double recalled_for_ms = warranty == nullptr ? 0 : now_ms - warranty->recalled_ms;
  const bool soon = warranty != nullptr && recalled_for_ms < settings_.patience.sleep_ms;
  error.cause = causes::kWarrantyWait;
  error.blocking_label = counters_.label(kWarrantyLabel);
  // Whoever has it may be slow, or gone until its grant lapses: it is asked for again after as long as it has been waited for already.
  double free_at_ms = ends_by_ms;
  if (warranty != nullptr) free_at_ms = std::max(warranty->firm_until_ms, std::min(ends_by_ms, now_ms + recalled_for_ms));
  if (!soon) error.retry_after_ms = static_cast<std::uint32_t>(std::clamp(std::ceil(free_at_ms - now_ms), 0.0, kRetryAfterMsMax));
  if (warranty != nullptr) error.blocking_operation = operation_name(*claim.record->type, warranty->call);
}

void Locks::count_conflict(const Claim& claim) {
  if (claim.kept_out) {
    const WaitingNative& native = *claim.record->gate->first_native_against(claim, settings_.rule);
    count_conflict(claim,
                   {kNativeLabel, claim.party->label, native.call.operation, claim.visits.front()->call.operation, claim.record->type});
    return;
  }
  if (claim.sleeps) {
    if (const Warranty* warranty = warranty_against(claim)) {
      count_conflict(
          claim, {kWarrantyLabel, claim.party->label, warranty->call.operation, claim.visits.front()->call.operation, claim.record->type});
    }
    return;
  }
  for_each_blocker(claim, settings_.rule, [&](const Blocker& blocker) {
    const Visit& visit = blocker.visit != nullptr ? *blocker.visit : *blocker.claim->visits.front();
    count_conflict(
        claim, {blocker.party->label, claim.party->label, visit.call.operation, claim.visits.front()->call.operation, claim.record->type});
    return false;
  });
}

void Locks::count_conflict(const Claim& claim, const ConflictPair& pair) {
  counters_.conflicts.add(pair);
  if (witness_) witness_->conflict(pair, claim);
}

Error Locks::blocked_error(const GateRequest& request, std::string_view code, double now_ms) const {
  Error error{.code = code, .message = "a lock is held by another transaction", .retryable = true, .cause = causes::kLockWait};
  for (const Claim& first : request.claims) {
    if (!first.blocked) continue;
    const Claim& claim = first.sleeps ? last_to_sleep(request, first) : first;
    error.key = claim.record->key;
    error.operation = operation_name(*claim.visits.front()->type, claim.visits.front()->call);
    if (claim.sleeps) {
      add_warranty(error, claim, now_ms);
      break;
    }
    if (claim.kept_out) {
      if (const WaitingNative* native = claim.record->gate->first_native_against(claim, settings_.rule)) {
        error.blocking_operation = operation_name(*native->type, native->call);
        error.blocking_label = counters_.label(kNativeLabel);
      }
      break;
    }
    for_each_blocker(claim, settings_.rule, [&](const Blocker& blocker) {
      const Visit& visit = blocker.visit != nullptr ? *blocker.visit : *blocker.claim->visits.front();
      error.blocking_operation = operation_name(*visit.type, visit.call);
      error.blocking_label = counters_.label(blocker.party->label);
      return false;
    });
    break;
  }
  return error;
}

Error Locks::in_the_way_error(const Party& blocker, const Party& waiter, std::string_view code) const {
  Error error{.code = code, .retryable = true};
  for (const Claim* claim : waiter.waiting) {
    for_each_blocker(*claim, settings_.rule, [&](const Blocker& found) {
      if (found.party != &blocker) return true;
      const Visit& visit = found.visit != nullptr ? *found.visit : *found.claim->visits.front();
      const DataType& type = *claim->record->type;
      error.key = claim->record->key;
      error.operation = operation_name(type, visit.call);
      error.blocking_operation = operation_name(type, claim->visits.front()->call);
      error.blocking_label = counters_.label(waiter.label);
      return false;
    });
    if (!error.key.empty()) break;
  }
  return error;
}

}  // namespace claret

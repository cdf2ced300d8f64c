#include "transaction/shared_operations.h"

#include <algorithm>
#include <limits>

#include "adt/join.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// A visit of another party with the same call and result. It belongs to no request's claim.
Visit& copy_visit(Party& party, const Visit& original, bool exclusive) {
  Visit& copy = party.visit(*original.record);
  copy.type = original.type;
  copy.call = original.call;
  copy.result = original.result;
  copy.exclusive = exclusive;
  return copy;
}

}  // namespace

void SharedHolder::tell_wound(std::uint64_t wounder_priority, bool, bool) { keeper.tell_wound(*this, wounder_priority); }

void SharedHolder::end_with(const Error&) { keeper.drop(*this); }

void SharedOperations::tell_wound(SharedHolder& holder, std::uint64_t wounder_priority) {
  server_frame::add_shared_wound(holder.coordinator->out, holder.number, wounder_priority);
  has_output_(*holder.coordinator);
}

bool SharedOperations::share(Coordinator& coordinator, const Visit& granted, std::uint32_t number, double now_ms) {
  if (!granted.held || granted.mode == kExclusiveMode) return false;
  if (!combinable(*granted.record->type, *granted.call.operation)) return false;
  if (coordinator.shared.size() >= limits::kSharedPerSessionMax || coordinator.shared.contains(number)) return false;
  auto holder = std::make_unique<SharedHolder>(*this);
  holder->kind = PartyKind::kShared;
  holder->priority = std::numeric_limits<std::uint64_t>::max();  // younger than every attempt: any waiter may wound it
  holder->id.fill(0xFF);
  holder->label = granted.party->label;
  holder->coordinator = &coordinator;
  holder->number = number;
  Visit& visit = copy_visit(*holder, granted, false);
  if (!locks_.hold(visit, now_ms)) return false;
  withdraw(visit);
  records_.pin(*visit.record);
  coordinator.shared.emplace(number, std::move(holder));
  ++standing_;
  return true;
}

double SharedOperations::join_for_ms(SharedHolder& holder, double unopposed_ms, double now_ms) const {
  const LockSettings& settings = locks_.settings();
  const Visit& visit = holder.visit();
  const Gate& gate = *visit.record->gate;
  const auto waiters = gate.waiters();
  const bool opposed = std::any_of(waiters.begin(), waiters.end(), [&](const Claim* claim) {
    return std::any_of(claim->visits.begin(), claim->visits.end(),
                       [&](const Visit* waiting) { return conflicts(*waiting, visit, settings.rule); });
  });
  if (!opposed) return unopposed_ms;
  return std::max(0.0, settings.phase_cap_ms - (now_ms - gate.phase_began_ms()));
}

SharedHolder* SharedOperations::find(const Coordinator& coordinator, std::uint32_t number) const {
  const auto found = coordinator.shared.find(number);
  return found == coordinator.shared.end() ? nullptr : found->second.get();
}

bool SharedOperations::join(Attempt& attempt, SharedHolder& holder, double now_ms) {
  const Visit& original = holder.visit();
  records_.pin(*original.record);
  Visit& visit = copy_visit(attempt, original, attempt.exclusive_keys.contains(original.record->key));
  ++attempt.joins_taken;
  return visit.number <= limits::kOperationsPerRecordMax && locks_.hold(visit, now_ms);
}

void SharedOperations::release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers,
                               const std::vector<RequestMessage>& requests) {
  if (numbers.empty()) return;
  for (const std::uint32_t number : numbers) {
    if (SharedHolder* holder = find(coordinator, number)) holder->released = true;
  }
  for (const RequestMessage& request : requests) {
    for (const std::uint32_t number : request.joined) {
      SharedHolder* holder = find(coordinator, number);
      if (holder != nullptr && holder->released) ++holder->joins_to_come;
    }
  }
  for (const std::uint32_t number : numbers) {
    SharedHolder* holder = find(coordinator, number);
    if (holder != nullptr && holder->joins_to_come == 0) drop(*holder);
  }
}

void SharedOperations::joined(SharedHolder& holder) {
  if (!holder.released) return;
  if (--holder.joins_to_come == 0) drop(holder);
}

void SharedOperations::finish_release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t number : numbers) {
    if (SharedHolder* holder = find(coordinator, number)) drop(*holder);
  }
}

void SharedOperations::drop(SharedHolder& holder) {
  locks_.let_go(holder.visit());
  --standing_;
  holder.coordinator->shared.erase(holder.number);
}

void SharedOperations::drop_all(Coordinator& coordinator) {
  while (!coordinator.shared.empty()) drop(*coordinator.shared.begin()->second);
}

}  // namespace claret

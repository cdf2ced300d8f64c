#include "transaction/requests.h"

#include <algorithm>

#include "gate/obstacles.h"
#include "ground/mutation.h"
#include "transaction/conditions.h"
#include "transaction/epoch_members.h"
#include "transaction/slot_giver.h"
#include "wire/server_frame.h"

namespace claret {

Attempt* Requests::begin(Coordinator& coordinator, const RequestMessage& message, double arrived_ms) {
  auto error = Attempts::find(coordinator, message.attempt) == nullptr ? parts_.attempts.check(coordinator, message)
                                                                       : refuse(errors::kInvalidAttempt, "the attempt has begun already");
  if (!error && message.begin->epoch_manager_plus_one != 0) error = parts_.epoch_members.check(message);
  if (error) {
    parts_.replies.error(coordinator, message.attempt, *error);
    return nullptr;
  }
  if (!message.begin->transaction.empty() && !parts_.retried.claim(coordinator, message)) return nullptr;
  Attempt& attempt = parts_.attempts.begin(*this, coordinator, message, arrived_ms);
  parts_.attempts.count_begun(attempt);
  if (!may_end_at_once(message)) parts_.attempts.enlist(attempt);
  return &attempt;
}

bool Requests::may_end_at_once(const RequestMessage& message) const {
  if (!message.begin->transaction.empty() || !message.prepare || message.begin->epoch_manager_plus_one != 0) return false;
  // A larger attempt leaves its records turn by turn.
  if (message.operations.size() > parts_.departures.visits_at_once()) return false;
  const ShardList& participants = message.prepare->participants;
  return std::all_of(participants.begin(), participants.end(), [&](auto shard) { return shard == ground_.place.shard; });
}

void Requests::take(Coordinator& coordinator, RequestMessage& message, double arrived_ms) {
  Attempt* attempt = Attempts::find(coordinator, message.attempt);
  if (message.begin) {
    attempt = begin(coordinator, message, arrived_ms);
    if (attempt == nullptr) return;
  }
  if (attempt == nullptr || attempt->stage == Stage::kVoted) {
    parts_.replies.error(coordinator, message.attempt,
                         refuse(errors::kUnknownAttempt, "no attempt with this number takes operations here", true));
    return;
  }
  attempt->last_heard_ms = ground_.clock.now_ms();
  if (attempt->expires_at_ms <= ground_.clock.now_ms()) {
    parts_.endings.expire(*attempt);
    return;
  }
  if (message.sent_before != attempt->operations_taken) {
    parts_.endings.abort(*attempt, refuse(errors::kUnknownAttempt, "operations of this attempt are missing here", true));
    return;
  }
  if (attempt->requests.size() >= limits::kRequestsQueuedPerAttemptMax ||
      (!attempt->requests.empty() && attempt->requests.back()->prepare)) {
    parts_.endings.abort(*attempt, refuse(errors::kInvalidAttempt, "the attempt takes no further requests"));
    return;
  }
  const bool holds_nothing = attempt->visits.empty();
  auto request = std::make_unique<Request>();
  request->attempt = attempt;
  request->party = attempt;
  request->number = ++attempt->requests_taken;
  if (const auto error = parts_.intake.take(*attempt, message, *request)) {
    parts_.endings.abort(*attempt, *error);
    return;
  }
  if (message.prepare) {
    if (const auto error = take_prepare(*attempt, *message.prepare, *request)) {
      parts_.endings.abort(*attempt, *error);
      return;
    }
  }
  request->whole = request->prepare || (holds_nothing && message.whole);
  request->holds_elsewhere = request->prepare && !request->prepare->participants.empty();
  request->ends_here = holds_nothing && (message.whole || message.begin) && request->prepare && request->prepare->participants.empty();
  request->leaves_at_once = request->ends_here && !parts_.departures.in_parts(*attempt);
  attempt->requests.push_back(std::move(request));
  if (attempt->member_of_epoch) return parts_.epoch_members.gather(*attempt);
  if (attempt->requests.size() == 1) start(*attempt);
}

std::optional<Error> Requests::take_prepare(Attempt& attempt, const PrepareMessage& message, Request& request) {
  request.prepare.emplace();
  attempt.warranted = message.warranted;
  if (auto error = parts_.votes.take(message, *request.prepare)) return error;
  if (message.not_after_us != 0) attempt.waits_until_ms = static_cast<double>(message.not_after_us) / 1000;
  return parts_.retried.take_answer(attempt, message);
}

void Requests::start(Attempt& attempt) {
  if (parts_.slot_giver.holds_up(attempt)) {
    parts_.slot_giver.hold_back(attempt);
    return;
  }
  Request& request = *attempt.requests.front();
  Refusal refusal;
  const Visit* refused = nullptr;
  const Acquired acquired = ground_.locks.acquire(request, ground_.clock.now_ms(), refusal, refused);
  if (attempt.traced) trace(request, refused, acquired == Acquired::kDenied);
  switch (acquired) {
    case Acquired::kGranted:
      complete(request);
      break;
    case Acquired::kWaiting:
      if (!attempt.enlisted) parts_.attempts.enlist(attempt);
      ground_.wounds.waits(attempt);
      break;
    case Acquired::kDenied:
      deny(attempt);
      break;
    case Acquired::kRefused:
      parts_.endings.abort_refused(attempt, refusal, *refused);
  }
}

void Requests::trace(const Request& request, const Visit* refused, bool denied) {
  if (ground_.witness) ground_.witness->tried(request, refused, denied, ground_.locks.rule());
}

void Requests::complete(Request& request) {
  Attempt& attempt = *request.attempt;
  ground_.wounds.waits_no_more(attempt);
  // The request may have waited for an attempt that had voted before. It is refused if its results are not durable, so that no other output
  // of its session waits behind them.
  const auto is_told_late = [&](const Visit* visit) {
    return visit->call.operation->result != Kind::kVoid && visit->record->last_position > ground_.journal.durable();
  };
  if (ground_.clock.refuses_changes() && std::any_of(request.visits.begin(), request.visits.end(), is_told_late)) {
    parts_.endings.abort(attempt, changes_refused(ground_.clock.trouble()));
    return;
  }
  if (!request.asked.empty()) {
    if (const auto error = unexpected(request)) {
      parts_.endings.abort(attempt, *error);
      return;
    }
  }
  if (!request.ends_here) ground_.wounds.heed_elders(attempt, request);
  if (request.prepare) {
    parts_.votes.vote(request);
    return;
  }
  parts_.replies.reply(request, 0, 0, 0);
  attempt.requests.erase(attempt.requests.begin());
  if (!attempt.requests.empty()) start(attempt);
}

void Requests::refused(Request& request, const Refusal& refusal, const Visit& visit) {
  parts_.endings.abort_refused(*request.attempt, refusal, visit);
}

std::optional<Error> Requests::unexpected(const Request& request) {
  for (const Asked& asked : request.asked) {
    if (!asked.expects) continue;
    ++ground_.counters.totals.expects;
    const Visit& visit = *request.visits[asked.index];
    if (parts_.warranties.digest_of(visit.result) == asked.expected || mutated(Mutation::kExpectNotCompared)) continue;
    ++ground_.counters.totals.expects_changed;
    Error error = refuse(errors::kWarrantyChanged, "the result that the transaction has used is another one now", true);
    error.cause = causes::kWarrantyChanged;
    error.key = visit.record->key;
    error.operation = operation_name(*visit.type, visit.call);
    ground_.depends(*request.attempt->coordinator, visit.record->last_position);
    return error;
  }
  return std::nullopt;
}

void Requests::deny(Attempt& attempt) {
  Error error = blocked_error(ground_.locks, *attempt.requests.front(), errors::kDenied, ground_.clock.now_ms());
  if (error.cause != causes::kWarrantyWait) error.cause = causes::kDenied;
  parts_.warranties.give_way(attempt, error);
  ground_.wounds.waits_no_more(attempt);
  ground_.counters.totals.denials += attempt.requests.size();
  // Requests sent after the denied one are denied with it: operations apply in the order of issue.
  for (const auto& request : attempt.requests) {
    ground_.locks.cancel(*request, ground_.clock.now_ms());
    attempt.operations_taken -= static_cast<std::uint32_t>(request->visits.size());
    parts_.replies.denied(attempt, error);
  }
  attempt.requests.clear();
  while (attempt.visits.size() > attempt.operations_taken) {
    Record& record = *attempt.visits.back().record;
    ground_.records.unpin(record, *attempt.visits.back().type);
    attempt.drop_newest_visit();
    ground_.locks.retry_waiters(record);
  }
  // A denied whole request leaves nothing behind: its repetition begins the attempt anew. Its transaction's id stays claimed.
  if (attempt.visits.empty() && attempt.transaction == nullptr) {
    ground_.outcomes.known().forget(attempt.id);
    parts_.endings.end(attempt);
  }
}

// ---- waits --------------------------------------------------------------------------------------------------------------------

void Requests::wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority) {
  if (Attempt* attempt = ground_.outcomes.known().under_way(id)) ground_.wounds.wounded_elsewhere(*attempt, by_priority);
}

void Requests::tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) {
  if (attempt.member_of_epoch) return;  // it waits for nothing
  if (first && attempt.coordinator != nullptr) {
    server_frame::add_wound(attempt.coordinator->out, attempt.number, attempt.id, wounder_priority);
    ground_.has_output(*attempt.coordinator);
  }
  if (others) wounds_told_.push_back({attempt.id, wounder_priority, attempt.participants});
}

void Requests::due() {
  // The checks that are due now; a check may be scheduled again.
  for (std::size_t left = ground_.wounds.checks(); left > 0; --left) {
    // Locks freed by a check are granted before the next waiter is checked.
    if (!ground_.wounds.check_next([this] { ground_.settle(); })) break;
  }
}

bool Requests::change(const Change& change) {
  switch (change.kind) {
    case ChangeKind::kSlots:
      return true;  // slot_giver.h
    case ChangeKind::kQuarantine:
      ground_.locks.end_quarantine(parts_.attempts.gated());
      return true;
    case ChangeKind::kConditions:
      if (change.step == ChangeStep::kMade) switch_to(*change.after);
      return true;
    case ChangeKind::kType:
      break;
  }
  // No transaction may run the operations of two versions.
  if (change.step == ChangeStep::kAnnounced && ground_.locks.mode() == ShardMode::kOpen) {
    ground_.locks.set_mode(ShardMode::kDraining);
    for (Attempt* attempt : parts_.attempts.running()) parts_.endings.abort(*attempt, condition_changed());
  }
  if (change.step == ChangeStep::kOver) ground_.locks.set_mode(ShardMode::kOpen);
  return parts_.attempts.by_serial().empty();
}

// Holders keep what they hold, and their modes are recomputed by the new rule.
void Requests::switch_to(const Conditions& conditions) {
  ground_.locks.change(lock_settings(conditions, patience_of(ground_.locks)), parts_.attempts.gated());
  if (!conditions.phasing) {
    std::vector<Attempt*> waiting;
    for (const auto& [serial, attempt] : parts_.attempts.by_serial()) {
      if (ground_.wounds.is_waiting(*attempt)) waiting.push_back(attempt);
    }
    for (Attempt* attempt : waiting) deny(*attempt);
  }
  ground_.locks.settle(ground_.clock.now_ms());
  ground_.wounds.break_all_cycles();  // other modes may have other conflicts
}

}  // namespace claret

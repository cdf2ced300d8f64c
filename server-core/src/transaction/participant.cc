#include "transaction/participant.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <limits>

#include "wire/utf8.h"

namespace claret {

namespace {

Error refuse(std::string_view code, std::string message, bool retryable = false) {
  return {.code = code, .message = std::move(message), .retryable = retryable};
}

Error condition_changed() {
  return {.code = errors::kConditionChanged,
          .message = "the cluster's concurrency control was switched meanwhile",
          .retryable = true,
          .cause = errors::kConditionChanged};
}

constexpr double kMicrosecondsMost = std::numeric_limits<std::uint32_t>::max();

LockSettings lock_settings(const Conditions& conditions, double phase_cap_ms) {
  return {LockRule{conditions.locks}, conditions.phasing, phase_cap_ms};
}

bool valid(const ShardList& participants, const ShardPlace& place) {
  return participants.size() <= limits::kParticipantsMax &&
         std::all_of(participants.begin(), participants.end(), [&](auto shard) { return shard < place.shards; });
}

ShardList without(const ShardList& shards, std::uint32_t self) {
  ShardList others;
  for (const std::uint32_t shard : shards) {
    if (shard != self && std::find(others.begin(), others.end(), shard) == others.end()) others.push_back(shard);
  }
  return others;
}

}  // namespace

Participant::Participant(const ParticipantOptions& options, Telemetry& telemetry,
                         std::function<void(Session&)> has_output)
    : options_(options),
      telemetry_(telemetry),
      has_output_(std::move(has_output)),
      context_{options.incarnation},
      clock_(options.place.shard),
      locks_(records_, telemetry_, context_, lock_settings(conditions_, options.phase_cap_ms)),
      shared_(records_, locks_) {}

// ---- requests -----------------------------------------------------------------------------------------------------------

std::optional<Error> Participant::check_begin(const Session& session, const RequestMessage& message) const {
  const BeginMessage& begin = *message.begin;
  if (begin.id.size() != limits::kAttemptIdBytes) return refuse(errors::kInvalidAttempt, "an attempt's id has 16 bytes");
  if (begin.label.size() > limits::kLabelBytesMax) return refuse(errors::kInvalidAttempt, "the label is too long");
  if (!is_valid_utf8(begin.label)) return refuse(errors::kInvalidUtf8, "the label is not valid UTF-8");
  if (session.attempts.size() >= limits::kAttemptsPerSessionMax) {
    return refuse(errors::kOverloaded, "the session has too many attempts in flight", true);
  }
  if (draining_to_) return condition_changed();
  AttemptId id;
  std::copy(begin.id.begin(), begin.id.end(), id.begin());
  if (by_id_.contains(id)) return refuse(errors::kInvalidAttempt, "an attempt with this id is already under way");
  if (outcomes_.find(id) != nullptr) return refuse(errors::kInvalidAttempt, "this attempt has ended before", true);
  return std::nullopt;
}

Attempt* Participant::begin(Session& session, const RequestMessage& message) {
  const BeginMessage& begin = *message.begin;
  auto attempt = std::make_unique<Attempt>();
  std::copy(begin.id.begin(), begin.id.end(), attempt->id.begin());
  attempt->priority = begin.priority;
  attempt->label = telemetry_.label_number(begin.label);
  attempt->serial = next_serial_++;
  attempt->session = &session;
  attempt->number = message.attempt;
  const std::uint32_t expires_in_ms = begin.expires_in_ms == 0 ? limits::kAttemptExpiryMsDefault : begin.expires_in_ms;
  attempt->expires_at_ms = now_ms_ + std::min(expires_in_ms, limits::kAttemptExpiryMsMax);
  for (const std::string_view key : begin.exclusive) attempt->exclusive_keys.emplace(key);

  Attempt* begun = attempt.get();
  attempts_.emplace(begun->serial, begun);
  by_id_.emplace(begun->id, begun);
  session.attempts.emplace(message.attempt, std::move(attempt));
  return begun;
}

Attempt* Participant::find(const Session& session, std::uint64_t number) const {
  const auto found = session.attempts.find(number);
  return found == session.attempts.end() ? nullptr : found->second.get();
}

std::optional<Error> Participant::take_visits(Attempt& attempt, RequestMessage& message, Request& request) {
  if (message.operations.size() > limits::kOperationsPerRequestMax ||
      attempt.operations_taken + message.operations.size() > limits::kOperationsPerAttemptMax) {
    return refuse(errors::kTooManyOperations, "a request has at most " +
                                                  std::to_string(limits::kOperationsPerRequestMax) + " operations");
  }
  for (OperationMessage& operation : message.operations) {
    TakenOperation taken;
    if (auto error = take_operation(operation, options_.place, taken)) return error;
    Record& record = records_.find_or_create(operation.key, *taken.type);
    if (record.type != taken.type) {
      Error error = refuse(errors::kWrongType, "the record is a " + std::string(record.type->name()),
                           record.last_commit == 0);
      error.key = operation.key;
      error.operation = std::string(taken.type->name()) + '.' + std::string(taken.call.operation->name);
      return error;
    }
    records_.pin(record);
    Visit& visit = attempt.visit(record);
    visit.type = taken.type;
    visit.request_number = request.number;
    visit.call = std::move(taken.call);
    visit.exclusive = attempt.exclusive_keys.contains(record.key);
    request.visits.push_back(&visit);
    if (operation.share != 0) request.shares.push_back({&visit, operation.share});
    if (visit.number > limits::kOperationsPerRecordMax) {
      Error error = refuse(errors::kTooManyOperations, "an attempt has at most " +
                                                           std::to_string(limits::kOperationsPerRecordMax) +
                                                           " operations on one record");
      error.key = operation.key;
      return error;
    }
  }
  attempt.operations_taken += static_cast<std::uint32_t>(message.operations.size());
  return std::nullopt;
}

void Participant::request(Session& session, RequestMessage& message) {
  Attempt* attempt = find(session, message.attempt);
  if (message.begin) {
    if (attempt != nullptr) {
      reply_error(session, message.attempt, refuse(errors::kInvalidAttempt, "the attempt has begun already"));
      return;
    }
    if (const auto error = check_begin(session, message)) {
      reply_error(session, message.attempt, *error);
      return;
    }
    attempt = begin(session, message);
  }
  if (attempt == nullptr || attempt->phase == AttemptPhase::kVoted) {
    reply_error(session, message.attempt,
                refuse(errors::kUnknownAttempt, "no attempt with this number takes operations here", true));
    return;
  }
  attempt->last_heard_ms = now_ms_;
  if (message.sent_before != attempt->operations_taken) {
    abort(*attempt, refuse(errors::kUnknownAttempt, "operations of this attempt are missing here", true));
    return;
  }
  if (attempt->requests.size() >= limits::kRequestsQueuedPerAttemptMax ||
      (!attempt->requests.empty() && attempt->requests.back()->prepare)) {
    abort(*attempt, refuse(errors::kInvalidAttempt, "the attempt takes no further requests"));
    return;
  }
  if (!message.joined.empty() && !take_joins(*attempt, message)) return;
  auto request = std::make_unique<Request>();
  request->attempt = attempt;
  request->number = ++attempt->requests_taken;
  if (const auto error = take_visits(*attempt, message, *request)) {
    abort(*attempt, *error);
    return;
  }
  if (message.prepare) {
    if (!valid(message.prepare->participants, options_.place)) {
      abort(*attempt, refuse(errors::kInvalidAttempt, "the participants are not shards of this cluster"));
      return;
    }
    request->prepare = Prepare{without(message.prepare->participants, options_.place.shard), message.prepare->not_after};
    request->whole = message.begin && request->prepare->participants.empty() && message.joined.empty();
  }
  attempt->requests.push_back(std::move(request));
  if (attempt->requests.size() == 1) start(*attempt);
}

// Before the request's own operations, and kept when those are denied.
bool Participant::take_joins(Attempt& attempt, const RequestMessage& message) {
  if (!attempt.requests.empty()) {
    abort(attempt, refuse(errors::kInvalidAttempt, "a request that joins is sent once those before it are answered"));
    return false;
  }
  if (message.joined.size() > limits::kOperationsPerRequestMax ||
      attempt.visits.size() + message.joined.size() > limits::kOperationsPerAttemptMax) {
    abort(attempt, refuse(errors::kTooManyOperations, "too many shared operations joined"));
    return false;
  }
  for (const std::uint32_t number : message.joined) {
    SharedHolder* holder = shared_.find(*attempt.session, number);
    if (holder == nullptr || !shared_.join(attempt, *holder, now_ms_)) {
      Error error = refuse(errors::kJoinBroken, "a shared operation that the attempt has joined no longer stands", true);
      error.cause = errors::kJoinBroken;
      if (holder != nullptr) error.key = holder->visit().record->key;
      abort(attempt, error);
      return false;
    }
    shared_.joined(*holder);
  }
  return true;
}

void Participant::start(Attempt& attempt) {
  if (conditions_.locks == LockKind::kNone) {
    run_without_locks(attempt);
    return;
  }
  Request& request = *attempt.requests.front();
  Refusal refusal;
  const Visit* refused = nullptr;
  switch (locks_.acquire(request, now_ms_, refusal, refused)) {
    case Acquired::kGranted:
      complete(request);
      break;
    case Acquired::kWaiting:
      waits(attempt);
      break;
    case Acquired::kDenied:
      deny(attempt);
      break;
    case Acquired::kRefused:
      abort_refused(attempt, refusal, *refused);
  }
}

// The paper's upper bound: each operation is executed and committed at once, on its own.
void Participant::run_without_locks(Attempt& attempt) {
  Request& request = *attempt.requests.front();
  telemetry_.operations += request.visits.size();
  for (Visit* visit : request.visits) {
    Refusal refusal;
    if (admit(*visit, LockRule{LockKind::kNone}, context_, refusal) != Admission::kGranted) {
      abort_refused(attempt, refusal, *visit);
      return;
    }
    withdraw(*visit);
    apply_visit(*visit, clock_.next());
  }
  complete(request);
}

void Participant::complete(Request& request) {
  Attempt& attempt = *request.attempt;
  waiting_.erase(attempt.serial);
  if (request.prepare) {
    vote(request);
    return;
  }
  reply(request, 0, 0, share(request));
  attempt.requests.erase(attempt.requests.begin());
  if (!attempt.requests.empty()) start(attempt);
}

void Participant::vote(Request& request) {
  Attempt& attempt = *request.attempt;
  const Timestamp at = clock_.next();
  if (request.prepare->not_after != 0 && at > request.prepare->not_after) {
    abort(attempt, refuse(errors::kExpired, "the vote would be later than the attempt allows", true));
    return;
  }
  if (request.prepare->participants.empty()) {
    reply(request, 0, at);
    commit(attempt, at);
    return;
  }
  attempt.phase = AttemptPhase::kVoted;
  attempt.voted_at = at;
  attempt.participants = std::move(request.prepare->participants);
  reply(request, at, 0);
  attempt.requests.erase(attempt.requests.begin());
}

void Participant::deny(Attempt& attempt) {
  Error error = locks_.blocked_error(*attempt.requests.front(), errors::kDenied);
  error.cause = errors::kDenied;
  waiting_.erase(attempt.serial);
  // What was sent behind the denied request is denied with it: operations apply in the order issued.
  for (const auto& request : attempt.requests) {
    locks_.cancel(*request, now_ms_);
    attempt.operations_taken -= static_cast<std::uint32_t>(request->visits.size());
    server_frame::add_reply(attempt.session->out, {.attempt = attempt.number, .denied = &error});
    has_output_(*attempt.session);
  }
  attempt.requests.clear();
  while (attempt.visits.size() > attempt.operations_taken + attempt.joins_taken) {
    Record& record = *attempt.visits.back().record;
    attempt.drop_newest_visit();
    records_.unpin(record);
    locks_.retry_waiters(record);
  }
  // A whole request that is denied leaves nothing behind: its repetition begins anew.
  if (attempt.visits.empty()) end(attempt);
}

// ---- outcomes -------------------------------------------------------------------------------------------------------------

void Participant::committed(Session& session, std::uint64_t number, Timestamp at) {
  Attempt* attempt = find(session, number);
  if (attempt == nullptr || attempt->phase != AttemptPhase::kVoted || at < attempt->voted_at) return;
  commit(*attempt, at);
}

void Participant::aborted(Session& session, std::uint64_t number) {
  Attempt* attempt = find(session, number);
  if (attempt == nullptr) return;
  telemetry_.abort("aborted_by_client");
  outcomes_.aborted(attempt->id, attempt->expires_at_ms);
  end(*attempt);
}

void Participant::forgotten_below(Session& session, std::uint64_t number) {
  // In order of commit, not of number: what is blocked behind a higher number is forgotten a little later.
  for (auto* list : {&session.committed_alone, &session.committed_together}) {
    while (!list->empty() && list->front().number < number) list->pop_front();
  }
}

void Participant::apply_visit(Visit& visit, Timestamp at) {
  if (visit.call.operation->operation_class == OperationClass::kObserve) return;
  Record& record = *visit.record;
  record.type->commit(*record.state, visit.call, visit.result, at);
  // A record may have been watched before its first commit made it.
  if (record.watched || record.last_commit == 0) changed_.push_back(&record);
  record.last_commit = std::max(record.last_commit, at);
}

void Participant::apply(Attempt& attempt, Timestamp at) {
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr && visit.admitted) withdraw(visit);
  }
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr) apply_visit(visit, at);
  }
}

void Participant::commit(Attempt& attempt, Timestamp at) {
  clock_.raise(at);
  ++telemetry_.commits;
  if (conditions_.locks != LockKind::kNone) apply(attempt, at);
  if (attempt.session != nullptr) {
    auto& alone = attempt.session->committed_alone;
    while (!alone.empty() && alone.front().expires_at_ms <= now_ms_) alone.pop_front();
    auto& list = attempt.participants.empty() ? alone : attempt.session->committed_together;
    list.push_back({attempt.number, attempt.id, at, attempt.expires_at_ms});
  } else {
    outcomes_.committed(attempt.id, at, now_ms_);
  }
  end(attempt);
}

void Participant::abort(Attempt& attempt, const Error& error) {
  telemetry_.abort(error.code);
  outcomes_.aborted(attempt.id, attempt.expires_at_ms);
  if (attempt.session != nullptr) reply_error(*attempt.session, attempt.number, error);
  end(attempt);
}

void Participant::abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused) {
  Error error = refuse(refusal.code, refusal.message);
  error.key = refused.record->key;
  error.operation = std::string(refused.type->name()) + '.' + std::string(refused.call.operation->name);
  abort(attempt, error);
}

void Participant::end(Attempt& attempt) {
  locks_.release(attempt);
  attempts_.erase(attempt.serial);
  waiting_.erase(attempt.serial);
  by_id_.erase(attempt.id);
  if (attempt.session != nullptr) {
    attempt.session->attempts.erase(attempt.number);
  } else {
    orphans_.erase(attempt.serial);
  }
}

// ---- replies --------------------------------------------------------------------------------------------------------------

Participant::SharedList Participant::share(const Request& request) {
  SharedList made;
  const Attempt& attempt = *request.attempt;
  // The client counts from when it sent the request: no later than when it arrived.
  const double waited_ms = now_ms_ - attempt.last_heard_ms;
  const double unopposed_ms = std::max(options_.phase_cap_ms, options_.wound_delay_ms);
  for (const Request::Share& share : request.shares) {
    if (!shared_.share(*attempt.session, *share.visit, share.number, now_ms_)) continue;
    const double rest_ms = shared_.join_for_ms(*share.visit->record, *share.visit, unopposed_ms, now_ms_);
    const double join_for_us = rest_ms <= 0 ? 0 : std::min((waited_ms + rest_ms) * 1000, kMicrosecondsMost);
    made.push_back({share.number, static_cast<std::uint32_t>(join_for_us)});
  }
  return made;
}

void Participant::reply(Request& request, Timestamp voted_at, Timestamp committed_at, const SharedList& shared) {
  Attempt& attempt = *request.attempt;
  absl::InlinedVector<const Value*, 8> results;
  for (const Visit* visit : request.visits) {
    if (visit->call.operation->result != Kind::kVoid) results.push_back(&visit->result);
  }
  ReplyMessage reply{.attempt = attempt.number, .results = results, .voted_at = voted_at, .committed_at = committed_at};
  if (request.prepare) {
    reply.waited = {static_cast<std::uint32_t>(std::min(attempt.waited_ms * 1000, kMicrosecondsMost)),
                    attempt.locks_waited_for};
  }
  reply.shared = shared;
  server_frame::add_reply(attempt.session->out, reply);
  has_output_(*attempt.session);
}

void Participant::reply_error(Session& session, std::uint64_t number, const Error& error) {
  server_frame::add_reply(session.out, {.attempt = number, .error = &error});
  has_output_(session);
}

// ---- settling and conditions ----------------------------------------------------------------------------------------------------

void Participant::settle() {
  for (;;) {
    const Locks::Brought brought = locks_.settle(now_ms_);
    if (brought.news == Locks::News::kNothing) break;
    if (brought.news == Locks::News::kGranted) {
      complete(*brought.request);
    } else {
      abort_refused(*brought.request->attempt, brought.refusal, *brought.refused);
    }
  }
  if (draining_to_) finish_draining();
}

void Participant::set_conditions(const Conditions& conditions) {
  const bool drains = (conditions.locks == LockKind::kNone) != (conditions_.locks == LockKind::kNone);
  if (!drains) {
    draining_to_.reset();
    conditions_ = conditions;
    std::vector<Record*> gated;
    absl::flat_hash_set<const Record*> seen;  // only asked, never walked
    const auto add_gated = [&](const Party& party) {
      for (const Visit& visit : party.visits) {
        Record* record = visit.record;
        if (record == nullptr || record->gate == nullptr) continue;
        if (seen.insert(record).second) gated.push_back(record);
      }
    };
    for (const auto& [serial, attempt] : attempts_) add_gated(*attempt);
    for (const Session* session : sessions_) {
      for (const auto& [number, holder] : session->shared) add_gated(*holder);
    }
    locks_.change(lock_settings(conditions_, options_.phase_cap_ms), gated);
    if (!conditions_.phasing) {
      while (!waiting_.empty()) deny(*waiting_.begin()->second);
    }
    settle();
    return;
  }
  draining_to_ = conditions;
  std::vector<Attempt*> running;
  for (const auto& [serial, attempt] : attempts_) {
    if (attempt->phase == AttemptPhase::kRunning) running.push_back(attempt);
  }
  for (Attempt* attempt : running) abort(*attempt, condition_changed());
  for (Session* session : sessions_) shared_.drop_all(*session);
  settle();
}

void Participant::finish_draining() {
  if (!attempts_.empty()) return;
  conditions_ = *draining_to_;
  draining_to_.reset();
  locks_.change(lock_settings(conditions_, options_.phase_cap_ms), {});
}

}  // namespace claret

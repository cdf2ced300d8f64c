#include "transaction/participant.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <limits>

#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"
#include "ground/utf8.h"

namespace claret {

namespace {

constexpr double kMicrosecondsMost = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Participant::Participant(const ParticipantOptions& options, Counters& counters, std::function<void(Coordinator&)> has_output)
    : options_(options),
      counters_(counters),
      has_output_(std::move(has_output)),
      context_{options.incarnation},
      journal_(options.logged),
      clock_(options.place.shard, journal_, options.stopwatch),
      locks_(records_, counters_, context_, lock_settings({}, options.phase_cap_ms)),
      wounds_(locks_, options.wounds),
      moves_(options.place),
      past_(options.past),
      effects_(checkpoint_, copy_, records_, past_, options.logged),
      natives_({records_, locks_, journal_, clock_, effects_, past_, counters_, context_, moves_.slots()}, options.natives, has_output_),
      departures_(locks_, effects_, options.visits_leave_at_once),
      outcomes_(clock_, journal_, checkpoint_, doubts_),
      log_(journal_, checkpoint_, deduplication_, counters_, clock_),
      warranties_({records_, locks_, journal_, clock_, counters_}, options.warranties, has_output_),
      boards_({records_, journal_, clock_, context_, moves_.slots()}, has_output_),
      chains_({locks_, journal_, clock_, effects_, log_, outcomes_, counters_, context_, boards_, warranties_}, options.chains, *this,
              has_output_),
      epochs_({options.place.shard, locks_, journal_, clock_, log_, doubts_, counters_, context_}, *this),
      conditions_(locks_, wounds_, attempts_, *this, options.phase_cap_ms),
      type_changes_({records_.types(), journal_, checkpoint_, conditions_, chains_, past_, warranties_, locks_, natives_}),
      checkpointing_(options.place, context_, checkpoint_, {attempts_, outcomes_.known(), journal_, clock_, log_, moves_, records_},
                     deduplication_, departures_, effects_, native_sessions_),
      giving_(records_, deduplication_, effects_, clock_, copy_),
      importing_(records_, deduplication_, checkpoint_, moves_),
      leftovers_(records_, deduplication_, checkpoint_, moves_),
      replay_(std::make_unique<Replay>(options.place, context_,
                                       Replay::Target{journal_, records_, deduplication_, effects_, checkpoint_, counters_,
                                                      native_sessions_, moves_, importing_, *this})),
      shards_(std::max(options.place.shards, options.place.shard + 1)) {
  locks_.set_conflict_listener(boards_);
  if (!options.logged) past_.begin();
}

Participant::~Participant() = default;

// ---- requests -----------------------------------------------------------------------------------------------------------

std::optional<Error> Participant::check_begin(const Coordinator& coordinator, const RequestMessage& message) const {
  const BeginMessage& begin = *message.begin;
  if (begin.id.size() != kIdBytes) return refuse(errors::kInvalidAttempt, "an attempt's id has 16 bytes");
  if (begin.label.size() > limits::kLabelBytesMax) return refuse(errors::kInvalidAttempt, "the label is too long");
  if (!is_valid_utf8(begin.label)) return refuse(errors::kInvalidUtf8, "the label is not valid UTF-8");
  if (coordinator.attempts.size() >= limits::kAttemptsPerSessionMax) {
    return refuse(errors::kOverloaded, "the session has too many attempts in flight", true);
  }
  if (outcomes_.kept() >= kKnownAttemptsMax) return refuse(errors::kOverloaded, "the shard remembers too many attempts", true);
  if (locks_.mode() == ShardMode::kDraining) return condition_changed();
  AttemptId id;
  std::copy(begin.id.begin(), begin.id.end(), id.begin());
  if (const KnownAttempts::Known* known = outcomes_.known().find(id)) {
    if (known->attempt != nullptr) return refuse(errors::kInvalidAttempt, "an attempt with this id is already in flight");
    return refuse(errors::kInvalidAttempt, "this attempt has already ended", true);
  }
  return std::nullopt;
}

Attempt& Participant::begin(Coordinator& coordinator, const RequestMessage& message, double arrived_ms) {
  begun_ = std::make_unique<Attempt>(*this);
  fill_in(*begun_, coordinator, message, arrived_ms);
  count_begun(*begun_);
  return *begun_;
}

void Participant::fill_in(Attempt& filled, Coordinator& coordinator, const RequestMessage& message, double arrived_ms) {
  const BeginMessage& begin = *message.begin;
  Attempt* attempt = &filled;
  std::copy(begin.id.begin(), begin.id.end(), attempt->id.begin());
  attempt->priority = begin.priority;
  attempt->label = counters_.label_number(begin.label);
  attempt->serial = next_serial_++;
  attempt->coordinator = &coordinator;
  attempt->number = message.attempt;
  attempt->retries = begin.retries;
  attempt->guarded = begin.breaks >= kBreaksBeforeGuard;
  attempt->at_home = begin.home == options_.place.shard;
  attempt->begun_ms = clock_.now_ms();
  attempt->age_ms = begin.age_us / 1000.0;
  attempt->before = {begin.thrown_away_us / 1000.0, begin.backing_off_us / 1000.0, begin.queued_us / 1000.0};
  const std::uint32_t expires_in_ms = begin.expires_in_ms == 0 ? limits::kAttemptExpiryMsDefault : begin.expires_in_ms;
  attempt->expires_at_ms = arrived_ms + std::min(expires_in_ms, limits::kAttemptExpiryMsMax);
  for (const std::string_view key : begin.exclusive) attempt->exclusive_keys.emplace(key);
  if (begin.epoch_manager_plus_one != 0) {
    attempt->member_of_epoch = std::make_unique<EpochMember>();
    attempt->member_of_epoch->manager = begin.epoch_manager_plus_one - 1;
  }
  if (!begin.transaction.empty()) {
    attempt->transaction = std::make_unique<TransactionId>();
    std::copy(begin.transaction.begin(), begin.transaction.end(), attempt->transaction->begin());
  }
}

void Participant::count_begun(Attempt& attempt) {
  ++counters_.totals.begun;
  if (attempt.retries != 0) ++counters_.totals.retries;
  if (witness_) witness_->begun(attempt);
}

void Participant::enlist(Attempt& attempt) {
  CLARET_CHECK(begun_.get() == &attempt);
  attempt.enlisted = true;
  attempts_.emplace(attempt.serial, &attempt);
  outcomes_.known().begun(attempt);
  attempt.coordinator->attempts.emplace(attempt.number, std::move(begun_));
}

bool Participant::may_end_at_once(const RequestMessage& message) const {
  if (!message.begin->transaction.empty() || !message.prepare || message.begin->epoch_manager_plus_one != 0) return false;
  // A larger attempt leaves its records turn by turn.
  if (message.operations.size() > options_.visits_leave_at_once) return false;
  const ShardList& participants = message.prepare->participants;
  return std::all_of(participants.begin(), participants.end(), [&](auto shard) { return shard == options_.place.shard; });
}

Attempt* Participant::find(const Coordinator& coordinator, std::uint64_t number) const {
  const auto found = coordinator.attempts.find(number);
  return found == coordinator.attempts.end() ? nullptr : found->second.get();
}

bool Participant::stands_durably(std::string_view key, const OperationSpec& operation) const {
  if (operation.operation_class != OperationClass::kObserve) return false;
  const Record* record = records_.find(key);
  return record == nullptr || record->last_position <= journal_.durable();
}

std::optional<Error> Participant::take_asked(const OperationMessage& operation, const TakenOperation& taken, Request& request) const {
  if (operation.warrant == 0 && operation.expect.empty()) return std::nullopt;
  const OperationSpec& spec = *taken.call.operation;
  const bool observes = spec.operation_class == OperationClass::kObserve && !spec.fresh;
  Asked asked{
      .index = static_cast<std::uint32_t>(request.visits.size()), .warrant = operation.warrant, .expects = !operation.expect.empty()};
  if (!observes || (asked.expects && operation.expect.size() != asked.expected.size())) {
    Error error = refuse(errors::kInvalidAttempt, "only the result of an observing operation can be warranted, and a digest has 16 bytes");
    error.key = operation.key;
    return error;
  }
  std::copy(operation.expect.begin(), operation.expect.end(), asked.expected.begin());
  request.asked.push_back(asked);
  return std::nullopt;
}

std::optional<Error> Participant::take_visits(Attempt& attempt, RequestMessage& message, Request& request) {
  if (message.operations.size() > limits::kOperationsPerRequestMax ||
      attempt.operations_taken + message.operations.size() > limits::kOperationsPerAttemptMax) {
    return refuse(errors::kTooManyOperations, "a request has at most " + std::to_string(limits::kOperationsPerRequestMax) + " operations");
  }
  if (!message.operations.empty() && message.operations.front().warrant != 0) request.asked.reserve(message.operations.size());
  const bool any_due = records_.expiries().due(clock_.wall_ms()) != nullptr;
  const auto expire_before_use = [&](std::string_view key) {
    const Record* record = records_.find(key);
    // Deleting what the attempt itself has used would break it.
    if (record != nullptr && attempt.latest(*record) == nullptr) natives_.expire_before_use(key);
  };
  for (OperationMessage& operation : message.operations) {
    TakenOperation taken;
    if (auto error = take_operation(operation, records_.types(), &slots(), taken)) return error;
    if (operation.intent && taken.call.operation->result != Kind::kVoid) {
      Error error = refuse(errors::kInvalidAttempt, "only an operation without a result can be an intent");
      error.key = operation.key;
      return error;
    }
    if (auto error = take_asked(operation, taken, request)) return error;
    if (clock_.refuses_changes() && !stands_durably(operation.key, *taken.call.operation)) {
      Error error = changes_refused(clock_.trouble());
      error.key = operation.key;
      error.operation = std::string(taken.type->name()) + '.' + std::string(taken.call.operation->name);
      return error;
    }
    if (any_due) expire_before_use(operation.key);
    Record& record = records_.find_or_create(operation.key, *taken.type);
    const bool differs = record.type != taken.type && !is_of_record(*taken.type);
    if (differs && !effects_.become(record, *taken.type)) {
      const bool undecided = is_type_undecided(record);
      if (undecided) warranties_.recall_all(record);
      Error error = refuse(errors::kWrongType, "the record is a " + std::string(record.type->name()), undecided);
      error.key = operation.key;
      error.operation = std::string(taken.type->name()) + '.' + std::string(taken.call.operation->name);
      depends(*attempt.coordinator, record.last_position);
      return error;
    }
    records_.pin(record, *taken.type);
    Visit& visit = attempt.visit(record);
    visit.type = taken.type;
    visit.request_number = request.number;
    visit.call = std::move(taken.call);
    visit.intent = operation.intent;
    visit.exclusive = attempt.exclusive_keys.contains(record.key);
    request.visits.push_back(&visit);
    const std::size_t most = visit.call.operation->reserves ? limits::kOperationsPerRecordMaxReserving : limits::kOperationsPerRecordMax;
    if (visit.number > most) {
      Error error = refuse(errors::kTooManyOperations, "an attempt has at most " + std::to_string(most) + " such operations on one record");
      error.key = operation.key;
      return error;
    }
  }
  attempt.operations_taken += static_cast<std::uint32_t>(message.operations.size());
  return std::nullopt;
}

void Participant::request(Coordinator& coordinator, RequestMessage& message, double arrived_ms) {
  Attempt* attempt = find(coordinator, message.attempt);
  if (message.begin) {
    if (attempt != nullptr) {
      reply_error(coordinator, message.attempt, refuse(errors::kInvalidAttempt, "the attempt has begun already"));
      return;
    }
    auto error = check_begin(coordinator, message);
    if (!error && message.begin->epoch_manager_plus_one != 0) error = check_member_of_epoch(message);
    if (error) {
      reply_error(coordinator, message.attempt, *error);
      return;
    }
    if (!message.begin->transaction.empty() && !claim(coordinator, message)) return;
    attempt = &begin(coordinator, message, arrived_ms);
    if (!may_end_at_once(message)) enlist(*attempt);
  }
  if (attempt == nullptr || attempt->stage == Stage::kVoted) {
    reply_error(coordinator, message.attempt, refuse(errors::kUnknownAttempt, "no attempt with this number takes operations here", true));
    return;
  }
  attempt->last_heard_ms = clock_.now_ms();
  if (attempt->expires_at_ms <= clock_.now_ms()) {
    expire(*attempt);
    return;
  }
  if (message.sent_before != attempt->operations_taken) {
    abort(*attempt, refuse(errors::kUnknownAttempt, "operations of this attempt are missing here", true));
    return;
  }
  if (attempt->requests.size() >= limits::kRequestsQueuedPerAttemptMax ||
      (!attempt->requests.empty() && attempt->requests.back()->prepare)) {
    abort(*attempt, refuse(errors::kInvalidAttempt, "the attempt takes no further requests"));
    return;
  }
  const bool holds_nothing = attempt->visits.empty();
  auto request = std::make_unique<Request>();
  request->attempt = attempt;
  request->party = attempt;
  request->number = ++attempt->requests_taken;
  if (const auto error = take_visits(*attempt, message, *request)) {
    abort(*attempt, *error);
    return;
  }
  if (message.prepare) {
    request->prepare.emplace();
    attempt->warranted = message.prepare->warranted;
    if (const auto error = take_prepare(*message.prepare, *request->prepare)) {
      abort(*attempt, *error);
      return;
    }
    if (const std::uint64_t not_after_us = message.prepare->not_after_us; not_after_us != 0) {
      attempt->waits_until_ms = static_cast<double>(not_after_us) / 1000;
    }
    if (const auto error = take_answer(*attempt, *message.prepare)) {
      abort(*attempt, *error);
      return;
    }
  }
  request->whole = request->prepare || (holds_nothing && message.whole);
  request->holds_elsewhere = request->prepare && !request->prepare->participants.empty();
  request->ends_here = holds_nothing && (message.whole || message.begin) && request->prepare && request->prepare->participants.empty();
  request->leaves_at_once = request->ends_here && !departures_.in_parts(*attempt);
  attempt->requests.push_back(std::move(request));
  if (attempt->member_of_epoch) return gather(*attempt);
  if (attempt->requests.size() == 1) start(*attempt);
}

void Participant::start(Attempt& attempt) {
  if (conditions_.in_force().locks == LockKind::kNone) {
    run_without_locks(attempt);
    return;
  }
  if (waits_for_drain(attempt)) {
    hold_back(attempt);
    return;
  }
  Request& request = *attempt.requests.front();
  Refusal refusal;
  const Visit* refused = nullptr;
  const Acquired acquired = locks_.acquire(request, clock_.now_ms(), refusal, refused);
  if (attempt.traced) trace(request, refused, acquired == Acquired::kDenied);
  switch (acquired) {
    case Acquired::kGranted:
      complete(request);
      break;
    case Acquired::kWaiting:
      if (!attempt.enlisted) enlist(attempt);
      wounds_.waits(attempt);
      break;
    case Acquired::kDenied:
      deny(attempt);
      break;
    case Acquired::kRefused:
      abort_refused(attempt, refusal, *refused);
  }
}

void Participant::trace(const Request& request, const Visit* refused, bool denied) {
  if (witness_) witness_->tried(request, refused, denied, locks_.rule());
}

// The paper's upper bound: each operation is executed and committed at once, by itself.
void Participant::run_without_locks(Attempt& attempt) {
  Request& request = *attempt.requests.front();
  counters_.totals.operations += request.visits.size();
  if (witness_) witness_->operations(request);
  attempt.applied = true;
  for (Visit* visit : request.visits) {
    Refusal refusal;
    // What still leaves has reservations that would go with the state.
    if (is_of_record(*visit->type) && visit->record->gate != nullptr && !visit->record->gate->holders().empty()) {
      Error error = refuse(errors::kDenied, "transactions from before the change of conditions still hold the record", true);
      error.key = visit->record->key;
      error.cause = causes::kLockWait;
      return abort(attempt, error);
    }
    if (admit(*visit, LockRule{LockKind::kNone}, context_, refusal) != Admission::kGranted) {
      if (attempt.traced) trace(request, visit, false);
      abort_refused(attempt, refusal, *visit);
      return;
    }
    withdraw(*visit);
    const Timestamp at = clock_.next();
    effects_.apply(*visit, at, journal_.on() && changes(*visit) ? journal_.commit(*visit, at) : 0);
  }
  if (attempt.traced) trace(request, nullptr, false);
  complete(request);
}

void Participant::complete(Request& request) {
  Attempt& attempt = *request.attempt;
  wounds_.waits_no_more(attempt);
  // The request may have waited for an attempt that had voted before. It is refused if its results are not durable, so that no other output
  // of its session waits behind them.
  const auto is_told_late = [&](const Visit* visit) {
    return visit->call.operation->result != Kind::kVoid && visit->record->last_position > journal_.durable();
  };
  if (clock_.refuses_changes() && std::any_of(request.visits.begin(), request.visits.end(), is_told_late)) {
    abort(attempt, changes_refused(clock_.trouble()));
    return;
  }
  if (!request.asked.empty()) {
    if (const auto error = unexpected(request)) {
      abort(attempt, *error);
      return;
    }
  }
  if (!request.ends_here) wounds_.heed_elders(attempt, request);
  if (request.prepare) {
    vote(request);
    return;
  }
  reply(request, 0, 0, 0);
  attempt.requests.erase(attempt.requests.begin());
  if (!attempt.requests.empty()) start(attempt);
}

std::optional<Error> Participant::unexpected(const Request& request) {
  for (const Asked& asked : request.asked) {
    if (!asked.expects) continue;
    ++counters_.totals.expects;
    const Visit& visit = *request.visits[asked.index];
    if (warranties_.digest_of(visit.result) == asked.expected || mutated(Mutation::kExpectNotCompared)) continue;
    ++counters_.totals.expects_changed;
    Error error = refuse(errors::kWarrantyChanged, "the result that the transaction has used is another one now", true);
    error.cause = causes::kWarrantyChanged;
    error.key = visit.record->key;
    error.operation = operation_name(*visit.type, visit.call);
    depends(*request.attempt->coordinator, visit.record->last_position);
    return error;
  }
  return std::nullopt;
}

void Participant::deny(Attempt& attempt) {
  Error error = locks_.blocked_error(*attempt.requests.front(), errors::kDenied, clock_.now_ms());
  if (error.cause != causes::kWarrantyWait) error.cause = causes::kDenied;
  warranties_.give_way(attempt, error);
  wounds_.waits_no_more(attempt);
  counters_.totals.denials += attempt.requests.size();
  // Requests sent after the denied one are denied with it: operations apply in the order of issue.
  for (const auto& request : attempt.requests) {
    locks_.cancel(*request, clock_.now_ms());
    attempt.operations_taken -= static_cast<std::uint32_t>(request->visits.size());
    server_frame::add_reply(attempt.coordinator->out, {.attempt = attempt.number, .denied = &error, .waited = take_waited(attempt)});
    has_output_(*attempt.coordinator);
  }
  attempt.requests.clear();
  while (attempt.visits.size() > attempt.operations_taken) {
    Record& record = *attempt.visits.back().record;
    records_.unpin(record, *attempt.visits.back().type);
    attempt.drop_newest_visit();
    locks_.retry_waiters(record);
  }
  // A denied whole request leaves nothing behind: its repetition begins the attempt anew. Its transaction's id stays claimed.
  if (attempt.visits.empty() && attempt.transaction == nullptr) {
    outcomes_.known().forget(attempt.id);
    end(attempt);
  }
}

// ---- replies --------------------------------------------------------------------------------------------------------------

void Participant::reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position) {
  Attempt& attempt = *request.attempt;
  absl::InlinedVector<const Value*, 8> results;
  auto asked = request.asked.begin();
  for (std::uint32_t index = 0; index < request.visits.size(); ++index) {
    const Visit& visit = *request.visits[index];
    const bool is_asked = asked != request.asked.end() && asked->index == index;
    const bool is_left_out = is_asked && asked->expects;
    if (is_asked) ++asked;
    if (visit.call.operation->result == Kind::kVoid) continue;
    if (!is_left_out) results.push_back(&visit.result);
    position = std::max(position, visit.record->last_position);
  }
  Warranties::Answers granted;
  if (!request.asked.empty()) position = std::max(position, warranties_.answer(request, granted));
  // A timestamp leaves only once its ceiling is durable.
  const Timestamp told = std::max(voted_at, committed_at);
  if (told != 0 && clock_.needs_ceiling(told)) position = std::max(position, clock_.ceiling_position());
  const auto is_grant = [](const GrantedMessage& one) { return one.grant != 0; };
  if (std::any_of(granted.begin(), granted.end(), is_grant)) warranties_.tell_standing_now(*attempt.coordinator);
  depends(*attempt.coordinator, position);
  ReplyMessage reply{.attempt = attempt.number, .results = results, .granted = granted, .voted_at = voted_at, .committed_at = committed_at};
  if (voted_at != 0) reply.holds_until = attempt.holds_until;
  reply.waited = take_waited(attempt);
  server_frame::add_reply(attempt.coordinator->out, reply);
  has_output_(*attempt.coordinator);
}

void Participant::reply_error(Coordinator& coordinator, std::uint64_t number, const Error& error, const WaitedMessage& waited) {
  server_frame::add_reply(coordinator.out, {.attempt = number, .error = &error, .waited = waited});
  has_output_(coordinator);
}

WaitedMessage Participant::take_waited(Attempt& attempt) {
  const double microseconds = std::min(std::exchange(attempt.waited_ms, 0) * 1000, kMicrosecondsMost);
  return {static_cast<std::uint32_t>(microseconds), std::exchange(attempt.locks_waited_for, 0), std::exchange(attempt.runs_waited_for, 0)};
}

void Participant::settle() {
  do {
    locks_.settle(clock_.now_ms());
  } while (chains_.settle());
  if (!warranties_.any()) conditions_.finish_draining();
  type_changes_.step();
}

void Participant::end_quarantine() {
  locks_.end_quarantine(conditions_.gated());
  natives_.try_again({.first = 0, .last = kSlots - 1});
}

void Participant::leave() {
  departures_.leave([this](const Attempt& attempt) { attempts_.erase(attempt.serial); });
  natives_.look_back();
  epochs_.step();
}

void Participant::refuse_changes(LogTrouble why) {
  if (why != LogTrouble::kNone && !clock_.refuses_changes()) chains_.break_all(changes_refused(why));
  clock_.refuse_changes(why);
}

void Participant::set_conditions(const Conditions& conditions) {
  if (conditions != conditions_.in_force()) chains_.break_all(condition_changed());
  if (conditions.epochs == EpochPolicy::kOff || conditions.locks == LockKind::kNone) epochs_.end_gathered(condition_changed());
  boards_.always(conditions.combining == "on");
  // Without locks nothing waits.
  if (conditions.locks == LockKind::kNone && locks_.drain().on) end_drain();
  warranties_.switch_to(conditions.locks == LockKind::kNone ? WarrantyPolicy::kOff : conditions.warranties);
  conditions_.change(conditions, clock_.now_ms());
  settle();
}

}  // namespace claret

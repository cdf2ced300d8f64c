// Participant, continued: how attempts end here: by their outcome, by expiry, or with their session.
#include <algorithm>
#include <limits>

#include "ground/mutation.h"
#include "transaction/participant.h"

namespace claret {

namespace {

constexpr double kExpirySweepMs = 1000;
constexpr double kForgetAgainMs = 1;
// Records deleted, or dropped, by one turn.
constexpr std::size_t kExpiredPerTurn = 256;

// A batch whose members began in this start counts as these.
bool is_counted_by_member(const Attempt& attempt) { return attempt.batch != nullptr && !attempt.batch->members.empty(); }

}  // namespace

void Participant::committed(Coordinator& coordinator, std::uint64_t number, Timestamp at) {
  Attempt* attempt = find(coordinator, number);
  if (attempt == nullptr || attempt->stage != Stage::kVoted || at < attempt->voted_at || attempt->member_of_epoch) return;
  commit_voted(*attempt, at);
}

void Participant::commit_voted(Attempt& attempt, Timestamp at) {
  if (mutated(Mutation::kOwnVoteIsTime) && attempt.batch) at = attempt.voted_at;
  clock_.pass(at);
  // A client relies on this outcome once its receipt is acknowledged: a start has to be above it too.
  if (!attempt.logged) clock_.cover(last_timestamp(attempt, at));
  commit(attempt, at, log_.outcome(attempt, at));
}

void Participant::aborted(Coordinator& coordinator, std::uint64_t number) {
  Attempt* attempt = find(coordinator, number);
  if (attempt == nullptr) return;
  if (attempt->epoch != 0) {
    attempt->member_of_epoch->dropped = true;
    return;
  }
  tell_abort(*attempt, aborts::kByClient, {});
  log_.outcome(*attempt, 0);
  outcomes_.aborted(*attempt);
  end(*attempt);
}

void Participant::count_commit(Attempt& attempt) {
  ++counters_.totals.commits;
  if (attempt.at_home) {
    ++counters_.totals.home_commits;
    counters_.totals.latencies.add(attempt.age_ms + clock_.now_ms() - attempt.begun_ms);
    counters_.totals.before += attempt.before;
  }
  if (witness_) witness_->committed(attempt, journal_.position());
}

void Participant::note_commit(Attempt& attempt, Timestamp at, std::uint64_t position) {
  clock_.raise(last_timestamp(attempt, at));
  if (is_counted_by_member(attempt)) {
    for (const auto& member : attempt.batch->members) count_commit(*member);
  } else {
    count_commit(attempt);
  }
  outcomes_.committed(attempt, at);
  if (attempt.transaction) deduplication_.commit(*attempt.transaction, at, log_.kept_until(attempt), position);
}

void Participant::commit(Attempt& attempt, Timestamp at, std::uint64_t position) {
  note_commit(attempt, at, position);
  end(attempt, at, position);
}

void Participant::tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause) {
  if (is_counted_by_member(attempt)) {
    for (const auto& member : attempt.batch->members) tell_abort(*member, code, cause);
    return;
  }
  counters_.abort(code);
  if (witness_) witness_->aborted(attempt, code, cause, locks_.rule(), journal_.position());
}

void Participant::abort(Attempt& attempt, const Error& error) {
  // The client may have all votes and have reported success to its caller: the locks have held up to that timestamp.
  clock_.raise(attempt.holds_until);
  warranties_.give_way(attempt, error);
  tell_abort(attempt, error.code, error.cause);
  outcomes_.aborted(attempt);
  log_.outcome(attempt, 0);
  if (attempt.coordinator != nullptr) {
    locks_.stop_waiting(attempt, clock_.now_ms());
    // Without that entry, other shards might still commit in an epoch what is told to have failed.
    depends(*attempt.coordinator, attempt.outcome_position);
    reply_error(*attempt.coordinator, attempt.number, error, take_waited(attempt));
  }
  end(attempt);
}

void Participant::abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused) {
  Error error{.code = refusal.code, .message = refusal.message};
  error.key = refused.record->key;
  error.operation = std::string(refused.type->name()) + '.' + std::string(refused.call.operation->name);
  depends(*attempt.coordinator, refused.record->last_position);
  abort(attempt, error);
}

std::unique_ptr<Attempt> Participant::take(Attempt& attempt) {
  if (!attempt.enlisted) return std::move(begun_);
  if (attempt.coordinator != nullptr) return std::move(attempt.coordinator->attempts.extract(attempt.number).mapped());
  return std::move(orphans_.extract(attempt.serial).mapped());
}

void Participant::end(Attempt& attempt, Timestamp committed_at, std::uint64_t position) {
  if (attempt.traced && witness_) witness_->forgotten(attempt);
  if (attempt.member_of_epoch) epochs_.ended(attempt);
  doubts_.remove(attempt);
  if (attempt.transaction) deduplication_.release(*attempt.transaction);
  wounds_.waits_no_more(attempt);
  if (attempt.batch && committed_at != 0) chains_.commit_batch(attempt, committed_at, position);
  if (attempt.batch && committed_at == 0) chains_.abort_batch(attempt);
  std::unique_ptr<Attempt> ended = take(attempt);
  // A member of an epoch has its turn as a whole: later ones must not overtake it.
  if (departures_.in_parts(attempt) && !(attempt.member_of_epoch && committed_at != 0)) {
    // An attempt that ends with the message in which it came holds no gate: nothing would show that its reservations are still taken.
    if (committed_at == 0) locks_.give_back_unheld(attempt);
    locks_.withdraw_requests(attempt);
    if (committed_at != 0) locks_.hold_granted(attempt, clock_.now_ms());
    attempt.requests.clear();
    attempt.stage = Stage::kLeaving;
    attempt.coordinator = nullptr;
    departures_.add(std::move(ended), attempt.applied ? 0 : committed_at, position);
    return;
  }
  if (committed_at != 0 && !attempt.applied) effects_.apply(attempt, committed_at, position);
  locks_.release(attempt);
  if (attempt.enlisted) attempts_.erase(attempt.serial);
}

bool Participant::number_natives(Coordinator& coordinator, std::uint64_t session) {
  coordinator.native_session = native_sessions_.begin(session, coordinator);
  if (coordinator.native_session == nullptr) return false;
  // While the disk is full the entry of the first native names the session.
  if (journal_.on() && !clock_.refuses_changes()) journal_.session(session);
  return true;
}

void Participant::lose(Coordinator& coordinator) {
  std::erase(coordinators_, &coordinator);
  chains_.lose(coordinator);
  boards_.lose(coordinator);
  natives_.lose(coordinator);
  warranties_.lose(coordinator);
  if (NativeSession* session = std::exchange(coordinator.native_session, nullptr)) native_sessions_.lose(*session, clock_.now_ms());
  std::vector<Attempt*> attempts;
  for (const auto& [number, attempt] : coordinator.attempts) attempts.push_back(attempt.get());
  std::sort(attempts.begin(), attempts.end(), [](const Attempt* a, const Attempt* b) { return a->serial < b->serial; });
  for (Attempt* attempt : attempts) {
    if (attempt->stage == Stage::kVoted) {
      if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kSessionLost);
      attempt->coordinator = nullptr;
      auto orphan = coordinator.attempts.extract(attempt->number);
      orphans_.emplace(attempt->serial, std::move(orphan.mapped()));
      continue;
    }
    tell_abort(*attempt, errors::kSessionLost, causes::kSessionLost);
    outcomes_.aborted(*attempt);
    end(*attempt);
  }
  outcomes_.session_lost(coordinator);
}

void Participant::abandoned(Coordinator& coordinator, std::uint64_t number) {
  Attempt* attempt = find(coordinator, number);
  if (attempt == nullptr) return;
  if (attempt->stage == Stage::kVoted) {
    if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kAbandoned);
  } else {
    abort(*attempt, {.code = errors::kExpired, .message = "the client has abandoned the attempt", .cause = causes::kTimeout});
  }
}

void Participant::inquire(Coordinator& coordinator, const InquiryMessage& message) {
  if (message.id.size() != kIdBytes) return;
  AttemptId id;
  std::copy(message.id.begin(), message.id.end(), id.begin());
  if (clock_.refuses_changes()) {
    // An answer would wait for the log, and delay all later replies of this session.
    server_frame::add_answer(coordinator.out, message.ticket, id, AttemptState::kPending, 0);
    has_output_(coordinator);
    return;
  }
  // Another participant knows that the attempt is committed: the answer confirms that this shard knows it too, or has known it.
  if (message.committed_at != 0 && coordinator.of_shard) {
    resolve(id, true, message.committed_at);
    depends(coordinator, journal_.position());
    server_frame::add_answer(coordinator.out, message.ticket, id, AttemptState::kCommitted, message.committed_at);
    has_output_(coordinator);
    return;
  }
  AttemptState state = AttemptState::kAborted;
  Timestamp at = 0;
  if (message.epoch != 0 && coordinator.of_shard) {
    state = state_in_epoch(id, message.epoch, at);
    depends(coordinator, journal_.position());
    server_frame::add_answer(coordinator.out, message.ticket, id, state, at, message.epoch);
    has_output_(coordinator);
    return;
  }
  if (outcomes_.known().find(id) == nullptr) {
    for (Coordinator* one : coordinators_) outcomes_.publish(*one);
  }
  if (const KnownAttempts::Known* known = outcomes_.known().find(id)) {
    state = known->state;
    at = known->committed_at;
    // A client would add up the votes of several epochs.
    const bool in_epoch = known->attempt != nullptr && known->attempt->epoch != 0 && !mutated(Mutation::kEpochVotesToClients);
    if (known->attempt != nullptr && known->attempt->stage == Stage::kVoted && !in_epoch) {
      state = AttemptState::kVoted;
      at = known->attempt->voted_at;
      // Somebody waits for the batch at the shard that asks, and would wait here next.
      if (known->attempt->batch && coordinator.of_shard) put_in_doubt(*known->attempt, reasons::kAskedAbout);
    }
  } else if (outcomes_.kept() >= kKnownAttemptsMax) {
    state = AttemptState::kPending;  // no space to record that it must be refused: the inquiry is repeated later
  } else if (!mutated(Mutation::kForgetAbort)) {
    const double until_ms = clock_.now_ms() + kUnknownAbortKeptMs;
    outcomes_.known().aborted(id, until_ms);
    if (journal_.on()) log_.aborted(id, until_ms);
  }
  // The answer must hold across a restart.
  depends(coordinator, journal_.position());
  server_frame::add_answer(coordinator.out, message.ticket, id, state, at);
  has_output_(coordinator);
}

void Participant::resolve(const AttemptId& id, bool commits, Timestamp at) {
  Attempt* attempt = outcomes_.known().under_way(id);
  if (attempt == nullptr || attempt->stage != Stage::kVoted) return;
  if (attempt->epoch != 0) {
    if (!commits || at >= attempt->voted_at) epochs_.decide(*attempt, commits ? at : 0);
    return;
  }
  if (commits) {
    if (at < attempt->voted_at) return;
    commit_voted(*attempt, at);
  } else if (attempt->in_doubt) {
    abort(*attempt, {.code = errors::kSessionLost,
                     .message = "another participant has aborted the attempt",
                     .retryable = true,
                     .cause = causes::kSessionLost});
  }
}

// ---- time -----------------------------------------------------------------------------------------------------------------

void Participant::expire_attempts() {
  std::vector<Attempt*> expired;
  for (const auto& [serial, attempt] : attempts_) {
    if (attempt->expires_at_ms > clock_.now_ms() || attempt->stage == Stage::kLeaving) continue;
    // No lock is held forever: if the client does not report the outcome, the participants settle it.
    if (attempt->stage == Stage::kVoted) {
      if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kExpired);
    } else {
      expired.push_back(attempt);
    }
  }
  for (Attempt* attempt : expired) expire(*attempt);
}

void Participant::expire(Attempt& attempt) {
  if (wounds_.is_waiting(attempt)) {
    wounds_.expire(attempt);
    return;
  }
  abort(attempt, {.code = errors::kExpired, .message = "the attempt has expired", .retryable = true, .cause = causes::kTimeout});
}

void Participant::sweep() {
  // The checks that are due now; a check may be scheduled again.
  for (std::size_t left = wounds_.checks(); left > 0; --left) {
    // Locks freed by a check are granted before the next waiter is checked.
    if (!wounds_.check_next([this] { settle(); })) break;
  }
  if (past_.next_sweep_ms() <= clock_.now_ms()) past_.sweep();
  if (natives_.next_sweep_ms() <= clock_.now_ms()) {
    natives_.sweep();
    settle();
  }
  if (warranties_.next_sweep_ms() <= clock_.now_ms()) {
    warranties_.sweep([this] { end_quarantine(); });
    settle();
  }
  if (locks_.drain().on && next_press_ms_ <= clock_.now_ms()) {
    press_drain();
    settle();
  }
  if (chains_.next_sweep_ms() <= clock_.now_ms()) {
    chains_.sweep();
    settle();
  }
  if (next_expiry_ms_ <= clock_.now_ms()) {
    next_expiry_ms_ = clock_.now_ms() + kExpirySweepMs;
    next_forgetting_ms_ = clock_.now_ms();
    expire_attempts();
    native_sessions_.forget_due(clock_.now_ms());
    settle();
  }
  if (next_forgetting_ms_ <= clock_.now_ms()) {
    const bool more = outcomes_.known().forget_due(clock_.now_ms());
    next_forgetting_ms_ = deduplication_.forget_due(clock_.wall_ms()) || more ? clock_.now_ms() + kForgetAgainMs : next_expiry_ms_;
  }
}

void Participant::expire_due() {
  if (!journal_.on()) effects_.drop_vacant(kExpiredPerTurn);
  if (records_.expiries().due(clock_.wall_ms()) == nullptr) return;
  natives_.expire_due(kExpiredPerTurn);
  settle();
}

double Participant::next_sweep_ms() const {
  const double expiry_ms = records_.expiries().next_wall_ms() - clock_.wall_ms() + clock_.now_ms();
  const double press_ms = locks_.drain().on ? next_press_ms_ : std::numeric_limits<double>::infinity();
  return std::min({next_expiry_ms_, expiry_ms, next_forgetting_ms_, wounds_.next_check_ms(), natives_.next_sweep_ms(),
                   chains_.next_sweep_ms(), warranties_.next_sweep_ms(), past_.next_sweep_ms(), press_ms});
}

// ---- wounds ---------------------------------------------------------------------------------------------------------------

void Participant::wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority) {
  if (Attempt* attempt = outcomes_.known().under_way(id)) wounds_.wounded_elsewhere(*attempt, by_priority);
}

void Participant::tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) {
  if (attempt.member_of_epoch) return;  // it waits for nothing
  if (first && attempt.coordinator != nullptr) {
    server_frame::add_wound(attempt.coordinator->out, attempt.number, attempt.id, wounder_priority);
    has_output_(*attempt.coordinator);
  }
  if (others) wounds_told_.push_back({attempt.id, wounder_priority, attempt.participants});
}

}  // namespace claret

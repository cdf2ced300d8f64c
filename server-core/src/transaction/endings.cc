#include "transaction/endings.h"

#include <algorithm>

#include "ground/mutation.h"
#include "transaction/chains.h"
#include "transaction/epochs.h"
#include "transaction/warranties.h"

namespace claret {

namespace {

constexpr double kExpirySweepMs = 1000;
constexpr double kForgetAgainMs = 1;

// A batch whose members began in this start counts as these.
bool is_counted_by_member(const Attempt& attempt) { return attempt.batch != nullptr && !attempt.batch->members.empty(); }

}  // namespace

// ---- what clients report ------------------------------------------------------------------------------------------------------

bool Endings::committed(Coordinator& coordinator, std::uint64_t number, Timestamp at) {
  Attempt* attempt = Attempts::find(coordinator, number);
  if (attempt == nullptr || attempt->stage != Stage::kVoted || at < attempt->voted_at || attempt->member_of_epoch) return false;
  const bool is_logged = attempt->logged;
  commit_voted(*attempt, at);
  return !is_logged;
}

void Endings::aborted(Coordinator& coordinator, std::uint64_t number) {
  Attempt* attempt = Attempts::find(coordinator, number);
  if (attempt == nullptr) return;
  if (attempt->epoch != 0) {
    attempt->member_of_epoch->dropped = true;
    return;
  }
  tell_abort(*attempt, aborts::kByClient, {});
  ground_.log.outcome(*attempt, 0);
  ground_.outcomes.aborted(*attempt);
  end(*attempt);
}

void Endings::abandoned(Coordinator& coordinator, std::uint64_t number) {
  Attempt* attempt = Attempts::find(coordinator, number);
  if (attempt == nullptr) return;
  if (attempt->stage == Stage::kVoted) {
    if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kAbandoned);
  } else {
    abort(*attempt, {.code = errors::kExpired, .message = "the client has abandoned the attempt", .cause = causes::kTimeout});
  }
}

void Endings::lose(Coordinator& coordinator) {
  if (NativeSession* session = std::exchange(coordinator.native_session, nullptr))
    ground_.native_sessions.lose(*session, ground_.clock.now_ms());
  std::vector<Attempt*> attempts;
  for (const auto& [number, attempt] : coordinator.attempts) attempts.push_back(attempt.get());
  std::sort(attempts.begin(), attempts.end(), [](const Attempt* a, const Attempt* b) { return a->serial < b->serial; });
  for (Attempt* attempt : attempts) {
    if (attempt->stage == Stage::kVoted) {
      if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kSessionLost);
      parts_.attempts.orphan(*attempt);
      continue;
    }
    tell_abort(*attempt, errors::kSessionLost, causes::kSessionLost);
    ground_.outcomes.aborted(*attempt);
    end(*attempt);
  }
  ground_.outcomes.session_lost(coordinator);
}

// ---- what other participants know ---------------------------------------------------------------------------------------------

void Endings::resolve(const AttemptId& id, EpochNumber epoch, bool commits, Timestamp at) {
  Attempt* attempt = ground_.outcomes.known().under_way(id);
  if (attempt == nullptr || attempt->stage != Stage::kVoted) return;
  // An answer may be under way for so long that the next epoch has the member.
  if (attempt->epoch != epoch && !mutated(Mutation::kEpochTakesOldAnswers)) return;
  if (attempt->epoch != 0) {
    if (!commits || at >= attempt->voted_at) parts_.epochs.decide(*attempt, commits ? at : 0);
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

void Endings::put_in_doubt(Attempt& attempt, std::string_view reason) {
  if (attempt.batch) parts_.chains.stand_back(attempt, reason);
  ground_.doubts.add(attempt, ground_.clock.now_ms());
}

// ---- what the shard does ------------------------------------------------------------------------------------------------------

void Endings::count_commit(Attempt& attempt) {
  ++ground_.counters.totals.commits;
  if (attempt.at_home) {
    ++ground_.counters.totals.home_commits;
    ground_.counters.totals.latencies.add(attempt.age_ms + ground_.clock.now_ms() - attempt.begun_ms);
    ground_.counters.totals.before += attempt.before;
  }
  if (ground_.witness) ground_.witness->committed(attempt, ground_.journal.position());
}

void Endings::note_commit(Attempt& attempt, Timestamp at, std::uint64_t position) {
  ground_.clock.raise(last_timestamp(attempt, at));
  if (is_counted_by_member(attempt)) {
    for (const auto& member : attempt.batch->members) count_commit(*member);
  } else {
    count_commit(attempt);
  }
  ground_.outcomes.committed(attempt, at);
  if (attempt.transaction) ground_.deduplication.commit(*attempt.transaction, at, ground_.log.kept_until(attempt), position);
}

void Endings::commit(Attempt& attempt, Timestamp at, std::uint64_t position) {
  note_commit(attempt, at, position);
  end(attempt, at, position);
}

void Endings::commit_voted(Attempt& attempt, Timestamp at) {
  if (mutated(Mutation::kOwnVoteIsTime) && attempt.batch) at = attempt.voted_at;
  ground_.clock.pass(at);
  // A client relies on this outcome once its receipt is acknowledged: a start has to be above it too.
  if (!attempt.logged) ground_.clock.cover(last_timestamp(attempt, at));
  commit(attempt, at, ground_.log.outcome(attempt, at));
}

void Endings::tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause) {
  if (is_counted_by_member(attempt)) {
    for (const auto& member : attempt.batch->members) tell_abort(*member, code, cause);
    return;
  }
  ground_.counters.abort(code);
  if (ground_.witness) ground_.witness->aborted(attempt, code, cause, ground_.locks.rule(), ground_.journal.position());
}

void Endings::abort(Attempt& attempt, const Error& error) {
  // The client may have all votes and have reported success to its caller: the locks have held up to that timestamp.
  ground_.clock.raise(attempt.holds_until);
  parts_.warranties.give_way(attempt, error);
  tell_abort(attempt, error.code, error.cause);
  ground_.outcomes.aborted(attempt);
  ground_.log.outcome(attempt, 0);
  if (attempt.coordinator != nullptr) {
    ground_.locks.stop_waiting(attempt, ground_.clock.now_ms());
    // Without that entry, other shards might still commit in an epoch what is told to have failed.
    ground_.depends(*attempt.coordinator, attempt.outcome_position);
    parts_.replies.error(*attempt.coordinator, attempt.number, error, Replies::take_waited(attempt));
  }
  end(attempt);
}

void Endings::abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused) {
  Error error{.code = refusal.code, .message = refusal.message};
  error.key = refused.record->key;
  error.operation = operation_name(*refused.type, refused.call);
  ground_.depends(*attempt.coordinator, refused.record->last_position);
  abort(attempt, error);
}

void Endings::end(Attempt& attempt, Timestamp committed_at, std::uint64_t position) {
  if (attempt.traced && ground_.witness) ground_.witness->forgotten(attempt);
  if (attempt.member_of_epoch) parts_.epochs.ended(attempt);
  ground_.doubts.remove(attempt);
  if (attempt.transaction) ground_.deduplication.release(*attempt.transaction);
  ground_.wounds.waits_no_more(attempt);
  if (attempt.batch && committed_at != 0) parts_.chains.commit_batch(attempt, committed_at, position);
  if (attempt.batch && committed_at == 0) parts_.chains.abort_batch(attempt);
  std::unique_ptr<Attempt> ended = parts_.attempts.take(attempt);
  // A member of an epoch has its turn as a whole: later ones must not overtake it.
  if (parts_.departures.in_parts(attempt) && !(attempt.member_of_epoch && committed_at != 0)) {
    // An attempt that ends with the message in which it came holds no gate: nothing would show that its reservations are still taken.
    if (committed_at == 0) ground_.locks.give_back_unheld(attempt);
    ground_.locks.withdraw_requests(attempt);
    if (committed_at != 0) ground_.locks.hold_granted(attempt, ground_.clock.now_ms());
    attempt.requests.clear();
    attempt.stage = Stage::kLeaving;
    attempt.coordinator = nullptr;
    parts_.departures.add(std::move(ended), committed_at, position);
    return;
  }
  if (committed_at != 0) ground_.effects.apply(attempt, committed_at, position);
  ground_.locks.release(attempt);
  if (attempt.enlisted) parts_.attempts.remove(attempt);
}

// ---- by time ------------------------------------------------------------------------------------------------------------------

void Endings::expire_attempts() {
  std::vector<Attempt*> expired;
  for (const auto& [serial, attempt] : parts_.attempts.by_serial()) {
    if (attempt->expires_at_ms > ground_.clock.now_ms() || attempt->stage == Stage::kLeaving) continue;
    // No lock is held forever: if the client does not report the outcome, the participants settle it.
    if (attempt->stage == Stage::kVoted) {
      if (attempt->epoch == 0) put_in_doubt(*attempt, reasons::kExpired);
    } else {
      expired.push_back(attempt);
    }
  }
  for (Attempt* attempt : expired) expire(*attempt);
}

void Endings::expire(Attempt& attempt) {
  if (ground_.wounds.is_waiting(attempt)) {
    ground_.wounds.expire(attempt);
    return;
  }
  abort(attempt, {.code = errors::kExpired, .message = "the attempt has expired", .retryable = true, .cause = causes::kTimeout});
}

double Endings::next_due_ms() const { return std::min(next_expiry_ms_, next_forgetting_ms_); }

void Endings::due() {
  const double now_ms = ground_.clock.now_ms();
  if (next_expiry_ms_ <= now_ms) {
    next_expiry_ms_ = now_ms + kExpirySweepMs;
    next_forgetting_ms_ = now_ms;
    expire_attempts();
    ground_.native_sessions.forget_due(now_ms);
    ground_.settle();
  }
  if (next_forgetting_ms_ <= now_ms) {
    const bool more = ground_.outcomes.known().forget_due(now_ms);
    next_forgetting_ms_ = ground_.deduplication.forget_due(ground_.clock.wall_ms()) || more ? now_ms + kForgetAgainMs : next_expiry_ms_;
  }
}

}  // namespace claret

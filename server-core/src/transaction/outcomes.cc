// Participant, continued: how attempts end here.
//
// One that holds much leaves in parts: no call runs long (the founding rules, section 11). Its end is decided, answered and
// logged at once; then, turn by turn, each of its records takes the effects and is let go of, in this order. In between it
// is a transaction that has committed and not released all its locks yet: who reads a record sees it with all of the
// attempt's effects there or waits for them, and whoever else holds the record beside it goes together with it anyway. So
// effects may reach a record later than those of a later entry of the log, with which they commute.
#include <algorithm>
#include <numeric>

#include "ground/mutation.h"
#include "transaction/participant.h"

namespace claret {

namespace {

// Of its party's, on its record.
bool is_first_change(const Visit& visit) {
  const Visit* before = visit.previous;
  while (before != nullptr && !changes(*before)) before = before->previous;
  return before == nullptr;
}

}  // namespace

void Participant::committed(Session& session, std::uint64_t number, Timestamp at) {
  Attempt* attempt = find(session, number);
  if (attempt == nullptr || attempt->stage != Stage::kVoted || at < attempt->voted_at) return;
  commit_voted(*attempt, at);
}

void Participant::commit_voted(Attempt& attempt, Timestamp at) {
  if (at > cut_at_) pass_cut();
  // Who hears that this outcome has arrived relies on it: a start has to be above it too.
  if (!attempt.logged) cover(at);
  commit(attempt, at, log_outcome(attempt, at));
}

void Participant::aborted(Session& session, std::uint64_t number) {
  Attempt* attempt = find(session, number);
  if (attempt == nullptr) return;
  tell_abort(*attempt, "aborted_by_client", {});
  log_outcome(*attempt, 0);
  known_.aborted(attempt->id, attempt->expires_at_ms);
  end(*attempt);
}

void Participant::forgotten_below(Session& session, std::uint64_t number) {
  // In order of commit, not of number: what is blocked behind a higher number is forgotten a little later.
  auto& alone = session.committed_alone;
  for (; !alone.empty() && alone.front().number < number; alone.pop_front()) known_.forget(alone.front().id);
  std::vector<AttemptId> logged;
  auto& together = session.committed_together;
  for (; !together.empty() && together.front().number < number; together.pop_front()) {
    if (together.front().logged) {
      logged.push_back(together.front().id);
    } else {
      known_.forget(together.front().id);
    }
  }
  forget_commits(logged);
}

void Participant::apply_visit(Visit& visit, Timestamp at, std::uint64_t position) {
  if (!changes(visit)) return;
  Record& record = *visit.record;
  if (!mutated(Mutation::kCheckpointMixesParts)) checkpoint_.changing(record, visit.call);
  record.type->commit(*record.state, visit.call, visit.result, at);
  if (mutated(Mutation::kCommitTwice)) record.type->commit(*record.state, visit.call, visit.result, at);
  // A record may have been watched before its first commit made it.
  if (record.watched || record.last_commit == 0) changed_.push_back(&record);
  // One that was overtaken is news too: whoever watches may have heard of the later one, and come back with its time.
  if (at > record.last_commit) {
    record.last_commit = at;
  } else if (is_first_change(visit)) {
    ++record.last_commit;
  }
  if (position == 0) return;
  record.last_position = std::max(record.last_position, position);
  checkpoint_.changed(record, position);
}

void Participant::apply(Attempt& attempt, Timestamp at, std::uint64_t position) {
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr && visit.admitted) withdraw(visit);
  }
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr) apply_visit(visit, at, position);
  }
}

void Participant::commit(Attempt& attempt, Timestamp at, std::uint64_t position) {
  clock_.raise(at);
  ++counters_.totals.commits;
  if (attempt.at_home) {
    ++counters_.totals.home_commits;
    counters_.totals.latencies.add(attempt.age_ms + now_ms_ - attempt.begun_ms);
    counters_.totals.before += attempt.before;
  }
  if (witness_) witness_->committed(attempt, journal_.position());
  remember_commit(attempt, at);
  if (attempt.transaction) deduplication_.commit(*attempt.transaction, at, kept_until(attempt), position);
  end(attempt, at, position);
}

void Participant::remember_commit(Attempt& attempt, Timestamp at) {
  Session* session = attempt.session;
  const AttemptId& id = attempt.id;
  // One that changed nothing is not worth remembering: whoever lost its answer is told that it was aborted, and runs it
  // again.
  if (attempt.participants.empty() && attempt.transaction == nullptr &&
      std::none_of(attempt.visits.begin(), attempt.visits.end(), changes)) {
    known_.forget(id);
    return;
  }
  known_.committed(id, at);
  if (attempt.participants.empty()) {
    auto& alone = session->committed_alone;
    for (; !alone.empty() && alone.front().expires_at_ms + kAskGraceMs <= now_ms_; alone.pop_front()) {
      known_.forget(alone.front().id);
    }
    alone.push_back({attempt.number, id, attempt.expires_at_ms});
  } else if (session != nullptr) {
    session->committed_together.push_back({attempt.number, id, at, attempt.expires_at_ms, attempt.participants, attempt.logged});
  } else {
    unsettled_.push_back({id, at, 0, attempt.participants, std::max(now_ms_, attempt.expires_at_ms + kAskGraceMs)});
  }
}

void Participant::tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause) {
  counters_.abort(code);
  if (witness_) witness_->aborted(attempt, code, cause, locks_.rule(), journal_.position());
}

void Participant::abort(Attempt& attempt, const Error& error) {
  // Its client may have all votes, and have told its caller: up to there its locks have held.
  clock_.raise(attempt.holds_until);
  tell_abort(attempt, error.code, error.cause);
  known_.aborted(attempt.id, attempt.expires_at_ms);
  log_outcome(attempt, 0);
  if (attempt.session != nullptr) {
    locks_.stop_waiting(attempt, now_ms_);
    reply_error(*attempt.session, attempt.number, error, take_waited(attempt));
  }
  end(attempt);
}

void Participant::abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused) {
  Error error{.code = refusal.code, .message = refusal.message};
  error.key = refused.record->key;
  error.operation = std::string(refused.type->name()) + '.' + std::string(refused.call.operation->name);
  depends(*attempt.session, refused.record->last_position);
  abort(attempt, error);
}

std::unique_ptr<Attempt> Participant::take(Attempt& attempt) {
  if (attempt.session != nullptr) return std::move(attempt.session->attempts.extract(attempt.number).mapped());
  return std::move(orphans_.extract(attempt.serial).mapped());
}

void Participant::end(Attempt& attempt, Timestamp committed_at, std::uint64_t position) {
  if (attempt.traced && witness_) witness_->forgotten(attempt);
  if (attempt.in_doubt) --in_doubt_;
  if (attempt.transaction) deduplication_.release(*attempt.transaction);
  wounds_.waits_no_more(attempt);
  std::unique_ptr<Attempt> ended = take(attempt);
  if (attempt.visits.size() > options_.visits_leave_at_once) {
    locks_.withdraw_requests(attempt);
    if (committed_at != 0) locks_.hold_granted(attempt, now_ms_);
    attempt.requests.clear();
    attempt.stage = Stage::kLeaving;
    attempt.session = nullptr;
    attempt.in_doubt = false;
    leaving_visits_ += attempt.visits.size();
    leaving_.push_back({std::move(ended), attempt.applied ? 0 : committed_at, position});
    return;
  }
  if (committed_at != 0 && !attempt.applied) apply(attempt, committed_at, position);
  locks_.release(attempt);
  attempts_.erase(attempt.serial);
}

// All that it did on the record of its first visit there; so many visits.
std::size_t Participant::leave(Leaving& one, Visit& first) {
  Record& record = *first.record;
  absl::InlinedVector<Visit*, 4> visits{&first};
  const auto& held = first.held_in_mode;
  // Hardly ever: to look for them costs more than all the rest.
  if (std::accumulate(held.begin(), held.end(), 0u) > 1) {
    visits.clear();
    for (Visit* visit = one.attempt->latest(record); visit != nullptr; visit = visit->previous) visits.push_back(visit);
    std::reverse(visits.begin(), visits.end());
  }
  for (Visit* visit : visits) {
    if (visit->admitted) withdraw(*visit);
  }
  if (one.committed_at != 0) {
    for (Visit* visit : visits) apply_visit(*visit, one.committed_at, one.position);
  }
  for (Visit* visit : visits) locks_.let_go(*visit);
  return visits.size();
}

void Participant::leave() {
  // The more there is, the faster it goes: what ends never piles up, however much of it there is.
  const std::size_t at_once = std::max(options_.visits_leave_at_once, leaving_visits_ / kTurnsToLeave);
  std::size_t gone = 0;
  while (!leaving_.empty()) {
    Leaving& one = leaving_.front();
    if (Visit& visit = one.attempt->visits[one.next]; visit.record != nullptr) {
      if (gone >= at_once) return;
      gone += leave(one, visit);
    }
    --leaving_visits_;
    if (++one.next < one.attempt->visits.size()) continue;
    attempts_.erase(one.attempt->serial);
    leaving_.pop_front();
  }
}

}  // namespace claret

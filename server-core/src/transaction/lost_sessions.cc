// Participant, continued: what a lost session leaves behind, and the questions that settle it.
#include <algorithm>

#include "ground/mutation.h"
#include "transaction/participant.h"

namespace claret {

void Participant::lose(Session& session) {
  std::erase(sessions_, &session);
  shared_.drop_all(session);
  std::vector<Attempt*> attempts;
  for (const auto& [number, attempt] : session.attempts) attempts.push_back(attempt.get());
  std::sort(attempts.begin(), attempts.end(), [](const Attempt* a, const Attempt* b) { return a->serial < b->serial; });
  for (Attempt* attempt : attempts) {
    if (attempt->stage == Stage::kVoted) {
      attempt->session = nullptr;
      auto orphan = session.attempts.extract(attempt->number);
      orphans_.emplace(attempt->serial, std::move(orphan.mapped()));
      doubt(*attempt);
      continue;
    }
    tell_abort(*attempt, errors::kSessionLost, causes::kSessionLost);
    known_.aborted(attempt->id, attempt->expires_at_ms);
    end(*attempt);
  }
  // The client may be back with another session, and ask. Then it is up to the participants.
  for (const CommitAlone& commit : session.committed_alone) {
    known_.forget_at(commit.id, commit.expires_at_ms + kAskGraceMs);
  }
  for (const CommitTogether& commit : session.committed_together) {
    const double ask_at_ms = std::max(now_ms_, commit.expires_at_ms + kAskGraceMs);
    unsettled_.push_back({commit.id, commit.committed_at, 0, commit.participants, ask_at_ms});
  }
  session.committed_alone.clear();
  session.committed_together.clear();
}

void Participant::doubt(Attempt& attempt) {
  if (std::exchange(attempt.in_doubt, true)) return;
  ++in_doubt_;
  unsettled_.push_back({attempt.id, 0, attempt.voted_at, attempt.participants, now_ms_});
}

void Participant::abandoned(Session& session, std::uint64_t number) {
  Attempt* attempt = find(session, number);
  if (attempt == nullptr) return;
  if (attempt->stage == Stage::kVoted) {
    doubt(*attempt);
  } else {
    abort(*attempt, {.code = errors::kExpired, .message = "its client has given the attempt up", .cause = causes::kTimeout});
  }
}

void Participant::inquire(Session& session, const InquiryMessage& message) {
  if (message.id.size() != kIdBytes) return;
  AttemptId id;
  std::copy(message.id.begin(), message.id.end(), id.begin());
  if (refuses_changes_) {
    // An answer would wait for the log, and all that this session asks for behind it.
    server_frame::add_answer(session.out, message.ticket, id, AttemptState::kPending, 0);
    has_output_(session);
    return;
  }
  // Another participant knows that it is committed: the answer is that this shard does too, or has known it.
  if (message.committed_at != 0 && session.of_shard) {
    resolve(id, true, message.committed_at);
    depends(session, journal_.position());
    server_frame::add_answer(session.out, message.ticket, id, AttemptState::kCommitted, message.committed_at);
    has_output_(session);
    return;
  }
  AttemptState state = AttemptState::kAborted;
  Timestamp at = 0;
  if (const KnownAttempts::Known* known = known_.find(id)) {
    state = known->state;
    at = known->committed_at;
    if (known->attempt != nullptr && known->attempt->stage == Stage::kVoted) {
      state = AttemptState::kVoted;
      at = known->attempt->voted_at;
    }
  } else if (known_.size() >= kKnownAttemptsMax) {
    state = AttemptState::kPending;  // no room to refuse it from now on: ask again
  } else if (!mutated(Mutation::kForgetAbort)) {
    const double until_ms = now_ms_ + kUnknownAbortKeptMs;
    known_.aborted(id, until_ms);
    if (journal_.on()) {
      journal_.aborted(id, expiry_to_log(until_ms));
      checkpoint_.ended.push_back({id, expiry_to_log(until_ms)});
    }
  }
  // What it says must still be so after a restart.
  depends(session, journal_.position());
  server_frame::add_answer(session.out, message.ticket, id, state, at);
  has_output_(session);
}

bool Participant::in_doubt(const AttemptId& id) const {
  const Attempt* attempt = known_.under_way(id);
  return attempt != nullptr && attempt->in_doubt;
}

void Participant::resolve(const AttemptId& id, bool commits, Timestamp at) {
  Attempt* attempt = known_.under_way(id);
  if (attempt == nullptr || attempt->stage != Stage::kVoted) return;
  if (commits) {
    if (at < attempt->voted_at) return;
    commit_voted(*attempt, at);
  } else if (attempt->in_doubt) {
    abort(
        *attempt,
        {.code = errors::kSessionLost, .message = "another participant has aborted it", .retryable = true, .cause = causes::kSessionLost});
  }
}

void Participant::forget_commit(const AttemptId& id) {
  const KnownAttempts::Known* known = known_.find(id);
  if (known == nullptr || known->state != AttemptState::kCommitted) return;
  forget_commits({id});
}

void Participant::forget_commits(const std::vector<AttemptId>& ids) {
  if (cut_prepared_) {
    forgotten_later_.insert(forgotten_later_.end(), ids.begin(), ids.end());
    return;
  }
  for (const AttemptId& id : ids) known_.forget(id);
  if (!journal_.on() || ids.empty()) return;
  journal_.forgotten(ids);
  for (const AttemptId& id : ids) checkpoint_.unforgotten.erase(id);
}

}  // namespace claret

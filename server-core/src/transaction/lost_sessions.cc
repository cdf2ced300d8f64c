// Participant, continued: what a lost session leaves behind, and the questions that settle it.
#include <algorithm>

#include "transaction/participant.h"

namespace claret {

void Participant::lose(Session& session) {
  std::erase(sessions_, &session);
  shared_.drop_all(session);
  std::vector<Attempt*> attempts;
  for (const auto& [number, attempt] : session.attempts) attempts.push_back(attempt.get());
  std::sort(attempts.begin(), attempts.end(), [](const Attempt* a, const Attempt* b) { return a->serial < b->serial; });
  for (Attempt* attempt : attempts) {
    if (attempt->phase == AttemptPhase::kVoted) {
      attempt->session = nullptr;
      auto orphan = session.attempts.extract(attempt->number);
      orphans_.emplace(attempt->serial, std::move(orphan.mapped()));
      continue;
    }
    telemetry_.abort(errors::kSessionLost);
    outcomes_.aborted(attempt->id, attempt->expires_at_ms);
    end(*attempt);
  }
  for (auto* list : {&session.committed_alone, &session.committed_together}) {
    for (const Remembered& commit : *list) outcomes_.committed(commit.id, commit.committed_at, now_ms_);
    list->clear();
  }
}

void Participant::inquire(Session& session, const InquiryMessage& message) {
  if (message.id.size() != limits::kAttemptIdBytes) return;
  AttemptId id;
  std::copy(message.id.begin(), message.id.end(), id.begin());
  AttemptState state = AttemptState::kAborted;
  Timestamp at = 0;
  const auto answer = [&] {
    if (const auto found = by_id_.find(id); found != by_id_.end()) {
      state = found->second->phase == AttemptPhase::kVoted ? AttemptState::kVoted : AttemptState::kPending;
      at = found->second->voted_at;
      return;
    }
    if (const Outcomes::Known* known = outcomes_.find(id)) {
      state = known->state;
      at = known->committed_at;
      return;
    }
    for (const Session* other : sessions_) {
      for (const auto* list : {&other->committed_alone, &other->committed_together}) {
        for (const Remembered& commit : *list) {
          if (commit.id != id) continue;
          state = AttemptState::kCommitted;
          at = commit.committed_at;
          return;
        }
      }
    }
    // Unknown: from now on it is refused.
    outcomes_.aborted(id, now_ms_ + limits::kAttemptExpiryMsMax);
  };
  answer();
  server_frame::add_answer(session.out, message.ticket, id, state, at);
  has_output_(session);
}

std::vector<Participant::Doubt> Participant::in_doubt() const {
  std::vector<Doubt> doubts;
  for (const auto& [serial, attempt] : orphans_) {
    doubts.push_back({attempt->id, attempt->participants, attempt->voted_at});
  }
  return doubts;
}

void Participant::resolve(const AttemptId& id, bool commits, Timestamp at) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || found->second->session != nullptr) return;
  if (commits) {
    if (at < found->second->voted_at) return;
    commit(*found->second, at);
  } else {
    abort(*found->second, {.code = errors::kSessionLost, .message = "the coordinator is gone"});
  }
}

}  // namespace claret

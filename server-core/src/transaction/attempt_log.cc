#include "transaction/attempt_log.h"

#include <cmath>

#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/known_attempts.h"

namespace claret {

std::optional<AnswerToLog> AttemptLog::answer_of(const Attempt& attempt) const {
  if (attempt.transaction == nullptr || mutated(Mutation::kAnswersNotLogged)) return std::nullopt;
  const Deduplication::Entry& entry = deduplication_.claimed(*attempt.transaction);
  const bool voted = attempt.stage == Stage::kVoted;
  return AnswerToLog{.transaction = *attempt.transaction,
                     .answer = entry.answer,
                     .keep_ms = voted ? entry.keep_ms : 0,
                     .until_wall_ms = voted ? 0 : kept_until(attempt)};
}

VoterToLog AttemptLog::voter_of(const Attempt& attempt) const {
  VoterToLog voter{attempt.priority, counters_.label(attempt.label), attempt.participants};
  if (attempt.member_of_epoch) {
    voter.epoch = attempt.epoch;
    voter.epoch_shards = &attempt.member_of_epoch->shards;
  }
  if (attempt.batch == nullptr) return voter;
  for (const Batch::Part& part : attempt.batch->parts) {
    voter.members.push_back({part.id, part.ticks, part.operations, counters_.label(part.label)});
  }
  return voter;
}

std::uint64_t AttemptLog::kept_until(const Attempt& attempt) const {
  if (attempt.transaction == nullptr) return 0;
  return static_cast<std::uint64_t>(std::ceil(clock_.wall_ms())) + deduplication_.claimed(*attempt.transaction).keep_ms;
}

std::uint64_t AttemptLog::commit(const Attempt& attempt, Timestamp at) {
  const std::uint64_t expires_wall_ms = clock_.wall_ms_at(attempt.expires_at_ms);
  checkpoint_.ended.push_back({attempt.id, expires_wall_ms + static_cast<std::uint64_t>(kAskGraceMs)});
  const std::optional<AnswerToLog> answer = answer_of(attempt);
  return journal_.commit(attempt, at, expires_wall_ms, answer ? &*answer : nullptr);
}

std::uint64_t AttemptLog::vote(const Attempt& attempt) {
  const std::optional<AnswerToLog> answer = answer_of(attempt);
  return journal_.vote(attempt, voter_of(attempt), clock_.wall_ms_at(attempt.expires_at_ms), answer ? &*answer : nullptr);
}

std::uint64_t AttemptLog::outcome(const Attempt& attempt, Timestamp at) {
  if (!attempt.logged) return 0;
  if (checkpoint_.under_way() && attempt.serial >= checkpoint_.next_voter && is_to_put(attempt)) {
    checkpoint_.decided.push_back(vote_pair(attempt));
  }
  const std::uint64_t position = journal_.outcome(attempt, at, at == 0 ? 0 : kept_until(attempt));
  journal_.reached(last_timestamp(attempt, at));
  const std::uint64_t expires_wall_ms = clock_.wall_ms_at(attempt.expires_at_ms);
  if (at == 0) {
    checkpoint_.ended.push_back({attempt.id, expires_wall_ms});
  } else {
    checkpoint_.unforgotten.insert_or_assign(attempt.id, UnforgottenCommit{at, expires_wall_ms, attempt.participants});
  }
  return position;
}

void AttemptLog::aborted(const AttemptId& id, double until_ms) {
  CLARET_CHECK(journal_.on());
  const std::uint64_t until_wall_ms = clock_.wall_ms_at(until_ms);
  journal_.aborted(id, until_wall_ms);
  checkpoint_.ended.push_back({id, until_wall_ms});
}

std::string AttemptLog::vote_pair(const Attempt& attempt) const {
  std::string pair;
  {
    const Put put(pair, key_of(KeyKind::kVote, checkpoint_.position, attempt.vote_position));
    const std::optional<AnswerToLog> answer = answer_of(attempt);
    Journal::add_vote(pair, attempt.vote_position, attempt, voter_of(attempt), clock_.wall_ms_at(attempt.expires_at_ms),
                      answer ? &*answer : nullptr);
  }
  return pair;
}

bool AttemptLog::is_to_put(const Attempt& voter) const {
  return voter.stage == Stage::kVoted && voter.logged && voter.vote_position <= checkpoint_.position &&
         !mutated(Mutation::kCheckpointForgetsVotes) && !mutated(Mutation::kReleaseReadsAtVote);  // that mutation has released records
}

}  // namespace claret

// Participant, continued: restores a shard from its log.
#include <algorithm>

#include "ground/mutation.h"
#include "transaction/participant.h"

namespace claret {

std::optional<std::string> Participant::restore_checkpoint(std::string_view pairs) {
  if (!journal_.on() || journal_.started()) return "a checkpoint must be read before anything else, and only by a shard with a log";
  return replay_->take_checkpoint(pairs);
}

std::optional<std::string> Participant::restore(std::string_view entries) {
  if (!journal_.on() || journal_.started()) return "a log must be read before anything else, and only by a shard with a log";
  return replay_->take_entries(entries);
}

// Logs this start. The clock continues above every timestamp that it can have issued, and above all that an earlier vote may hold until
// (docs/decisions/0020-clocks.md).
std::optional<std::string> Participant::restored(std::uint64_t incarnation) {
  if (!journal_.on() || journal_.started()) return "a shard with a log starts only once";
  if (auto problem = replay_->missing_part()) return problem;
  if (auto problem = replay_->unread_record()) return problem;
  if (incarnation != 0) context_.incarnation = incarnation;
  if (auto problem = replay_->earlier_incarnation()) return problem;
  const std::unique_ptr<Replay> replay = std::move(replay_);
  Told& told = replay->told();
  if (moves_.position() > journal_.position()) {
    return "the log ends with entry " + std::to_string(journal_.position()) + ", and the checkpoint has slots as of entry " +
           std::to_string(moves_.position());
  }
  // New entries would be skipped for such a record, as if it already contained them.
  if (told.newest_record > journal_.position()) {
    return "the log ends with entry " + std::to_string(journal_.position()) + ", and the checkpoint has records as of entry " +
           std::to_string(told.newest_record);
  }
  if (!mutated(Mutation::kStartBelowCeiling)) clock_.raise(journal_.highest());
  if (mutated(Mutation::kStartAhead) || mutated(Mutation::kRefuseFarOutcome)) clock_.raise(HybridClock::later(journal_.highest(), 5'000));
  clock_.start();
  if (told.time_ms != 0) clock_.resume(static_cast<double>(told.time_ms));
  for (const KeptOutcome& outcome : told.outcomes) outcomes_.restore(outcome);
  for (const auto& [id, until_wall_ms] : told.aborted) {
    outcomes_.restore({id, 0, until_wall_ms});
    checkpoint_.ended.push_back({id, until_wall_ms});
  }
  for (const Told::Alone& commit : told.alone) {
    const std::uint64_t until_wall_ms = commit.expires_wall_ms + static_cast<std::uint64_t>(kAskGraceMs);
    outcomes_.restore({commit.id, commit.committed_at, until_wall_ms});
    checkpoint_.ended.push_back({commit.id, until_wall_ms});
  }
  for (const auto& [id, commit] : told.together) outcomes_.restore(id, commit);
  checkpoint_.unforgotten = std::move(told.together);
  if (mutated(Mutation::kForgetVoteAtRestart)) told.voted.clear();
  if (mutated(Mutation::kEpochForgetsList)) absl::erase_if(told.voted, [](const auto& one) { return one.second.attempt->epoch != 0; });
  for (auto& [position, voted] : told.voted) {
    if (!locks_.reinstate(*voted.attempt, clock_.now_ms()))
      return "entry " + std::to_string(position) + " of the log: a vote that goes with no others";
    adopt(std::move(voted.attempt), voted.expires_wall_ms);
  }
  native_sessions_.restored(clock_.now_ms());
  warranties_.restored();
  if (auto problem = leftovers_.restored(journal_.position())) return problem;
  for (const std::optional<KeptMove>* move : {&moves_.given(), &moves_.imported()}) {
    if (*move) set_shards((*move)->peer + 1);
  }
  set_foreign();
  // What was deleted before, and is no longer kept, is not known.
  if (journal_.position() != 0) records_.note_deletions({0, kSlots - 1}, journal_.highest());
  effects_.take_changed();
  past_.begin();
  if (incarnation != 0) checkpoint_.take_over(incarnation, records_);
  journal_.start(options_.place, context_.incarnation, static_cast<std::uint64_t>(clock_.wall_ms()));
  return std::nullopt;
}

void Participant::adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms) {
  attempt->serial = next_serial_++;
  attempt->enlisted = true;
  attempt->begun_ms = clock_.now_ms();
  attempt->expires_at_ms = clock_.monotonic_ms(expires_wall_ms);
  attempts_.emplace(attempt->serial, attempt.get());
  outcomes_.known().forget(attempt->id);  // a very old outcome, or a damaged one: the vote counts
  outcomes_.known().begun(*attempt);
  if (attempt->epoch != 0) epochs_.restore(*attempt);
  doubts_.add(*attempt, clock_.now_ms());
  orphans_.emplace(attempt->serial, std::move(attempt));
}

}  // namespace claret

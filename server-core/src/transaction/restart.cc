#include "transaction/restart.h"

#include <algorithm>

#include "ground/mutation.h"

namespace claret {

Restart::Restart(Ground& ground, AttemptKeeper& keeper, const Parts& parts)
    : ground_(ground),
      parts_(parts),
      replay_(
          std::make_unique<Replay>(ground.place, ground.context,
                                   Replay::Target{ground.journal, ground.records, ground.deduplication, ground.effects, ground.checkpoint,
                                                  ground.counters, ground.native_sessions, ground.moves, parts.importing, keeper})) {}

std::optional<std::string> Restart::restore_checkpoint(std::string_view pairs) {
  if (!ground_.journal.on() || ground_.journal.started()) {
    return "a checkpoint must be read before anything else, and only by a shard with a log";
  }
  return replay_->take_checkpoint(pairs);
}

std::optional<std::string> Restart::restore(std::string_view entries) {
  if (!ground_.journal.on() || ground_.journal.started()) {
    return "a log must be read before anything else, and only by a shard with a log";
  }
  return replay_->take_entries(entries);
}

std::optional<std::string> Restart::restored(std::uint64_t incarnation) {
  if (!ground_.journal.on() || ground_.journal.started()) return "a shard with a log starts only once";
  if (auto problem = replay_->missing_part()) return problem;
  if (auto problem = replay_->unread_record()) return problem;
  if (incarnation != 0) ground_.context.incarnation = incarnation;
  if (auto problem = replay_->earlier_incarnation()) return problem;
  const std::unique_ptr<Replay> replay = std::move(replay_);
  Told& told = replay->told();
  if (auto problem = ends_too_early(told)) return problem;
  restore_clock(told);
  restore_outcomes(told);
  if (auto problem = restore_votes(told)) return problem;
  ground_.native_sessions.restored(ground_.clock.now_ms());
  if (auto problem = parts_.leftovers.restored(ground_.journal.position())) return problem;
  for (const std::optional<KeptMove>* move : {&ground_.moves.given(), &ground_.moves.imported()}) {
    if (*move) ground_.set_shards((*move)->peer + 1);
  }
  ground_.set_foreign();
  // What was deleted before, and is no longer kept, is not known.
  if (ground_.journal.position() != 0) ground_.records.note_deletions({0, kSlots - 1}, ground_.journal.highest());
  ground_.effects.take_changed();
  for (Capability* capability : ground_.capabilities) capability->started();
  if (incarnation != 0) ground_.checkpoint.take_over(incarnation, ground_.records);
  ground_.journal.start(ground_.place, ground_.context.incarnation, static_cast<std::uint64_t>(ground_.clock.wall_ms()));
  return std::nullopt;
}

std::optional<std::string> Restart::ends_too_early(const Told& told) const {
  const std::uint64_t last = ground_.journal.position();
  if (ground_.moves.position() > last) {
    return "the log ends with entry " + std::to_string(last) + ", and the checkpoint has slots as of entry " +
           std::to_string(ground_.moves.position());
  }
  if (told.newest_record <= last) return std::nullopt;
  // New entries would be skipped for such a record, as if it already contained them.
  return "the log ends with entry " + std::to_string(last) + ", and the checkpoint has records as of entry " +
         std::to_string(told.newest_record);
}

// The clock continues above every timestamp that it can have issued, and above all that an earlier vote may hold until
// (docs/decisions/0020-clocks.md).
void Restart::restore_clock(const Told& told) {
  const Timestamp highest = ground_.journal.highest();
  if (!mutated(Mutation::kStartBelowCeiling)) ground_.clock.raise(highest);
  if (mutated(Mutation::kStartAhead) || mutated(Mutation::kRefuseFarOutcome)) ground_.clock.raise(HybridClock::later(highest, 5'000));
  ground_.clock.start();
  if (told.time_ms != 0) ground_.clock.resume(static_cast<double>(told.time_ms));
}

void Restart::restore_outcomes(Told& told) {
  for (const KeptOutcome& outcome : told.outcomes) ground_.outcomes.restore(outcome);
  for (const auto& [id, until_wall_ms] : told.aborted) {
    ground_.outcomes.restore({id, 0, until_wall_ms});
    ground_.checkpoint.ended.push_back({id, until_wall_ms});
  }
  for (const Told::Alone& commit : told.alone) {
    const std::uint64_t until_wall_ms = commit.expires_wall_ms + static_cast<std::uint64_t>(kAskGraceMs);
    ground_.outcomes.restore({commit.id, commit.committed_at, until_wall_ms});
    ground_.checkpoint.ended.push_back({commit.id, until_wall_ms});
  }
  for (const auto& [id, commit] : told.together) ground_.outcomes.restore(id, commit);
  ground_.checkpoint.unforgotten = std::move(told.together);
}

std::optional<std::string> Restart::restore_votes(Told& told) {
  if (mutated(Mutation::kForgetVoteAtRestart)) told.voted.clear();
  if (mutated(Mutation::kEpochForgetsList)) absl::erase_if(told.voted, [](const auto& one) { return one.second.attempt->epoch != 0; });
  for (auto& [position, voted] : told.voted) {
    if (!ground_.locks.reinstate(*voted.attempt, ground_.clock.now_ms())) {
      return "entry " + std::to_string(position) + " of the log: a vote that goes with no others";
    }
    if (voted.attempt->epoch != 0) parts_.epochs.restore(*voted.attempt);
    parts_.attempts.adopt(std::move(voted.attempt), voted.expires_wall_ms);
  }
  return std::nullopt;
}

}  // namespace claret

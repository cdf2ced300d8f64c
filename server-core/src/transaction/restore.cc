// Participant, continued: rebuilt from its log.
//
// Entries are replayed in order. A commit is applied to its records, each of which skips what its position says that it
// has; a vote makes its attempt again, which takes its place at the gates only at the end, when it is known that no
// outcome follows. The records end as they were: same bytes. Then this start is logged, and the clock goes on above all
// that it can have given, and all that a vote of before may hold for (docs/decisions/0020-clocks.md).
#include <algorithm>
#include <cmath>

#include "ground/mutation.h"
#include "transaction/participant.h"
#include "transaction/replay.h"

namespace claret {

namespace {

std::string at_entry(std::uint64_t position, std::string_view problem) {
  return "entry " + std::to_string(position) + " of the log: " + std::string(problem);
}

// What stands in the log as an operation, as one that a type takes.
bool take_logged(LoggedOperation& logged, const ShardPlace& place, TakenOperation& taken) {
  OperationMessage message{.key = logged.key, .code = logged.code, .arguments = std::move(logged.arguments)};
  return logged.code != 0 && !take_operation(message, place, taken);
}

}  // namespace

std::optional<std::string> Participant::restore(std::string_view bytes) {
  if (!journal_.on() || journal_.started()) return "a log is read before anything else, by a shard that keeps one";
  if (replay_ == nullptr) replay_ = std::make_unique<Replay>();
  if (auto problem = missing_part()) return problem;
  std::vector<std::string_view> entries;
  if (!split_log(bytes, entries)) return "the bytes after entry " + std::to_string(journal_.position()) + " are no log";
  for (const std::string_view entry_bytes : entries) {
    LogEntry entry;
    if (!decode(entry_bytes, entry)) return "what follows entry " + std::to_string(journal_.position()) + " of the log is damaged";
    // What the checkpoint holds already may come along with the entries behind it.
    if (journal_.position() == replay_->checkpoint && entry.position <= replay_->checkpoint) continue;
    if (entry.position != journal_.position() + 1) {
      return "entry " + std::to_string(entry.position) + " of the log follows entry " + std::to_string(journal_.position());
    }
    if (auto problem = replay(entry)) return problem;
    replay_->time_ms = std::max(replay_->time_ms, entry.time_ms);
    journal_.resume(entry.position, entry.at);
  }
  return std::nullopt;
}

std::optional<std::string> Participant::replay(LogEntry& entry) {
  const bool one = entry.ids.size() == 1;
  switch (entry.kind) {
    case LogEntryKind::kStarted:
      if (entry.format == 0 || entry.format > kLogFormat) {
        return at_entry(entry.position, "written by another version (format " + std::to_string(entry.format) + ")");
      }
      if (entry.shard != options_.place.shard || entry.shards != options_.place.shards) {
        return at_entry(entry.position, "written by shard " + std::to_string(entry.shard) + " of " + std::to_string(entry.shards) +
                                            ", not by shard " + std::to_string(options_.place.shard) + " of " +
                                            std::to_string(options_.place.shards));
      }
      if (entry.incarnation >= options_.incarnation) {
        return at_entry(entry.position, "written by incarnation " + std::to_string(entry.incarnation) + "; a start needs a greater one");
      }
      return std::nullopt;
    case LogEntryKind::kCeiling:
      return std::nullopt;
    case LogEntryKind::kCommit:
      return replay_commit(entry);
    case LogEntryKind::kVote:
      return one ? replay_vote(entry) : at_entry(entry.position, "a vote without its attempt");
    case LogEntryKind::kOutcome:
      return one ? replay_outcome(entry) : at_entry(entry.position, "an outcome without its attempt");
    case LogEntryKind::kForgotten:
      for (const AttemptId& id : entry.ids) replay_->together.erase(id);
      return std::nullopt;
    case LogEntryKind::kAborted:
      for (const AttemptId& id : entry.ids) replay_->aborted[id] = entry.expires_wall_ms;
      return std::nullopt;
    case LogEntryKind::kNone:
      break;
  }
  return at_entry(entry.position, "of no known kind");
}

std::optional<std::string> Participant::replay_visits(LogEntry& entry, Attempt& attempt) {
  for (LoggedOperation& operation : entry.operations) {
    TakenOperation taken;
    if (!take_logged(operation, options_.place, taken)) return at_entry(entry.position, "an operation that is none");
    Record& record = records_.find_or_create(operation.key, *taken.type);
    if (record.type != taken.type) {
      // It was nobody's then, and has been made since: a checkpoint has it as it became, without this attempt.
      if (record.last_position > entry.position) continue;
      return at_entry(entry.position, "an operation on a record of another type");
    }
    records_.pin(record);
    Visit& visit = attempt.visit(record);
    visit.type = taken.type;
    visit.call = std::move(taken.call);
    visit.result = std::move(operation.result);
    visit.exclusive = operation.exclusive;
    visit.executed = true;
  }
  return std::nullopt;
}

void Participant::replay_effects(Attempt& attempt, Timestamp at, std::uint64_t position) {
  // Judged before the first is applied: an attempt may visit a record several times.
  for (Visit& visit : attempt.visits) visit.admitted = visit.record->last_position < position;
  for (Visit& visit : attempt.visits) {
    if (visit.admitted && at != 0) apply_visit(visit, at, position);
    Record& record = *visit.record;
    records_.unpin(record);
    records_.tidy(record);
  }
}

std::optional<std::string> Participant::replay_commit(LogEntry& entry) {
  Attempt attempt(*this);
  if (auto problem = replay_visits(entry, attempt)) return problem;
  replay_effects(attempt, entry.at, entry.position);
  if (entry.has_transaction) {
    deduplication_.claim(entry.transaction, entry.answer);
    deduplication_.commit(entry.transaction, entry.at, entry.until_wall_ms, entry.position);
  }
  if (entry.ids.empty()) return std::nullopt;
  auto& alone = replay_->alone;
  // Not judged by timestamps: each start and each neighbour may have carried them far ahead of the wall clock.
  replay_->last_expires_wall_ms = std::max(replay_->last_expires_wall_ms, entry.expires_wall_ms);
  const double least_wall_ms = static_cast<double>(replay_->last_expires_wall_ms) - limits::kAttemptExpiryMsMax;
  const auto is_over = [&](const Replay::Alone& commit) {
    return static_cast<double>(commit.expires_wall_ms) + kAskGraceMs < least_wall_ms;
  };
  while (!alone.empty() && is_over(alone.front())) alone.pop_front();
  alone.push_back({entry.ids.front(), entry.at, entry.expires_wall_ms});
  return std::nullopt;
}

std::optional<std::string> Participant::replay_vote(LogEntry& entry) {
  auto attempt = std::make_unique<Attempt>(*this);
  attempt->id = entry.ids.front();
  attempt->priority = entry.priority;
  attempt->label = counters_.label_number(entry.label);
  attempt->stage = Stage::kVoted;
  attempt->logged = true;
  attempt->vote_position = entry.position;
  attempt->voted_at = entry.at;
  attempt->participants = entry.participants;
  if (entry.has_transaction) {
    attempt->transaction = std::make_unique<TransactionId>(entry.transaction);
    deduplication_.claim(entry.transaction, entry.answer, entry.keep_ms);
  }
  if (!replay_->position_of.emplace(attempt->id, entry.position).second) {
    return at_entry(entry.position, "a second vote of one attempt");
  }
  if (auto problem = replay_visits(entry, *attempt)) return problem;
  replay_->voted.emplace(entry.position, Replay::Voted{std::move(attempt), entry.expires_wall_ms});
  return std::nullopt;
}

std::optional<std::string> Participant::replay_outcome(LogEntry& entry) {
  const auto position = replay_->position_of.find(entry.ids.front());
  if (position == replay_->position_of.end()) return at_entry(entry.position, "the outcome of an attempt that has not voted");
  const auto voted = replay_->voted.find(position->second);
  Attempt& attempt = *voted->second.attempt;
  if (entry.at != 0 && entry.at < attempt.voted_at) return at_entry(entry.position, "a commit before its vote");
  replay_effects(attempt, entry.at, entry.position);
  if (attempt.transaction && entry.at != 0) {
    deduplication_.commit(*attempt.transaction, entry.at, entry.until_wall_ms, entry.position);
  } else if (attempt.transaction) {
    deduplication_.release(*attempt.transaction);
  }
  const std::uint64_t expires_wall_ms = voted->second.expires_wall_ms;
  if (entry.at != 0) {
    replay_->together[attempt.id] = {entry.at, expires_wall_ms, attempt.participants};
  } else {
    replay_->aborted[attempt.id] = expires_wall_ms;
  }
  replay_->position_of.erase(position);
  replay_->voted.erase(voted);
  return std::nullopt;
}

std::optional<std::string> Participant::restored() {
  if (!journal_.on() || journal_.started()) return "a shard that keeps a log starts once";
  if (replay_ == nullptr) replay_ = std::make_unique<Replay>();
  if (auto problem = missing_part()) return problem;
  const std::unique_ptr<Replay> log = std::move(replay_);
  // Entries to come would be taken for what such a record has already.
  if (log->newest_record > journal_.position()) {
    return "the log ends with entry " + std::to_string(journal_.position()) + ", and the checkpoint has records as of entry " +
           std::to_string(log->newest_record);
  }
  if (!mutated(Mutation::kStartBelowCeiling)) clock_.raise(journal_.highest());
  if (mutated(Mutation::kStartAhead) || mutated(Mutation::kRefuseFarOutcome)) clock_.raise(HybridClock::later(journal_.highest(), 5'000));
  if (log->time_ms != 0) resume_time(static_cast<double>(log->time_ms));
  for (const KeptOutcome& outcome : log->outcomes) restore_outcome(outcome);
  for (const auto& [id, until_wall_ms] : log->aborted) {
    restore_outcome({id, 0, until_wall_ms});
    checkpoint_.ended.push_back({id, until_wall_ms});
  }
  for (const Replay::Alone& commit : log->alone) {
    const std::uint64_t until_wall_ms = commit.expires_wall_ms + static_cast<std::uint64_t>(kAskGraceMs);
    restore_outcome({commit.id, commit.committed_at, until_wall_ms});
    checkpoint_.ended.push_back({commit.id, until_wall_ms});
  }
  for (const auto& [id, commit] : log->together) {
    known_.committed(id, commit.committed_at);
    const double ask_at_ms = std::max(now_ms_, monotonic_ms(commit.expires_wall_ms) + kAskGraceMs);
    unsettled_.push_back({id, commit.committed_at, 0, commit.participants, ask_at_ms});
  }
  checkpoint_.unforgotten = std::move(log->together);
  if (mutated(Mutation::kForgetVoteAtRestart)) log->voted.clear();
  for (auto& [position, voted] : log->voted) {
    if (!locks_.reinstate(*voted.attempt, now_ms_)) return at_entry(position, "a vote that goes with no others");
    adopt(std::move(voted.attempt), voted.expires_wall_ms);
  }
  changed_.clear();
  journal_.start(options_.place, options_.incarnation, static_cast<std::uint64_t>(wall_ms_));
  return std::nullopt;
}

void Participant::restore_outcome(const KeptOutcome& outcome) {
  const double until_ms = monotonic_ms(outcome.until_wall_ms);
  if (outcome.committed_at == 0) {
    known_.aborted(outcome.id, until_ms);
  } else {
    known_.committed(outcome.id, outcome.committed_at);
    known_.forget_at(outcome.id, until_ms);
  }
}

void Participant::adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms) {
  attempt->serial = next_serial_++;
  attempt->begun_ms = now_ms_;
  attempt->expires_at_ms = monotonic_ms(expires_wall_ms);
  attempts_.emplace(attempt->serial, attempt.get());
  known_.begun(*attempt);
  doubt(*attempt);
  orphans_.emplace(attempt->serial, std::move(attempt));
}

std::uint64_t Participant::expiry_to_log(double expires_at_ms) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(wall_ms_ + (expires_at_ms - now_ms_))));
}

}  // namespace claret

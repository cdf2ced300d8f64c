#include "transaction/checkpointing.h"

#include <algorithm>

#include "gate/record_operations.h"
#include "ground/mutation.h"
#include "transaction/slice.h"

namespace claret {

namespace {

constexpr std::size_t kOutcomesPerPair = 256;
constexpr std::size_t kAnswersWork = 256;

}  // namespace

std::optional<std::string> Checkpointing::begin(std::uint64_t next_serial) {
  if (!journal_.on()) return "a shard without a log takes no checkpoints";
  if (!journal_.started()) return "no checkpoint is taken before the log has been read";
  if (checkpoint_.under_way()) return "a checkpoint is under way";
  checkpoint_.position = journal_.position() + (mutated(Mutation::kCheckpointBeginsLate) ? 1 : 0);
  checkpoint_.next_voter = 0;
  checkpoint_.voters_below = next_serial;
  checkpoint_.last_commit_put.reset();
  checkpoint_.commits_put = false;
  checkpoint_.next_session = 0;
  checkpoint_.sessions_put = false;
  checkpoint_.ended_to_put = checkpoint_.ended.size();
  checkpoint_.chunks = 0;
  checkpoint_.to_put.swap(checkpoint_.dirty);
  deduplication_.begin_fresh();
  return std::nullopt;
}

std::optional<std::string> Checkpointing::take(std::size_t bytes_max, CheckpointPiece& piece) {
  if (!checkpoint_.under_way()) return "no checkpoint is under way";
  if (journal_.any_to_take()) return std::nullopt;  // entries must be durable before pairs that hold their effects
  Slice slice{piece.pairs, bytes_max};
  if (put_slots(slice) && erase_removed(slice) && remove_stale_parts(slice) && put_votes(slice) && put_commits(slice) &&
      put_outcomes(slice) && put_answers(slice) && put_sessions(slice) && put_records(slice) && erase_never_put(slice)) {
    piece.position = checkpoint_.position;
    finish(piece.pairs);
  }
  return std::nullopt;
}

// ---- each puts what fits into its slice, and returns true once all is put

bool Checkpointing::put_slots(Slice& slice) {
  if (!moves_.to_put()) return true;
  const Put put(slice.pairs, key_of(KeyKind::kSlots));
  add_value(slice.pairs, moves_.put());
  return true;
}

bool Checkpointing::erase_removed(Slice& slice) {
  for (auto& removed = checkpoint_.removed; !removed.empty() && removed.front().until <= checkpoint_.finished; slice.worked(1)) {
    if (slice.full()) return false;
    const Checkpoint::Removed one = std::move(removed.front());
    removed.pop_front();
    erase(one);
  }
  return true;
}

bool Checkpointing::erase_never_put(Slice& slice) {
  for (auto& never_put = checkpoint_.never_put; !never_put.empty(); slice.worked(1)) {
    if (slice.full()) return false;
    erase(never_put.front());
    never_put.pop_front();
  }
  return true;
}

void Checkpointing::erase(const Checkpoint::Removed& removed) {
  Record* record = records_.find_or_gone(removed.key);
  if (record == nullptr || record->last_commit != removed.vanished) return;
  if (!record->gone && !moves_.keeps(record->slot)) return;  // it goes with its slot
  if (record->gone) {
    records_.erase(*record);
  } else if (!(record->last_position <= journal_.durable() && effects_.drop_vacant(*record)) && !record->dirty) {
    record->dirty = true;  // the next checkpoint tries it again
    checkpoint_.dirty.push_back(record);
  }
}

bool Checkpointing::remove_stale_parts(Slice& slice) {
  for (auto& stale = checkpoint_.stale; !stale.empty(); stale.pop_back(), slice.worked(1)) {
    if (slice.full()) return false;
    const auto& [record_key, walk] = stale.back();
    add_remove(slice.pairs, key_of(PartKey{record_key, walk, 0}), key_of(PartKey{record_key, walk + 1, 0}));
  }
  return true;
}

bool Checkpointing::put_votes(Slice& slice) {
  Checkpoint& now = checkpoint_;
  for (; !now.decided.empty() && !slice.full(); slice.worked(1)) {
    slice.pairs += now.decided.front();
    now.decided.pop_front();
  }
  auto next = attempts_.lower_bound(now.next_voter);
  for (; next != attempts_.end() && next->first < now.voters_below && !slice.full(); ++next, slice.worked(1)) {
    const Attempt& attempt = *next->second;
    now.next_voter = next->first + 1;
    if (log_.is_to_put(attempt)) slice.pairs += log_.vote_pair(attempt);
  }
  return now.decided.empty() && (next == attempts_.end() || next->first >= now.voters_below);
}

bool Checkpointing::put_commits(Slice& slice) {
  Checkpoint& now = checkpoint_;
  if (now.commits_put) return true;
  auto next = now.last_commit_put ? now.unforgotten.upper_bound(*now.last_commit_put) : now.unforgotten.begin();
  for (; next != now.unforgotten.end(); ++next, slice.worked(1)) {
    if (slice.full()) return false;
    const auto& [id, commit] = *next;
    const std::string_view id_bytes(reinterpret_cast<const char*>(id.data()), id.size());
    const Put put(slice.pairs, key_of(KeyKind::kCommit, now.position, id_bytes));
    add_value(slice.pairs, commit);
    now.last_commit_put = id;
  }
  return now.commits_put = true;
}

bool Checkpointing::put_outcomes(Slice& slice) {
  Checkpoint& now = checkpoint_;
  while (now.ended_to_put != 0) {
    if (slice.full()) return false;
    std::string outcomes;
    std::uint64_t until_wall_ms = 0;
    for (std::size_t i = 0; i < kOutcomesPerPair && now.ended_to_put != 0; ++i, --now.ended_to_put, slice.worked(1)) {
      const Checkpoint::Ended ended = now.ended.front();
      now.ended.pop_front();
      const KnownAttempts::Known* known = known_.find(ended.id);
      if (known == nullptr || known->attempt != nullptr) continue;  // can no longer be asked for
      add_value(outcomes, KeptOutcome{ended.id, known->committed_at, ended.until_wall_ms});
      until_wall_ms = std::max(until_wall_ms, ended.until_wall_ms);
    }
    if (outcomes.empty()) continue;
    const Put put(slice.pairs, key_of(KeyKind::kOutcomes, until_wall_ms, now.position, ++now.chunks));
    slice.pairs += outcomes;
  }
  return true;
}

bool Checkpointing::put_answers(Slice& slice) {
  if (mutated(Mutation::kAnswersNotPut)) return true;
  std::string answers;
  for (;;) {
    if (slice.full()) return false;
    std::uint64_t until_wall_ms = 0;
    if (!deduplication_.take_fresh(Slice::kAnswersBytesPerPair, answers, until_wall_ms)) return true;
    slice.worked(kAnswersWork);
    if (answers.empty()) continue;
    const Put put(slice.pairs, key_of(KeyKind::kAnswers, until_wall_ms, checkpoint_.position, ++checkpoint_.chunks));
    slice.pairs += answers;
  }
}

// As they are when their turn comes: replay passes over entries that their answers contain.
bool Checkpointing::put_sessions(Slice& slice) {
  Checkpoint& now = checkpoint_;
  if (now.sessions_put) return true;
  const auto& sessions = native_sessions_.all();
  for (auto next = sessions.lower_bound(now.next_session); next != sessions.end(); ++next, slice.worked(1)) {
    if (slice.full()) return false;
    const auto& [id, session] = *next;
    const Put put(slice.pairs, key_of(KeyKind::kSession, now.position, id));
    session->answers.encode(slice.pairs);
    now.next_session = id + 1;
  }
  return now.sessions_put = true;
}

bool Checkpointing::put_records(Slice& slice) {
  Checkpoint& now = checkpoint_;
  for (; now.walk.record != nullptr || !now.to_put.empty(); slice.worked(1)) {
    if (slice.full()) return false;
    if (now.walk.record != nullptr) {
      put_part(slice);
      continue;
    }
    Record& record = *now.to_put.front();
    now.to_put.pop_front();
    if (!record.dirty) continue;
    if (record.gone) {
      record.dirty = false;
      remove_record(slice, record);
      continue;
    }
    if (record.gate != nullptr && departures_.any() && !mutated(Mutation::kCheckpointBeforeLeaving)) {
      slice.worked(departures_.size());
      departures_.leave_now(record);  // no wait, even if more attempts keep leaving
    }
    record.dirty = mutated(Mutation::kCheckpointKeepsFlags);
    if (mutated(Mutation::kCheckpointOfTip)) {
      put_record(slice, record);
    } else {
      effects_.on_committed(record, [&] { put_record(slice, record); });
    }
  }
  // Changes that leaving attempts have yet to apply belong to the checkpoint.
  return mutated(Mutation::kCheckpointBeforeLeaving) || !departures_.owe(now.position);
}

void Checkpointing::put_record(Slice& slice, Record& record) {
  Checkpoint& now = checkpoint_;
  if (is_vacant(record) && record.expires_at_ms == 0) {
    if (!record.put && record.last_position <= now.position) return now.never_put.push_back({record.key, record.last_commit, 0});
    if (record.last_position <= now.covered) return remove_record(slice, record);
  }
  record.put = true;
  std::string first;
  if (now.walk.begin(record, now.walks + 1, slice.part_bytes(), slice.pairs, first)) {
    remove_parts(slice, record, now.walks + 1);
    // Replay has to know that the record contains the entries behind the checkpoint. The next one can remove its pair.
    if (is_vacant(record) && !record.dirty) {
      record.dirty = true;
      now.dirty.push_back(&record);
    }
    return;
  }
  ++now.walks;
  now.walk.put(first, slice.pairs);
  slice.worked(Slice::kWork);  // one part is enough for a call
}

// After the last part comes the record's own pair: from then on only these parts are valid.
void Checkpointing::put_part(Slice& slice) {
  RecordWalk& walk = checkpoint_.walk;
  std::string part;
  const bool more = walk.next(slice.part_bytes(), part);
  walk.put(part, slice.pairs);
  slice.worked(Slice::kWork);
  if (more) return;
  {
    const Put put(slice.pairs, key_of(KeyKind::kRecord, walk.record->key));
    add_value(slice.pairs, walk.head);
  }
  remove_parts(slice, *walk.record, walk.head.walk);
  walk.record->in_parts = true;
  walk = {};
}

// Removes the record's earlier parts.
void Checkpointing::remove_parts(Slice& slice, Record& record, std::uint64_t walks_below) {
  if (!record.in_parts) return;
  add_remove(slice.pairs, key_of(PartKey{record.key, 0, 0}), key_of(PartKey{record.key, walks_below, 0}));
  record.in_parts = false;
}

void Checkpointing::remove_record(Slice& slice, Record& record) {
  const std::string key = key_of(KeyKind::kRecord, record.key);
  add_remove(slice.pairs, key, key + '\0');
  remove_parts(slice, record, checkpoint_.walks + 1);
  record.put = false;
  checkpoint_.removed.push_back({record.key, record.last_commit, checkpoint_.finished + 2});
}

// Together with the header, atomically: removes what was valid for the previous checkpoint only, and what can no longer be asked for.
void Checkpointing::finish(std::string& pairs) {
  const std::uint64_t position = std::exchange(checkpoint_.position, 0);
  ++checkpoint_.finished;
  checkpoint_.covered = position;
  add_remove(pairs, key_of(KeyKind::kVote), key_of(KeyKind::kVote, position));
  add_remove(pairs, key_of(KeyKind::kCommit), key_of(KeyKind::kCommit, position));
  add_remove(pairs, key_of(KeyKind::kSession), key_of(KeyKind::kSession, position));
  add_remove(pairs, key_of(KeyKind::kOutcomes), key_of(KeyKind::kOutcomes, static_cast<std::uint64_t>(clock_.wall_ms())));
  add_remove(pairs, key_of(KeyKind::kAnswers), key_of(KeyKind::kAnswers, static_cast<std::uint64_t>(clock_.wall_ms())));
  const std::vector<composed::InstalledType> installed = records_.types().installed();
  std::vector<LoggedType> types;
  for (const composed::InstalledType& type : installed) types.push_back({type.id, type.retired, type.definition});
  const Put put(pairs, key_of(KeyKind::kHeader));
  add_value(pairs, CheckpointHeader{.shard = place_.shard,
                                    .shards = place_.shards,
                                    .incarnation = context_.incarnation,
                                    .position = position,
                                    .highest = journal_.highest(),
                                    .time_ms = static_cast<std::uint64_t>(clock_.wall_ms()),
                                    .promised_ms = journal_.promised_ms(),
                                    .types = std::move(types)});
}

}  // namespace claret

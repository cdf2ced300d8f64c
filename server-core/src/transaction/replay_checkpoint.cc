#include <algorithm>
#include <utility>

#include "adt/registry.h"
#include "transaction/intake.h"
#include "transaction/replay.h"

namespace claret {

namespace {

constexpr std::size_t kHeaderKeyBytes = 1;
constexpr std::size_t kNumberBytes = 8;

std::string damaged(std::string_view what) { return "the checkpoint is damaged: " + std::string(what); }

}  // namespace

std::optional<std::string> Replay::take_checkpoint(std::string_view pairs) {
  if (journal_.position() != told_.checkpoint) return "a checkpoint must be read before the log";
  while (!pairs.empty()) {
    Pair pair;
    if (!take_pair(pairs, pair) || pair.kind != PairKind::kPut) return damaged("bytes that are not a pair");
    if (auto problem = restore_pair(pair)) return problem;
  }
  return std::nullopt;
}

std::optional<std::string> Replay::restore_pair(const Pair& pair) {
  switch (static_cast<KeyKind>(pair.key.front())) {
    case KeyKind::kHeader:
      return pair.key.size() == kHeaderKeyBytes ? restore_header(pair.value) : damaged("a header with a name");
    case KeyKind::kRecord:
      return restore_record(pair);
    case KeyKind::kVote:
      return restore_vote(pair);
    case KeyKind::kCommit:
      return restore_commit(pair);
    case KeyKind::kOutcomes:
      return restore_outcomes(pair.value);
    case KeyKind::kAnswers:
      if (!deduplication_.restore(pair.value)) return damaged("invalid answers");
      return std::nullopt;
    case KeyKind::kPart:
      return restore_part(pair);
    case KeyKind::kSession:
      return restore_session(pair);
    case KeyKind::kSlots:
      return restore_slots(pair);
    case KeyKind::kPiece:
      break;
  }
  return damaged("a pair of unknown kind");
}

std::optional<std::string> Replay::restore_header(std::string_view value) {
  CheckpointHeader header;
  if (told_.checkpoint != 0 || !read_value(value, header)) return damaged("its header");
  if (header.format == 0 || header.format > kCheckpointFormat) {
    return "the checkpoint was written by another version (format " + std::to_string(header.format) + ")";
  }
  if (header.shard != place_.shard || header.shards != place_.shards) {
    return "the checkpoint was written by shard " + std::to_string(header.shard) + " of " + std::to_string(header.shards) +
           ", not by shard " + std::to_string(place_.shard) + " of " + std::to_string(place_.shards);
  }
  if (!is_later(header.incarnation)) {
    return "the checkpoint was written by incarnation " + std::to_string(header.incarnation) + "; a start needs a greater one";
  }
  if (header.position == 0) return damaged("its position");
  for (const LoggedType& type : header.types) {
    if (!restore_type(type)) return damaged("an installed type");
  }
  told_.checkpoint = checkpoint_.covered = header.position;
  told_.time_ms = header.time_ms;
  journal_.resume(header.position, header.highest);
  journal_.resume_promise(header.promised_ms);
  return std::nullopt;
}

std::optional<std::string> Replay::restore_record(const Pair& pair) {
  const std::string_view key = pair.key.substr(1);
  RecordHead head;
  std::string_view state_bytes;
  if (check_key(key, nullptr) || !read_value(pair.value, head, state_bytes) || head.last_commit == 0) {
    return damaged("an invalid record");
  }
  const DataType* type = head.is_vacant() ? all_types().front() : records_.types().find(std::uint32_t{head.type});
  const bool is_unread = type == nullptr && head.type >= composed::kFirstComposedId && head.parts == 0;
  if (is_unread) type = all_types().front();
  if (type == nullptr) return damaged("a record of unknown type");
  Record& record = records_.find_or_create(key, *type);
  if (record.last_commit != 0 || record.pins != 0) return damaged("record " + std::string(key) + " comes twice, or too late");
  record.type = type;
  record.last_position = head.last_position;
  record.last_commit = head.last_commit;
  record.made = !head.is_vacant();
  record.put = true;
  records_.expire(record, head.expires_at_ms);
  records_.link(record);
  records_.count(record, record.made);
  told_.newest_record = std::max(told_.newest_record, head.last_position);
  if (head.is_vacant()) {
    record.state = type->create();
    if (head.expires_at_ms != 0) records_.expiries().set(record, 0);
    record.dirty = true;  // a later checkpoint removes it
    checkpoint_.dirty.push_back(&record);
    return std::nullopt;
  }
  if (is_unread) record.state = type->create();
  if (head.parts == 0 && head.type >= composed::kFirstComposedId) {
    Told::Unread one{record.key, head.type, head.last_position, std::string(state_bytes)};
    if (!read(one)) told_.unread.push_back(std::move(one));
    return std::nullopt;
  }
  if (head.parts == 0) return restore_state(record, state_bytes);
  record.in_parts = true;
  checkpoint_.walks = std::max(checkpoint_.walks, head.walk);
  told_.in_parts.emplace(record.key, Told::InParts{.record = &record, .walk = head.walk, .parts = head.parts});
  ++told_.incomplete;
  return std::nullopt;
}

std::optional<std::string> Replay::restore_state(Record& record, std::string_view bytes) {
  record.state = record.type->decode(bytes);
  if (record.state == nullptr) return damaged("record " + record.key + " is no " + std::string(record.type->name()));
  return std::nullopt;
}

bool Replay::read(const Told::Unread& one) {
  Record* record = records_.find(one.key);
  if (record == nullptr || record->last_position != one.last_position) return true;  // it has gone with its slot
  const DataType* type = records_.types().find(std::uint32_t{one.type});
  std::unique_ptr<State> state = type == nullptr ? nullptr : type->decode(one.bytes);
  if (state == nullptr) return false;
  record->type = type;
  record->state = std::move(state);
  return true;
}

void Replay::read_unread() {
  std::erase_if(told_.unread, [this](const Told::Unread& one) { return read(one); });
}

std::optional<std::string> Replay::unread_record() const {
  if (told_.unread.empty()) return std::nullopt;
  return damaged("record " + told_.unread.front().key + " is of no type that is installed");
}

std::optional<std::string> Replay::restore_part(const Pair& pair) {
  PartKey key;
  if (!read_key(pair.key, key) || check_key(key.record_key, nullptr)) return damaged("a part of no record");
  checkpoint_.walks = std::max(checkpoint_.walks, key.walk);
  const auto found = told_.in_parts.find(key.record_key);
  if (found == told_.in_parts.end() || found->second.walk != key.walk) {
    auto& stale = checkpoint_.stale;
    const bool known = !stale.empty() && stale.back().record_key == key.record_key && stale.back().walk == key.walk;
    if (!known) stale.push_back({std::string(key.record_key), key.walk});
    return std::nullopt;
  }
  Told::InParts& state = found->second;
  if (state.come == state.parts) return damaged("record " + state.record->key + " has more parts than its " + std::to_string(state.parts));
  if (key.number != state.come) return missing_part();
  state.bytes += pair.value;
  if (++state.come < state.parts) return std::nullopt;
  --told_.incomplete;
  return restore_state(*state.record, std::exchange(state.bytes, {}));
}

std::optional<std::string> Replay::missing_part() const {
  if (told_.incomplete == 0) return std::nullopt;
  const auto is_incomplete = [](const auto& one) { return one.second.come < one.second.parts; };
  const auto& [key, state] = *std::find_if(told_.in_parts.begin(), told_.in_parts.end(), is_incomplete);
  return damaged("record " + key + " lacks part " + std::to_string(state.come + 1) + " of " + std::to_string(state.parts));
}

std::optional<std::string> Replay::restore_vote(const Pair& pair) {
  if (pair.key.size() != 1 + 2 * kNumberBytes) return damaged("a vote without its position");
  if (first_number(pair.key) != told_.checkpoint) return std::nullopt;
  std::vector<std::string_view> entries;
  LogEntry entry;
  if (!split_log(pair.value, entries) || entries.size() != 1 || !decode(entries.front(), entry) || entry.kind != LogEntryKind::kVote ||
      entry.ids.size() != 1 || entry.position > told_.checkpoint) {
    return damaged("an invalid vote");
  }
  return take_vote(entry);
}

std::optional<std::string> Replay::restore_commit(const Pair& pair) {
  AttemptId id;
  UnforgottenCommit commit;
  if (pair.key.size() != 1 + kNumberBytes + id.size() || !read_value(pair.value, commit)) return damaged("an invalid commit");
  if (first_number(pair.key) != told_.checkpoint) return std::nullopt;
  std::copy_n(pair.key.end() - id.size(), id.size(), id.begin());
  told_.together.insert_or_assign(id, std::move(commit));
  return std::nullopt;
}

std::optional<std::string> Replay::restore_session(const Pair& pair) {
  if (pair.key.size() != 1 + 2 * kNumberBytes) return damaged("a session without its id");
  if (first_number(pair.key) != told_.checkpoint) return std::nullopt;
  NativeSession& session = native_sessions_.restore(second_number(pair.key));
  if (!session.answers.decode(pair.value)) return damaged("an invalid session");
  return std::nullopt;
}

std::optional<std::string> Replay::restore_slots(const Pair& pair) {
  KeptSlots kept;
  if (pair.key.size() != 1 || !read_value(pair.value, kept)) return damaged("an invalid table of slots");
  moves_.restore(std::move(kept));
  return std::nullopt;
}

std::optional<std::string> Replay::restore_outcomes(std::string_view value) {
  while (!value.empty()) {
    if (!take_value(value, told_.outcomes.emplace_back())) return damaged("invalid outcomes");
  }
  return std::nullopt;
}

}  // namespace claret

#include "wire/log_entry.h"

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/pbf_writer.hpp>

#include "wire/value_codec.h"

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

enum LogTag : protozero::pbf_tag_type { kEntry = 1 };
enum EntryTag : protozero::pbf_tag_type { kPosition = 1, kTime = 9 };
enum StartedTag : protozero::pbf_tag_type { kFormat = 1, kShard, kShards, kIncarnation };
enum BodyTag : protozero::pbf_tag_type {
  kId = 1,
  kAt,
  kExpires,
  kOperation,
  kPriority,
  kLabel,
  kParticipants,
  kTransaction,
  kAnswer,
  kKeepMs,
  kUntil,
  kSession,
  kFirst,
  kBelow,
  kMember,
  kMove,
  kFirstSlot,
  kLastSlot,
  kPeer,
  kVersion,
  kPiece,
  kComplete,
  kPairs,
  kEpoch,
  kEpochShards,
  kLateResult
};
enum MemberTag : protozero::pbf_tag_type { kMemberId = 1, kMemberTicks, kOperations, kMemberLabel };
enum OperationTag : protozero::pbf_tag_type { kKey = 1, kCode, kArgument, kResult, kExclusive, kTicks, kSkipped };

std::string_view text(pbf_reader& message) {
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

// False if a value is invalid or the bytes are truncated.
bool read_operation(pbf_reader message, LoggedOperation& operation) {
  std::string_view problem;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kKey, kBytes):
        operation.key = text(message);
        break;
      case tag_and_type(kCode, kVarint):
        operation.code = message.get_uint32();
        break;
      case tag_and_type(kArgument, kBytes):
        operation.arguments.push_back(read_value(message.get_message(), problem));
        break;
      case tag_and_type(kResult, kBytes):
        operation.result = read_value(message.get_message(), problem);
        break;
      case tag_and_type(kExclusive, kVarint):
        operation.exclusive = message.get_bool();
        break;
      case tag_and_type(kTicks, kVarint):
        operation.ticks = message.get_uint64();
        break;
      case tag_and_type(kSkipped, kVarint):
        operation.skipped = message.get_uint64();
        break;
      default:
        return false;
    }
  }
  return problem.empty();
}

bool read_started(pbf_reader message, LogEntry& entry) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kFormat, kVarint):
        entry.format = message.get_uint32();
        break;
      case tag_and_type(kShard, kVarint):
        entry.shard = message.get_uint32();
        break;
      case tag_and_type(kShards, kVarint):
        entry.shards = message.get_uint32();
        break;
      case tag_and_type(kIncarnation, kVarint):
        entry.incarnation = message.get_uint64();
        break;
      default:
        message.skip();  // a later format may have more fields; it is refused by its number
    }
  }
  return true;
}

template <typename Id>
bool read_id(pbf_reader& message, Id& id) {
  const std::string_view bytes = text(message);
  if (bytes.size() != id.size()) return false;
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return true;
}

bool read_member(pbf_reader message, LoggedMember& member) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kMemberId, kBytes):
        if (!read_id(message, member.id)) return false;
        break;
      case tag_and_type(kMemberTicks, kVarint):
        member.ticks = message.get_uint64();
        break;
      case tag_and_type(kOperations, kVarint):
        member.operations = message.get_uint32();
        break;
      case tag_and_type(kMemberLabel, kBytes):
        member.label = text(message);
        break;
      default:
        return false;
    }
  }
  return true;
}

// False if it is none of an epoch's fields, or a value is invalid.
bool read_of_epoch(pbf_reader& message, LogEntry& entry) {
  std::string_view problem;
  switch (message.tag_and_type()) {
    case tag_and_type(kEpoch, kFixed64):
      entry.epoch = message.get_fixed64();
      return true;
    case tag_and_type(kEpochShards, kBytes):
      for (const std::uint32_t shard : message.get_packed_uint32()) entry.epoch_shards.push_back(shard);
      return true;
    case tag_and_type(kLateResult, kBytes):
      entry.results.push_back(read_value(message.get_message(), problem));
      return problem.empty();
    default:
      return false;
  }
}

// False if it is none of a move's fields.
bool read_of_move(pbf_reader& message, LoggedMove& move) {
  switch (message.tag_and_type()) {
    case tag_and_type(kMove, kBytes):
      move.id = text(message);
      return true;
    case tag_and_type(kFirstSlot, kVarint):
      move.slots.first = message.get_uint32();
      return true;
    case tag_and_type(kLastSlot, kVarint):
      move.slots.last = message.get_uint32();
      return true;
    case tag_and_type(kPeer, kVarint):
      move.peer = message.get_uint32();
      return true;
    case tag_and_type(kVersion, kVarint):
      move.version = message.get_uint32();
      return true;
    case tag_and_type(kPiece, kVarint):
      move.piece = message.get_uint64();
      return true;
    case tag_and_type(kComplete, kVarint):
      move.complete = message.get_bool();
      return true;
    case tag_and_type(kPairs, kBytes):
      move.pairs = text(message);
      return true;
    default:
      return false;
  }
}

bool read_body(pbf_reader message, LogEntry& entry) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kId, kBytes):
        if (!read_id(message, entry.ids.emplace_back())) return false;
        break;
      case tag_and_type(kAt, kFixed64):
        entry.at = message.get_fixed64();
        break;
      case tag_and_type(kExpires, kVarint):
        entry.expires_wall_ms = message.get_uint64();
        break;
      case tag_and_type(kOperation, kBytes):
        if (!read_operation(message.get_message(), entry.operations.emplace_back())) return false;
        break;
      case tag_and_type(kPriority, kVarint):
        entry.priority = message.get_uint64();
        break;
      case tag_and_type(kLabel, kBytes):
        entry.label = text(message);
        break;
      case tag_and_type(kParticipants, kBytes):
        for (const std::uint32_t shard : message.get_packed_uint32()) entry.participants.push_back(shard);
        break;
      case tag_and_type(kTransaction, kBytes):
        if (!read_id(message, entry.transaction)) return false;
        entry.has_transaction = true;
        break;
      case tag_and_type(kAnswer, kBytes):
        entry.answer = text(message);
        break;
      case tag_and_type(kKeepMs, kVarint):
        entry.keep_ms = message.get_uint32();
        break;
      case tag_and_type(kUntil, kVarint):
        entry.until_wall_ms = message.get_uint64();
        break;
      case tag_and_type(kSession, kFixed64):
        entry.natives.session = message.get_fixed64();
        break;
      case tag_and_type(kFirst, kVarint):
        entry.natives.first = message.get_uint64();
        break;
      case tag_and_type(kBelow, kVarint):
        entry.natives.below = message.get_uint64();
        break;
      case tag_and_type(kMember, kBytes):
        if (!read_member(message.get_message(), entry.members.emplace_back())) return false;
        break;
      default:
        if (!read_of_epoch(message, entry) && !read_of_move(message, entry.move)) return false;
    }
  }
  return true;
}

enum TypeTag : protozero::pbf_tag_type { kTypeId = 1, kTypeRetired = 2, kTypeDefinition = 3 };

bool read_type(pbf_reader message, LoggedType& type) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kTypeId, kVarint): {
        const std::uint32_t id = message.get_uint32();
        if (id > 0xFF) return false;
        type.id = static_cast<std::uint8_t>(id);
        break;
      }
      case tag_and_type(kTypeRetired, kVarint):
        type.retired = message.get_bool();
        break;
      case tag_and_type(kTypeDefinition, kBytes):
        type.definition = text(message);
        break;
      default:
        return false;
    }
  }
  return type.id != 0;
}

bool read_entry(pbf_reader message, LogEntry& entry) {
  while (message.next()) {
    const auto tag = message.tag();
    if (message.tag_and_type() == tag_and_type(kPosition, kVarint)) {
      entry.position = message.get_uint64();
      continue;
    }
    if (message.tag_and_type() == tag_and_type(kTime, kVarint)) {
      entry.time_ms = message.get_uint64();
      continue;
    }
    if (entry.kind != LogEntryKind::kNone || tag < 2 || tag > static_cast<unsigned>(LogEntryKind::kType)) return false;
    entry.kind = static_cast<LogEntryKind>(tag);
    if (entry.kind == LogEntryKind::kCeiling) {
      if (message.wire_type() != kFixed64) return false;
      entry.at = message.get_fixed64();
      continue;
    }
    if (entry.kind == LogEntryKind::kPromised) {
      if (message.wire_type() != kVarint) return false;
      entry.promised_ms = message.get_uint64();
      continue;
    }
    if (message.wire_type() != kBytes) return false;
    if (entry.kind == LogEntryKind::kType) {
      if (!read_type(message.get_message(), entry.type)) return false;
      continue;
    }
    const bool started = entry.kind == LogEntryKind::kStarted;
    if (!(started ? read_started(message.get_message(), entry) : read_body(message.get_message(), entry))) return false;
  }
  return entry.position != 0 && entry.kind != LogEntryKind::kNone;
}

void add_id(pbf_writer& message, const AttemptId& id, BodyTag tag = kId) {
  message.add_bytes(tag, reinterpret_cast<const char*>(id.data()), id.size());
}

void add_answer(pbf_writer& message, const AnswerToLog& answer) {
  add_id(message, answer.transaction, kTransaction);
  if (!answer.answer.empty()) message.add_bytes(kAnswer, answer.answer.data(), answer.answer.size());
  if (answer.keep_ms != 0) message.add_uint32(kKeepMs, answer.keep_ms);
  if (answer.until_wall_ms != 0) message.add_uint64(kUntil, answer.until_wall_ms);
}

void add_operations(pbf_writer& body, std::span<const OperationToLog> operations) {
  for (const OperationToLog& operation : operations) {
    pbf_writer message(body, kOperation);
    message.add_bytes(kKey, operation.key.data(), operation.key.size());
    message.add_uint32(kCode, operation.code);
    for (const Value& argument : operation.call->arguments) add_value(message, kArgument, argument);
    if (!operation.result->absent()) add_value(message, kResult, *operation.result);
    if (operation.exclusive) message.add_bool(kExclusive, true);
    if (operation.ticks != 0) message.add_uint64(kTicks, operation.ticks);
    if (operation.skipped != 0) message.add_uint64(kSkipped, operation.skipped);
  }
}

// Writes one entry of a log: the constructor writes the position, `body` begins the body.
class EntryWriter {
 public:
  EntryWriter(std::string& log, std::uint64_t position) : log_(log), entry_(log_, kEntry) { entry_.add_uint64(kPosition, position); }
  pbf_writer& entry() { return entry_; }
  pbf_writer body(LogEntryKind kind) { return {entry_, static_cast<protozero::pbf_tag_type>(kind)}; }

 private:
  pbf_writer log_;
  pbf_writer entry_;
};

}  // namespace

bool decode(std::string_view bytes, LogEntry& entry) {
  try {
    return read_entry(pbf_reader(bytes.data(), bytes.size()), entry);
  } catch (const protozero::exception&) {
    return false;
  }
}

bool split_log(std::string_view log, std::vector<std::string_view>& entries) {
  try {
    pbf_reader message(log.data(), log.size());
    while (message.next()) {
      if (message.tag_and_type() != tag_and_type(kEntry, kBytes)) return false;
      entries.push_back(text(message));
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

namespace log_entry {

void add_started(std::string& log, std::uint64_t position, std::uint32_t shard, std::uint32_t shards, std::uint64_t incarnation,
                 std::uint64_t time_ms) {
  EntryWriter writer(log, position);
  writer.entry().add_uint64(kTime, time_ms);
  pbf_writer body = writer.body(LogEntryKind::kStarted);
  body.add_uint32(kFormat, kLogFormat);
  body.add_uint32(kShard, shard);
  body.add_uint32(kShards, shards);
  body.add_uint64(kIncarnation, incarnation);
}

void add_ceiling(std::string& log, std::uint64_t position, Timestamp ceiling, std::uint64_t time_ms) {
  EntryWriter writer(log, position);
  writer.entry().add_uint64(kTime, time_ms);
  writer.entry().add_fixed64(static_cast<protozero::pbf_tag_type>(LogEntryKind::kCeiling), ceiling);
}

void add_promised(std::string& log, std::uint64_t position, std::uint64_t promised_ms) {
  EntryWriter writer(log, position);
  writer.entry().add_uint64(static_cast<protozero::pbf_tag_type>(LogEntryKind::kPromised), promised_ms);
}

void add_type(std::string& log, std::uint64_t position, const LoggedType& type) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kType);
  body.add_uint32(kTypeId, type.id);
  if (type.retired) body.add_bool(kTypeRetired, true);
  body.add_bytes(kTypeDefinition, type.definition.data(), type.definition.size());
}

void add_commit(std::string& log, std::uint64_t position, const AttemptId* id, Timestamp at, std::uint64_t expires_wall_ms,
                const OperationsToLog& operations, const AnswerToLog* answer) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kCommit);
  if (id != nullptr) {
    add_id(body, *id);
    body.add_uint64(kExpires, expires_wall_ms);
  }
  body.add_fixed64(kAt, at);
  add_operations(body, operations);
  if (answer != nullptr) add_answer(body, *answer);
}

void add_vote(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t expires_wall_ms,
              const OperationsToLog& operations, const VoterToLog& voter, const AnswerToLog* answer) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kVote);
  add_id(body, id);
  body.add_fixed64(kAt, at);
  body.add_uint64(kExpires, expires_wall_ms);
  body.add_uint64(kPriority, voter.priority);
  body.add_bytes(kLabel, voter.label.data(), voter.label.size());
  body.add_packed_uint32(kParticipants, voter.participants.begin(), voter.participants.end());
  add_operations(body, operations);
  if (answer != nullptr) add_answer(body, *answer);
  for (const LoggedMember& member : voter.members) {
    pbf_writer message(body, kMember);
    add_id(message, member.id);
    message.add_uint64(kMemberTicks, member.ticks);
    message.add_uint32(kOperations, member.operations);
    message.add_bytes(kMemberLabel, member.label.data(), member.label.size());
  }
  if (voter.epoch == 0) return;
  body.add_fixed64(kEpoch, voter.epoch);
  body.add_packed_uint32(kEpochShards, voter.epoch_shards->begin(), voter.epoch_shards->end());
}

void add_outcome(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t until_wall_ms,
                 std::span<const Value* const> results) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kOutcome);
  add_id(body, id);
  body.add_fixed64(kAt, at);
  if (until_wall_ms != 0) body.add_uint64(kUntil, until_wall_ms);
  for (const Value* result : results) add_value(body, kLateResult, *result);
}

void add_forgotten(std::string& log, std::uint64_t position, const std::vector<AttemptId>& ids) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kForgotten);
  for (const AttemptId& id : ids) add_id(body, id);
}

void add_aborted(std::string& log, std::uint64_t position, const AttemptId& id, std::uint64_t until_wall_ms) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kAborted);
  add_id(body, id);
  body.add_uint64(kExpires, until_wall_ms);
}

void add_natives(std::string& log, std::uint64_t position, Timestamp at, std::span<const OperationToLog> operations,
                 const NumberedNatives& natives) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kNatives);
  body.add_fixed64(kAt, at);
  add_operations(body, operations);
  if (natives.session == 0) return;
  body.add_fixed64(kSession, natives.session);
  body.add_uint64(kFirst, natives.first);
  if (natives.below != 0) body.add_uint64(kBelow, natives.below);
}

void add_session(std::string& log, std::uint64_t position, std::uint64_t session) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(LogEntryKind::kSession);
  body.add_fixed64(kSession, session);
}

void add_move(std::string& log, std::uint64_t position, LogEntryKind kind, const LoggedMove& move, Timestamp at) {
  EntryWriter writer(log, position);
  pbf_writer body = writer.body(kind);
  if (at != 0) body.add_fixed64(kAt, at);
  body.add_bytes(kMove, move.id.data(), move.id.size());
  if (kind == LogEntryKind::kSettled) return;
  body.add_uint32(kFirstSlot, move.slots.first);
  body.add_uint32(kLastSlot, move.slots.last);
  body.add_uint32(kPeer, move.peer);
  body.add_uint32(kVersion, move.version);
  if (kind != LogEntryKind::kImported) return;
  body.add_uint64(kPiece, move.piece);
  if (move.complete) body.add_bool(kComplete, true);
  body.add_bytes(kPairs, move.pairs.data(), move.pairs.size());
}

}  // namespace log_entry

}  // namespace claret

// The entries of a shard's log (docs/wire-format.md, "The log"), as bytes and back. Protobuf, version kLogFormat:
//
//   log       := entries(1: entry)*                          what one call hands out: whole entries, in order
//   entry     := position(1: uint64) and one of              positions are dense: 1, 2, 3, ... over all starts
//                started(2) | ceiling(3: fixed64) | commit(4) | vote(5) | outcome(6) | forgotten(7) | aborted(8)
//                and time(9: uint64)                       with started and ceiling: the shard's own time
//   started   := format(1: uint32) shard(2: uint32) shards(3: uint32) incarnation(4: uint64)
//   ceiling                                                  no timestamp above it has been given by this shard
//   commit    := id(1: bytes) at(2: fixed64) expires(3: uint64) operation(4)* transaction(8) answer(9) until(11)
//                                                            this shard alone; without an id: operations that ran without
//                                                            locks, outside of any transaction
//   vote      := id(1) at(2) expires(3) operation(4)* priority(5: uint64) label(6: bytes) participants(7: packed uint32)
//                transaction(8: bytes) answer(9: bytes) keep_ms(10: uint32)
//                                                            the other participants; all operations here, reads too
//   outcome   := id(1) at(2) until(11: uint64)               of an attempt that voted here; at 0: aborted
//   forgotten := id(1)*                                      every participant of these commits has logged them
//   aborted   := id(1) until(3: uint64)                      asked about before it came here: refused until then
//   operation := key(1: bytes) code(2: uint32) argument(3: Value)* result(4: Value) exclusive(5: bool)
//
// `expires` and `until` are in the shard's own time, in ms since the Unix epoch: the wall clock at its very first start, and from
// then on what it has run for. A clock that is set, or wrong, moves nothing of it. Commits hold the operations that change something. Where
// `transaction` stands, it has an id, and this shard, its home, answers whoever sends it again until then with `answer`:
// `keep_ms` after its commit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "wire/client_frame.h"

namespace claret {

// 1 had no time; all that it had means the same.
inline constexpr std::uint32_t kLogFormat = 2;

enum class LogEntryKind : std::uint8_t {
  kNone = 0,
  kStarted = 2,
  kCeiling = 3,
  kCommit = 4,
  kVote = 5,
  kOutcome = 6,
  kForgotten = 7,
  kAborted = 8,
};

struct LoggedOperation {
  std::string_view key;
  std::uint32_t code = 0;
  std::vector<Value> arguments;
  Value result;
  bool exclusive = false;
};

struct LogEntry {
  std::uint64_t position = 0;
  LogEntryKind kind = LogEntryKind::kNone;
  // started
  std::uint32_t format = 0;
  std::uint32_t shard = 0;
  std::uint32_t shards = 0;
  std::uint64_t incarnation = 0;
  std::uint64_t time_ms = 0;  // also of a ceiling; 0 in format 1
  // the others, as far as they have them
  std::vector<AttemptId> ids;  // one, but for `forgotten`
  Timestamp at = 0;
  std::uint64_t expires_wall_ms = 0;  // or `until`
  std::vector<LoggedOperation> operations;
  std::uint64_t priority = 0;
  std::string_view label;
  ShardList participants;
  bool has_transaction = false;  // it has an id, and its home is here
  TransactionId transaction{};
  std::string_view answer;
  std::uint32_t keep_ms = 0;
  std::uint64_t until_wall_ms = 0;
};

// False when the bytes are not an entry. Texts of the entry are views into them.
bool decode(std::string_view bytes, LogEntry& entry);

// The entries of a log, whole, in order. False when the bytes are not a log.
bool split_log(std::string_view log, std::vector<std::string_view>& entries);

// An operation to be logged, by reference.
struct OperationToLog {
  std::string_view key;
  std::uint32_t code = 0;
  const Call* call = nullptr;
  const Value* result = nullptr;
  bool exclusive = false;
};
using OperationsToLog = absl::InlinedVector<OperationToLog, 8>;

// What an attempt that votes is known by.
struct VoterToLog {
  std::uint64_t priority = 0;
  std::string_view label;
  const ShardList& participants;
};

// Of a transaction that has an id, at its home shard.
struct AnswerToLog {
  const TransactionId& transaction;
  std::string_view answer;
  std::uint32_t keep_ms = 0;  // of a vote
  std::uint64_t until_wall_ms = 0;  // of a commit
};

// Each appends one entry to a log.
namespace log_entry {

void add_started(std::string& log, std::uint64_t position, std::uint32_t shard, std::uint32_t shards, std::uint64_t incarnation,
                 std::uint64_t time_ms);
void add_ceiling(std::string& log, std::uint64_t position, Timestamp ceiling, std::uint64_t time_ms);
// Without `id`: operations outside of any transaction. `answer`: null but for a transaction with an id.
void add_commit(std::string& log, std::uint64_t position, const AttemptId* id, Timestamp at, std::uint64_t expires_wall_ms,
                const OperationsToLog& operations, const AnswerToLog* answer = nullptr);
void add_vote(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t expires_wall_ms,
              const OperationsToLog& operations, const VoterToLog& voter, const AnswerToLog* answer = nullptr);
// `until_wall_ms`: 0 but for the commit of a transaction with an id.
void add_outcome(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t until_wall_ms = 0);
void add_forgotten(std::string& log, std::uint64_t position, const std::vector<AttemptId>& ids);
void add_aborted(std::string& log, std::uint64_t position, const AttemptId& id, std::uint64_t until_wall_ms);

}  // namespace log_entry

}  // namespace claret

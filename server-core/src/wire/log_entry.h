// The entries of a shard's log (docs/wire-format.md, "The log"), as bytes and back. Protobuf, version kLogFormat:
//
//   log       := entries(1: entry)*                          the result of one call: whole entries, in order
//   entry     := position(1: uint64) and one of              positions are dense: 1, 2, 3, ... over all starts
//                started(2) | ceiling(3: fixed64) | commit(4) | vote(5) | outcome(6) | forgotten(7) | aborted(8) | natives(10) |
//                session(11) | imported(12) | gave(13) | took(14) | dropped(15) | settled(16) | promised(17: uint64) |
//                type(18)
//                and time(9: uint64)                       with started and ceiling: the shard's own time
//   started   := format(1: uint32) shard(2: uint32) shards(3: uint32) incarnation(4: uint64)
//   ceiling                                                  this shard has issued no timestamp above it
//   commit    := id(1: bytes) at(2: fixed64) expires(3: uint64) operation(4)* transaction(8) answer(9) until(11)
//                                                            at this shard alone; without an id, in logs of earlier versions:
//                                                            an operation outside of any transaction
//   vote      := id(1) at(2) expires(3) operation(4)* priority(5: uint64) label(6: bytes) participants(7: packed uint32)
//                transaction(8: bytes) answer(9: bytes) keep_ms(10: uint32) member(15)* epoch(24: fixed64) epoch_shards(25: packed uint32)
//                                                            the other participants; all operations at this shard, reads too; of a
//                                                            batch, the members whose operations they are; of a member of an epoch,
//                                                            the epoch and the shards that take part in it. Results that are not known
//                                                            yet are left out
//   member    := id(1: bytes) ticks(2: uint64) operations(3: uint32) label(4: bytes)
//                                                            the next so many operations are this attempt's; it commits that many
//                                                            ticks after the entry's attempt
//   outcome   := id(1) at(2) until(11: uint64) result(26: Value)*
//                                                            of an attempt that voted here; at 0: aborted, or, of a member of an
//                                                            epoch, not committed in this epoch. Of such a member that has committed,
//                                                            the results that its vote has left out of operations that change something
//   forgotten := id(1)*                                      every participant of these commits has logged them
//   aborted   := id(1) until(3: uint64)                      asked about before it arrived here: refused until then
//   natives   := at(2) operation(4)* session(12: fixed64) first(13: uint64) below(14: uint64)
//                                                            native operations, each at `at` and its own ticks. In their session they
//                                                            are numbered from `first`; the client has the answers below `below`
//   session   := session(12)                                 a session that numbers its natives has begun
//   imported  := move piece(21: uint64) complete(22: bool) pairs(23: bytes)
//                                                            a piece of a run that another shard gives (slots.h), counted from 1; the
//                                                            shard shows it to nobody before `took`. complete: nothing of the run is missing
//   gave      := move at(2)                                  the run belongs to the other shard from now on; no timestamp that the shard
//                                                            has told of the run is above `at`
//   took      := move at(2)                                  the run of the pieces belongs to this shard from now on
//   dropped   := move                                        the pieces are void
//   settled   := id(16) of the move                          the other shard has taken what this one gave
//   promised                                                 from now on, grants of warranties may stand for so many ms; 0: none stands
//   type      := id(1: uint32) retired(2: bool) definition(3: bytes)
//                                                            an installed data type, as it is from now on (docs/types-of-your-own.md)
//   move      := id(16: bytes) first(17: uint32) last(18: uint32) peer(19: uint32) version(20: uint32)
//                                                            its slots, the other shard, and the version that the slots get
//   operation := key(1: bytes) code(2: uint32) argument(3: Value)* result(4: Value) exclusive(5: bool) ticks(6: uint64)
//                skipped(7: uint64)                        numbers left out before this one
//
// `expires` and `until` are in the shard's own time, in ms since the Unix epoch: the wall clock at the shard's very first start, plus the
// time for which the shard has run since. Changes and errors of the wall clock do not affect it. Commits hold only the operations that
// change something. An entry with `transaction` belongs to a transaction with an id, whose home is this shard: until `until` (`keep_ms`
// after the commit) the shard replies to retries with `answer`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "ground/slots.h"
#include "wire/client_frame.h"

namespace claret {

// Format 1 had no time, format 2 no natives, format 3 no sessions, format 4 no batches, format 5 no moves, format 6 no promises, and format 7 no
// epochs, format 9 no installed types; the rest means the same.
inline constexpr std::uint32_t kLogFormat = 10;

enum class LogEntryKind : std::uint8_t {
  kNone = 0,
  kStarted = 2,
  kCeiling = 3,
  kCommit = 4,
  kVote = 5,
  kOutcome = 6,
  kForgotten = 7,
  kAborted = 8,
  kNatives = 10,
  kSession = 11,
  kImported = 12,
  kGave = 13,
  kTook = 14,
  kDropped = 15,
  kSettled = 16,
  kPromised = 17,
  kType = 18,
};

struct LoggedOperation {
  std::string_view key;
  std::uint32_t code = 0;
  std::vector<Value> arguments;
  Value result;
  bool exclusive = false;
  std::uint64_t ticks = 0;
  std::uint64_t skipped = 0;
};

// A member of a batch, and how many of the entry's operations are its own.
struct LoggedMember {
  AttemptId id{};
  std::uint64_t ticks = 0;  // its timestamp is so many after that of the entry's outcome
  std::uint32_t operations = 0;
  std::string_view label;
};

// A run of slots that moves between this shard and its peer.
struct LoggedMove {
  std::string_view id;
  SlotRun slots;
  std::uint32_t peer = 0;
  std::uint32_t version = 0;
  // imported:
  std::uint64_t piece = 0;
  bool complete = false;
  std::string_view pairs;
};

// A data type that was installed while the shard ran.
struct LoggedType {
  std::uint8_t id = 0;
  bool retired = false;
  std::string_view definition;
};

// Natives as their session numbers them.
struct NumberedNatives {
  std::uint64_t session = 0;  // 0: it does not number them
  std::uint64_t first = 0;
  std::uint64_t below = 0;
};

struct LogEntry {
  std::uint64_t position = 0;
  LogEntryKind kind = LogEntryKind::kNone;
  // started:
  std::uint32_t format = 0;
  std::uint32_t shard = 0;
  std::uint32_t shards = 0;
  std::uint64_t incarnation = 0;
  std::uint64_t time_ms = 0;  // also set by a ceiling; 0 in format 1
  // The other kinds, where the grammar has the field:
  std::vector<AttemptId> ids;  // one, except for `forgotten`
  Timestamp at = 0;
  std::uint64_t expires_wall_ms = 0;  // or `until`
  std::vector<LoggedOperation> operations;
  std::uint64_t priority = 0;
  std::string_view label;
  ShardList participants;
  std::vector<LoggedMember> members;  // of a batch, in order
  EpochNumber epoch = 0;  // of a member of an epoch
  ShardList epoch_shards;
  std::vector<Value> results;
  bool has_transaction = false;  // the transaction has an id, and this shard is its home
  TransactionId transaction{};
  std::string_view answer;
  std::uint32_t keep_ms = 0;
  std::uint64_t until_wall_ms = 0;
  NumberedNatives natives;
  LoggedMove move;
  std::uint64_t promised_ms = 0;
  LoggedType type;
};

// False if the bytes are not an entry. The entry's texts are views into the bytes.
bool decode(std::string_view bytes, LogEntry& entry);

// Splits a log into whole entries, in order. False if the bytes are not a log.
bool split_log(std::string_view log, std::vector<std::string_view>& entries);

// An operation to be logged, by reference.
struct OperationToLog {
  std::string_view key;
  std::uint32_t code = 0;
  const Call* call = nullptr;
  const Value* result = nullptr;
  bool exclusive = false;
  std::uint64_t ticks = 0;  // after the timestamp of the entry
  std::uint64_t skipped = 0;  // numbers of natives left out before this one
};
using OperationsToLog = absl::InlinedVector<OperationToLog, 8>;

// The fields that are logged about an attempt that votes, beside its operations.
struct VoterToLog {
  std::uint64_t priority = 0;
  std::string_view label;
  const ShardList& participants;
  std::vector<LoggedMember> members{};  // of a batch
  EpochNumber epoch = 0;  // of a member of an epoch
  const ShardList* epoch_shards = nullptr;
};

// The answer of a transaction with an id, logged at its home shard.
struct AnswerToLog {
  const TransactionId& transaction;
  std::string_view answer;
  std::uint32_t keep_ms = 0;  // set for a vote
  std::uint64_t until_wall_ms = 0;  // set for a commit
};

// Each function appends one entry to a log.
namespace log_entry {

void add_started(std::string& log, std::uint64_t position, std::uint32_t shard, std::uint32_t shards, std::uint64_t incarnation,
                 std::uint64_t time_ms);
void add_ceiling(std::string& log, std::uint64_t position, Timestamp ceiling, std::uint64_t time_ms);
// Without `id`: operations outside of any transaction. `answer`: null except for a transaction with an id.
void add_commit(std::string& log, std::uint64_t position, const AttemptId* id, Timestamp at, std::uint64_t expires_wall_ms,
                const OperationsToLog& operations, const AnswerToLog* answer = nullptr);
void add_vote(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t expires_wall_ms,
              const OperationsToLog& operations, const VoterToLog& voter, const AnswerToLog* answer = nullptr);
// `until_wall_ms`: 0 except for the commit of a transaction with an id.
// `results`: of a member of an epoch, those that its vote has left out.
void add_outcome(std::string& log, std::uint64_t position, const AttemptId& id, Timestamp at, std::uint64_t until_wall_ms = 0,
                 std::span<const Value* const> results = {});
void add_forgotten(std::string& log, std::uint64_t position, const std::vector<AttemptId>& ids);
void add_aborted(std::string& log, std::uint64_t position, const AttemptId& id, std::uint64_t until_wall_ms);
void add_natives(std::string& log, std::uint64_t position, Timestamp at, std::span<const OperationToLog> operations,
                 const NumberedNatives& natives);
void add_session(std::string& log, std::uint64_t position, std::uint64_t session);
void add_promised(std::string& log, std::uint64_t position, std::uint64_t promised_ms);
void add_type(std::string& log, std::uint64_t position, const LoggedType& type);
// `kind`: one of those of moves. `at`: set for `gave` and `took`.
void add_move(std::string& log, std::uint64_t position, LogEntryKind kind, const LoggedMove& move, Timestamp at = 0);

}  // namespace log_entry

}  // namespace claret

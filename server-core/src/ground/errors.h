// All error codes that a shard can return. Codes are stable: docs/errors.md explains each, and the gateway maps them to HTTP and gRPC. An
// error is a value, never an exception.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "ground/identifiers.h"

namespace claret {

struct Error {
  std::string_view code;  // one of errors::
  std::string message;
  std::string key{};
  std::string operation{};
  std::string blocking_operation{};
  std::string blocking_label{};
  bool retryable = false;
  std::string_view cause{};  // one of causes::, for errors due to a conflict or a failure elsewhere
  std::uint32_t retry_after_ms = 0;  // the obstacle may be gone then, and hardly earlier
  Timestamp at = 0;  // of a snapshot's refusal: one at this time or later will not meet the obstacle
};

inline Error refuse(std::string_view code, std::string message, bool retryable = false) {
  return {.code = code, .message = std::move(message), .retryable = retryable};
}

namespace errors {

// The request is invalid and will always be refused. It had no effect.
inline constexpr std::string_view kMalformedFrame = "malformed_frame";  // bytes that are not a frame; the session ends
inline constexpr std::string_view kFrameTooLarge = "frame_too_large";  // the session ends
inline constexpr std::string_view kUnsupportedProtocol = "unsupported_protocol";
inline constexpr std::string_view kUnknownType = "unknown_type";
inline constexpr std::string_view kUnknownOperation = "unknown_operation";
inline constexpr std::string_view kWrongArgumentCount = "wrong_argument_count";
inline constexpr std::string_view kWrongArgumentType = "wrong_argument_type";
inline constexpr std::string_view kArgumentTooLarge = "argument_too_large";
inline constexpr std::string_view kNotFinite = "not_finite";  // NaN or an infinity
inline constexpr std::string_view kOutOfRange = "out_of_range";  // beyond 64 bits or a counter's range
inline constexpr std::string_view kBelowBound = "below_bound";  // a BoundedCounter does not hold that much
inline constexpr std::string_view kRecordTooLarge = "record_too_large";  // of an installed type
inline constexpr std::string_view kReadsOwnChange = "reads_own_change";  // a transaction does not see its own changes
inline constexpr std::string_view kTooManySteps = "too_many_steps";  // of an operation of an installed type
inline constexpr std::string_view kRecordQuarantined = "record_quarantined";  // a change of a value field has failed when it was committed
inline constexpr std::string_view kTypeRetired = "type_retired";
inline constexpr std::string_view kInvalidUtf8 = "invalid_utf8";
inline constexpr std::string_view kInvalidKey = "invalid_key";  // empty or over 1 KiB
inline constexpr std::string_view kWrongType = "wrong_type";  // the record is of another type
inline constexpr std::string_view kNotAnInteger = "not_an_integer";  // a Dict field holds something else
inline constexpr std::string_view kTooManyOperations = "too_many_operations";
inline constexpr std::string_view kNestedTooDeep = "nested_too_deep";
inline constexpr std::string_view kUnknownAttempt = "unknown_attempt";  // never begun here, ended, or belongs to another session
inline constexpr std::string_view kInvalidAttempt = "invalid_attempt";  // bad id, begun twice, used after prepare
inline constexpr std::string_view kNotReadOnly = "not_read_only";  // only what observes can be asked of the past
inline constexpr std::string_view kHistoryGone = "history_gone";  // what has changed since that time is not kept
inline constexpr std::string_view kInvalidAnswer = "invalid_answer";  // the answer to be kept for the transaction is too long

// A temporary condition: the request may succeed when it is sent again.
inline constexpr std::string_view kWrongShard = "wrong_shard";  // ask for the topology
inline constexpr std::string_view kClockSkew = "clock_skew";  // the clocks of two of its shards differ too much
inline constexpr std::string_view kWrongIncarnation = "wrong_incarnation";  // the shard has restarted
inline constexpr std::string_view kWounded = "wounded";  // an older transaction waits for this one
inline constexpr std::string_view kDeadlock = "deadlock";  // the younger transaction of a cycle
inline constexpr std::string_view kDenied = "denied";  // a lock is taken and phasing is off
inline constexpr std::string_view kChainBroken = "chain_broken";  // the session's chain, with everything undecided in it
inline constexpr std::string_view kConditionChanged = "condition_changed";
inline constexpr std::string_view kSessionLost = "session_lost";
inline constexpr std::string_view kExpired = "expired";  // the time limit of the attempt or of its vote has passed
inline constexpr std::string_view kOverloaded = "overloaded";  // a limit on concurrent work
inline constexpr std::string_view kDiskFull = "disk_full";  // entries cannot be made durable until there is space
inline constexpr std::string_view kLogUnavailable = "log_unavailable";  // nor until enough machines of a replicated log can be reached
inline constexpr std::string_view kTransactionInProgress = "transaction_in_progress";  // by another attempt
inline constexpr std::string_view kNativeConflict = "native_conflict";  // a native operation has changed what the attempt relied on
inline constexpr std::string_view kSnapshotBehind = "snapshot_behind";  // it may miss what was acknowledged before it began
inline constexpr std::string_view kSnapshotConflict = "snapshot_conflict";  // what the attempt changes has been changed since its snapshot
inline constexpr std::string_view kWarrantyChanged = "warranty_changed";  // a result that the attempt has used is another one now
inline constexpr std::string_view kWarrantyOver = "warranty_over";  // the vote would be later than a warranty that the attempt has used
inline constexpr std::string_view kEpochMissed = "epoch_missed";  // no epoch has taken the attempt in time

}  // namespace errors

// The cause of an attempt's abort. A closed list from which the client's list is generated; docs/errors.md explains each.
namespace causes {

inline constexpr std::string_view kLockWait = "lock_wait";  // its time limit passed while it waited for a lock
inline constexpr std::string_view kWounded = errors::kWounded;
inline constexpr std::string_view kDeadlock = errors::kDeadlock;
inline constexpr std::string_view kDenied = errors::kDenied;
inline constexpr std::string_view kTimeout = "timeout";  // its time limit passed while it waited for no lock
inline constexpr std::string_view kIdle = "idle";  // it blocked others and was silent for too long
inline constexpr std::string_view kConditionChanged = errors::kConditionChanged;
inline constexpr std::string_view kChainBroken = errors::kChainBroken;
inline constexpr std::string_view kSessionLost = errors::kSessionLost;
inline constexpr std::string_view kDiskFull = errors::kDiskFull;
inline constexpr std::string_view kLogUnavailable = errors::kLogUnavailable;
inline constexpr std::string_view kClockSkew = errors::kClockSkew;
inline constexpr std::string_view kWrongShard = errors::kWrongShard;
inline constexpr std::string_view kOverloaded = errors::kOverloaded;
inline constexpr std::string_view kTransactionInProgress = errors::kTransactionInProgress;
inline constexpr std::string_view kNative = "native";  // a native operation has broken it
inline constexpr std::string_view kSnapshotBehind = errors::kSnapshotBehind;
inline constexpr std::string_view kSnapshotConflict = errors::kSnapshotConflict;
inline constexpr std::string_view kWarrantyWait = "warranty_wait";  // it waited for the end of a warranty
inline constexpr std::string_view kWarrantyChanged = errors::kWarrantyChanged;
inline constexpr std::string_view kWarrantyOver = errors::kWarrantyOver;
inline constexpr std::string_view kEpochMissed = errors::kEpochMissed;

}  // namespace causes

// Why a shard refuses changes: its entries cannot be made durable.
enum class LogTrouble : std::uint8_t { kNone, kDiskFull, kUnavailable };

// REQUIRES: `why` is not kNone.
// While a log is away, elections take seconds: attempts that follow one another closely would be used up before.
inline constexpr std::uint32_t kLogAwayRetryAfterMs = 100;

inline Error changes_refused(LogTrouble why) {
  const bool full = why == LogTrouble::kDiskFull;
  Error error = full ? refuse(errors::kDiskFull, "the shard's disk is full: it changes nothing until there is room", true)
                     : refuse(errors::kLogUnavailable, "the shard's log is unavailable: it changes nothing until the log is back", true);
  error.cause = full ? causes::kDiskFull : causes::kLogUnavailable;
  if (!full) error.retry_after_ms = kLogAwayRetryAfterMs;
  return error;
}

}  // namespace claret

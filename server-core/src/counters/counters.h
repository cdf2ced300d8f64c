// The counters of a shard. Bounded (bounds.h): labels and conflict pairs beyond the limits are counted together.
//
// Totals since the shard was created, watched or not. The folder telemetry/ has more detail while the shard is watched. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "adt/adt.h"
#include "counters/bounds.h"
#include "counters/conflict_pairs.h"
#include "counters/latency_histogram.h"
#include "counters/time_before.h"
#include "ground/errors.h"
#include "structure/text_hash.h"

namespace claret {

struct WaitTotal {
  std::uint64_t count = 0;
  double total_ms = 0;
};

// Plain sums. The keys are errors::, aborts::, waits:: and reasons:: constants.
struct Totals {
  std::uint64_t begun = 0;  // attempts
  std::uint64_t retries = 0;  // attempts that repeat a failed attempt, among `begun`
  std::uint64_t commits = 0;  // attempts
  std::uint64_t home_commits = 0;  // commits of transactions that began here, among `commits`: each transaction counts at one shard
  std::uint64_t denials = 0;  // requests denied because of a lock while phasing was off
  std::uint64_t operations = 0;
  std::uint64_t natives = 0;  // native operations executed, among `operations`
  std::uint64_t redis_commands = 0;  // of clients of the Redis door, for data
  std::uint64_t redis_forwarded = 0;  // of these, those that were sent on to other shards
  std::uint64_t native_breaks = 0;  // attempts that natives have ended
  std::uint64_t members = 0;  // attempts sent whole, in a chain, among `begun`
  std::uint64_t answered_again = 0;  // members executed again because one before them was taken out
  std::uint64_t chains_broken = 0;
  std::uint64_t batches = 0;  // attempts over several shards that consist of members, and voted here
  std::uint64_t batch_members = 0;  // members in these
  std::uint64_t stood_back = 0;  // of `batches`, those that took locks, since their outcomes did not come
  std::uint64_t turns = 0;  // to send members with parts at several shards, granted here
  std::uint64_t turns_timed_out = 0;  // of these, those that others waited for no longer
  double turn_kept_ms = 0;  // summed over the turns that have ended
  double turn_wait_ms = 0;  // from the wish for a turn to its grant, summed over `turns`
  std::uint64_t warranties = 0;  // issued
  std::uint64_t warranties_recalled = 0;  // since something waited for their end
  std::uint64_t grants = 0;  // of warranties, to sessions
  std::uint64_t grants_returned = 0;
  std::uint64_t grants_lapsed = 0;
  std::uint64_t firm_promises = 0;
  std::uint64_t expects = 0;  // results that were compared with what a client had used
  std::uint64_t expects_changed = 0;  // of these, those that differed
  std::uint64_t warranted_answers = 0;  // operations that warranties answered, as clients tell
  std::uint64_t warranted_commits = 0;  // transactions that committed without a message, likewise
  std::uint64_t epochs = 0;  // in which the shard has listed members
  std::uint64_t epochs_called_off = 0;  // of these
  std::uint64_t epoch_members = 0;  // attempts that committed in an epoch here
  std::uint64_t epoch_operations = 0;  // of these
  std::uint64_t epoch_contested = 0;  // times that a member was not listed, since locks were in its way
  std::uint64_t epoch_incomplete =
      0;  // times that a listed member was not committed: another shard had not listed it, or the epoch was called off
  // Reads of the past: those that took something back, how many changes in all, and at most in one; and those refused since it is not kept.
  std::uint64_t rollbacks = 0;
  std::uint64_t rollback_steps = 0;
  std::uint64_t rollback_steps_most = 0;
  std::uint64_t history_gone = 0;
  std::uint64_t snapshot_reads = 0;  // reads of the past for snapshot transactions
  double snapshot_age_ms = 0;  // from a snapshot to its read here, summed over these
  double snapshot_age_ms_most = 0;
  std::uint64_t snapshots_behind = 0;  // of these reads, those that might have missed something acknowledged before
  std::uint64_t frames_in = 0;
  std::uint64_t frames_out = 0;
  LatencyHistogram latencies;  // of home_commits, from the begin of the transaction, with earlier attempts
  TimeBefore before;  // parts of these latencies
  absl::btree_map<std::string_view, std::uint64_t> aborts;
  absl::btree_map<std::string_view, WaitTotal> waits;
  absl::btree_map<std::string_view, std::uint64_t> breaks;  // `chains_broken` by reason
  absl::btree_map<std::string_view, std::uint64_t> stand_backs;  // `stood_back` by reason

  // The increase since `before`.
  Totals since(const Totals& before) const;
};

// The cause of an attempt's end where no error code states it.
namespace aborts {
inline constexpr std::string_view kByClient = "aborted_by_client";
// A member's end: on its results its client makes other operations.
inline constexpr std::string_view kWithdrawn = "withdrawn";
}  // namespace aborts

// Why a claim or a native waits, judged at the beginning of its wait.
namespace waits {
inline constexpr std::string_view kLock = "lock_wait";  // for holders with which it does not commute
inline constexpr std::string_view kNative = "native_wait";  // of a native: for holders with which it does not commute
inline constexpr std::string_view kPhase =
    "phase_wait";  // for its turn: the phase has reached its cap, and older transactions wait; or a native does

inline constexpr std::string_view kTurn = "turn";  // of a member: for other chains

inline constexpr std::string_view kEpoch = "epoch_wait";  // for a member of an epoch, which has voted

inline constexpr std::string_view kWarranty = "warranty_wait";  // for the end of a warranty, or of the quarantine after a start

// `claim`: as it was when its wait began.
inline std::string_view cause(const auto& claim) {
  if (claim.began_asleep) return kWarranty;
  if (claim.began_behind_epoch) return kEpoch;
  return claim.began_held_back ? kPhase : kLock;
}
}  // namespace waits

// Why a chain broke, or why a batch stood back: a closed list. docs/errors.md explains each.
namespace reasons {
inline constexpr std::string_view kDisplaced = "displaced";  // it kept a member of an earlier turn waiting
inline constexpr std::string_view kKeptWaiting = "kept_waiting";  // it kept others waiting for too long
inline constexpr std::string_view kNewerChain = "newer_chain";  // its client has begun another one, since it broke elsewhere
inline constexpr std::string_view kWordRefused = "word_refused";  // a word did not name the chain's first undecided members as they are
inline constexpr std::string_view kBatchRefused = "batch_refused";  // a batch did not, or could not vote
inline constexpr std::string_view kBatchAborted = "batch_aborted";  // its members stood on a batch that aborted
inline constexpr std::string_view kStoodBack = "stood_back";  // its members stood on a batch that stood back
inline constexpr std::string_view kOutOfOrder = "out_of_order";  // a member came out of order
inline constexpr std::string_view kAbandoned = "abandoned";  // of a batch: its client has given it up
inline constexpr std::string_view kAskedAbout = "asked_about";  // of a batch: it has stood back at another shard
inline constexpr std::string_view kExpired = errors::kExpired;  // of a batch: its time is over
inline constexpr std::string_view kSessionLost = errors::kSessionLost;
inline constexpr std::string_view kSlotsMoved = "slots_moved";  // a record of it was to move to another shard
inline constexpr std::string_view kOverloaded = errors::kOverloaded;
inline constexpr std::string_view kConditionChanged = errors::kConditionChanged;
inline constexpr std::string_view kDiskFull = errors::kDiskFull;
inline constexpr std::string_view kLogUnavailable = errors::kLogUnavailable;
}  // namespace reasons

// The label of natives in conflicts and waits.
inline constexpr std::uint32_t kNativeLabel = 1;
// The label of those who rely on warranties.
inline constexpr std::uint32_t kWarrantyLabel = 2;

class Counters {
 public:
  // The label's number; 0 stands for all labels beyond kLabelsMax.
  std::uint32_t label_number(std::string_view label);
  // The reference stays valid.
  const std::string& label(std::uint32_t number) const { return labels_[number]; }

  void abort(std::string_view code) { ++totals.aborts[code]; }
  void wait(std::string_view cause, double ms) {
    WaitTotal& total = totals.waits[cause];
    ++total.count;
    total.total_ms += ms;
  }

  Totals totals;
  ConflictPairs conflicts{telemetry::kConflictPairsMax};

 private:
  std::deque<std::string> labels_{"(other)", "(native)", "(warranty)"};
  absl::flat_hash_map<std::string, std::uint32_t, TextHash, std::equal_to<>> label_numbers_;
};

}  // namespace claret

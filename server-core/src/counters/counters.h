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
#include "counters/total_name.h"
#include "ground/errors.h"
#include "structure/text_hash.h"

namespace claret {

struct WaitTotal {
  std::uint64_t count = 0;
  double total_ms = 0;
};

// Plain sums (counters.def), and sums by word, whose keys are errors::, aborts::, waits:: and reasons:: constants.
struct Totals {
#define COUNT(name, frames, meaning) std::uint64_t name = 0;
#define TIME(name, frames, meaning) double name = 0;
#define MOST(name, meaning) std::uint64_t name = 0;
#define MOST_TIME(name, meaning) double name = 0;
#include "counters/counters.def"

  LatencyHistogram latencies;  // of home_commits, from the begin of the transaction, with earlier attempts
  TimeBefore before;  // parts of these latencies
  absl::btree_map<std::string_view, std::uint64_t> aborts;
  absl::btree_map<std::string_view, WaitTotal> waits;
  absl::btree_map<std::string_view, std::uint64_t> breaks;  // `chains_broken` by reason
  absl::btree_map<std::string_view, std::uint64_t> stand_backs;  // `stood_back` by reason

  // The increase since `before`. The most of something stays what it is.
  Totals since(const Totals& before) const;

  // Calls each(name, value, in_frames) for every plain sum, with the name that JavaScript has: "turnKeptMs".
  template <typename Each>
  void for_each_sum(const Each& each) const {
#define COUNT(name, frames, meaning) each(TotalName(#name).view(), name, frames);
#define TIME(name, frames, meaning) each(TotalName(#name).view(), name, frames);
#define MOST(name, meaning) each(TotalName(#name).view(), name, false);
#define MOST_TIME(name, meaning) each(TotalName(#name).view(), name, false);
#include "counters/counters.def"
  }
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
  absl::flat_hash_map<std::string, std::uint32_t, TextHash, std::equal_to<>> label_numbers_;  // never iterated
};

}  // namespace claret

// Sampled attempts, told as slices: when each request came, what became of each of its operations, how it ended.
//
// Commits: one in 2^n, chosen by the transaction's priority, so that every shard that takes part chooses the same, and of a
// transaction all attempts; n is adjusted so that a frame gets some of them. Aborts: all, up to kAbortsShown in a frame;
// those that were not chosen before are put together from what the shard still knows of them when they end.
//
// Nobody is told how an attempt ended before the entries of the log are durable that this may rest on. Thread safety: none needed.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"
#include "transaction/attempt.h"

namespace claret {

class Samples {
 public:
  explicit Samples(const Counters& counters) : counters_(counters) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // Sets `traced` where the attempt is chosen; the others below are for such attempts.
  void begun(Attempt& attempt) {
    if (chosen(attempt.priority)) trace(attempt);
  }
  void joined(const Attempt& attempt);
  // Its oldest request has been tried. `refused`: the operation that cannot be done, or null.
  void tried(const Request& request, const Visit* refused, bool denied, const LockRule& rule);
  // Any party's.
  void waited(const Claim& claim, double ms);
  void voted(const Attempt& attempt);

  // Of any attempt, before it lets go of anything. `needs`: a position in the log, no smaller than in the call before.
  void committed(const Attempt& attempt, std::uint64_t needs);
  void aborted(const Attempt& attempt, std::string_view code, std::string_view cause, const LockRule& rule, std::uint64_t needs);
  // Gone; nothing to be told of it.
  void forget(const Attempt& attempt) { traces_.erase(attempt.serial); }

  std::size_t traces() const { return traces_.size(); }
  // Those that have ended and were not taken, as far as the log is durable, into the frame.
  void take(TelemetryFrame& frame, std::uint64_t durable);

 private:
  bool chosen(std::uint64_t priority) const { return ((priority ^ priority >> 32) * 0x9e3779b97f4a7c15ull >> 40 & mask_) == 0; }
  void trace(Attempt& attempt);
  Sample start(const Attempt& attempt, bool traced) const;
  // Null where the attempt has no room for another operation.
  OperationSlice* add(Sample& sample, const Visit& visit, double at_ms) const;
  void blame(OperationSlice& slice, const Claim& claim, const LockRule& rule) const;
  void reconstruct(Sample& sample, const Attempt& attempt, const LockRule& rule) const;
  Sample* find(const Party& party);

  const Counters& counters_;
  absl::flat_hash_map<std::uint64_t, Sample> traces_;  // by serial; only asked, never walked
  std::vector<Sample> ended_;
  std::size_t commits_ = 0;  // of ended_
  std::uint64_t commits_left_out_ = 0;
  std::uint64_t aborts_left_out_ = 0;
  std::uint64_t mask_ = 0;  // 2^n - 1
  double now_ms_ = 0;
};

}  // namespace claret

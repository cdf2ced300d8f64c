// Sampled attempts, reported as slices: when each request arrived, the result of each of its operations, and how the attempt ended.
//
// Commits: one in 2^n, chosen by the transaction's priority, so that every participating shard chooses the same transactions, with all
// their attempts; n is adjusted so that a frame gets some of them. Aborts: all, up to kAbortsShown in a frame; an attempt that was not
// chosen is reconstructed, when it aborts, from what the shard still has of it.
//
// The end of an attempt is reported only once every log entry that it may depend on is durable. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"
#include "transaction/chain.h"

namespace claret {

class Samples {
 public:
  explicit Samples(const Counters& counters) : counters_(counters) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // Sets `traced` if the attempt is chosen. The calls below are for traced attempts, unless they say otherwise.
  void begun(Attempt& attempt) {
    if (chosen(attempt.priority)) trace(attempt);
  }
  // The attempt's oldest request has been tried. `refused`: the operation that was refused, or null.
  void tried(const Request& request, const Visit* refused, bool denied, const LockRule& rule);
  // For claims of any party.
  void waited(const Claim& claim, double ms);
  // The member was executed ahead of its commit.
  void ran(const Member& member, double waited_ms);
  void voted(const Attempt& attempt);
  // The member votes, in a batch of so many.
  void batched(const Attempt& member, std::size_t members);
  void stood_back(const Attempt& member, std::string_view reason);

  // For any attempt, before it releases anything. `needs`: a position in the log, no smaller than in the previous call.
  void committed(const Attempt& attempt, std::uint64_t needs);
  void aborted(const Attempt& attempt, std::string_view code, std::string_view cause, const LockRule& rule, std::uint64_t needs);
  // The attempt is gone, with nothing to report.
  void forget(const Attempt& attempt) { traces_.erase(attempt.serial); }

  std::size_t traces() const { return traces_.size(); }
  // Moves the attempts that have ended, as far as the log is durable, into the frame.
  void take(TelemetryFrame& frame, std::uint64_t durable);

 private:
  bool chosen(std::uint64_t priority) const { return ((priority ^ priority >> 32) * 0x9e3779b97f4a7c15ull >> 40 & mask_) == 0; }
  void trace(Attempt& attempt);
  Sample start(const Attempt& attempt, bool traced) const;
  // Null if the attempt's list of operations is full.
  OperationSlice* add(Sample& sample, const Visit& visit, double at_ms) const;
  void blame(OperationSlice& slice, const Claim& claim, const LockRule& rule) const;
  void reconstruct(Sample& sample, const Attempt& attempt, const LockRule& rule) const;
  Sample* find(const Party& party);

  const Counters& counters_;
  absl::flat_hash_map<std::uint64_t, Sample> traces_;  // by serial; looked up, never iterated
  std::vector<Sample> ended_;
  std::size_t commits_ = 0;  // commits in ended_
  std::uint64_t commits_left_out_ = 0;
  std::uint64_t aborts_left_out_ = 0;
  std::uint64_t mask_ = 0;  // 2^n - 1
  double now_ms_ = 0;
};

}  // namespace claret

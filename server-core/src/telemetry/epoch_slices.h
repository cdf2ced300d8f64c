// EpochSlices: the epochs of this shard, for the time axis. There may be hundreds a second: those that begin in the same cell of time become one
// slice. The cells of a frame grow until its slices find room. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "telemetry/frame.h"
#include "transaction/witness.h"

namespace claret {

class EpochSlices {
 public:
  void ended(const EndedEpoch& epoch);
  // Moves what has ended since the last frame into the frame.
  void take(TelemetryFrame& frame);

 private:
  struct Slice {
    ShownEpochs shown;
    double closed_ms;  // the first close
  };

  void add(Slice slice);
  void widen_cells();

  std::vector<Slice> slices_;
  double cell_ms_ = telemetry::kEpochCellMs;
  std::uint64_t left_out_ = 0;
};

}  // namespace claret

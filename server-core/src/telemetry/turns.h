// Turns: the turns that this shard has granted (shard/sequencer.h), for the time axis.
//
// There may be thousands a second. Those of one session that are short, and end in the same cell of time, become one *slice*. Slices do not
// overlap: in a cell they lie side by side, so each has as much of the time as its session had. The cells of a frame grow until its
// slices find room. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "telemetry/frame.h"

namespace claret {

// A turn, as the sequencer knows it.
struct KeptTurn {
  std::string_view session;  // its name
  std::uint32_t peer;
  double began_ms;
  std::size_t waiting;  // the most that waited for it at once
  bool recalled;
};

class Turns {
 public:
  void ended(const KeptTurn& turn, bool timed_out, double now_ms);

  // Moves what has ended since the last frame into the frame. `current`: the turn that goes on.
  void take(TelemetryFrame& frame, const std::optional<KeptTurn>& current);

 private:
  // A turn or several, with the time of its last end.
  struct Slice {
    ShownTurns shown;
    double began_ms;
    double ended_ms;
  };

  void add(Slice slice);
  void widen_cells();

  std::vector<Slice> slices_;
  std::size_t cell_begin_ = 0;  // the first slice of the current cell
  double cell_end_ms_ = 0;
  double cell_ms_ = telemetry::kTurnCellMs;
  std::uint64_t left_out_ = 0;
};

}  // namespace claret

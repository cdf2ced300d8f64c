#include "telemetry/turns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claret {

namespace {

ShownTurns shown(const KeptTurn& turn, double length_ms) {
  return {.session = shown_session(turn.session),
          .peer = turn.peer,
          .length_ms = length_ms,
          .turns = 1,
          .waiting = turn.waiting,
          .recalled = turn.recalled ? 1u : 0u};
}

}  // namespace

void Turns::ended(const KeptTurn& turn, bool timed_out, double now_ms) {
  Slice slice{shown(turn, now_ms - turn.began_ms), turn.began_ms, now_ms};
  if (timed_out) slice.shown.timed_out = 1;
  add(std::move(slice));
}

void Turns::add(Slice slice) {
  if (slice.ended_ms >= cell_end_ms_) {
    cell_begin_ = slices_.size();
    cell_end_ms_ = (std::floor(slice.ended_ms / cell_ms_) + 1) * cell_ms_;
  }
  const bool is_long = slice.shown.turns == 1 && slice.shown.length_ms >= cell_ms_ / 2;
  const auto begin = slices_.begin() + static_cast<std::ptrdiff_t>(cell_begin_);
  const auto same = std::find_if(begin, slices_.end(), [&](const Slice& one) { return one.shown.peer == slice.shown.peer; });
  if (is_long || same == slices_.end()) {
    if (slices_.size() == telemetry::kTurnSlicesShown) {
      if (cell_ms_ >= telemetry::kTurnCellMsMax) {
        left_out_ += slice.shown.turns;
        return;
      }
      widen_cells();
      return add(std::move(slice));
    }
    slices_.push_back(std::move(slice));
    if (is_long) cell_begin_ = slices_.size();
    return;
  }
  same->ended_ms = slice.ended_ms;
  same->shown.length_ms += slice.shown.length_ms;
  same->shown.turns += slice.shown.turns;
  same->shown.waiting = std::max(same->shown.waiting, slice.shown.waiting);
  same->shown.recalled += slice.shown.recalled;
  same->shown.timed_out += slice.shown.timed_out;
}

void Turns::widen_cells() {
  cell_ms_ *= 2;
  cell_end_ms_ = 0;
  for (Slice& slice : std::exchange(slices_, {})) add(std::move(slice));
}

void Turns::take(TelemetryFrame& frame, const std::optional<KeptTurn>& current) {
  double free_ms = 0;  // the end of the slice before
  for (Slice& slice : slices_) {
    const double began_ms = std::max(slice.began_ms, free_ms);
    free_ms = began_ms + slice.shown.length_ms;
    slice.shown.began_ago_ms = frame.monotonic_ms - began_ms;
    frame.turns.push_back(std::move(slice.shown));
  }
  slices_.clear();
  cell_end_ms_ = 0;
  cell_ms_ = telemetry::kTurnCellMs;
  frame.turns_left_out = std::exchange(left_out_, 0);
  if (!current) return;
  frame.turn = shown(*current, frame.monotonic_ms - current->began_ms);
  frame.turn->began_ago_ms = frame.turn->length_ms;
}

}  // namespace claret

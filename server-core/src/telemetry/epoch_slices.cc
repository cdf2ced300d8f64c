#include "telemetry/epoch_slices.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claret {

namespace {

void add_up(ShownEpochs& sum, const ShownEpochs& one) {
  sum.manager = one.manager;
  sum.gather_ms = std::max(sum.gather_ms, one.gather_ms);
  sum.list_ms += one.list_ms;
  sum.held_ms += one.held_ms;
  sum.turn_ms += one.turn_ms;
  sum.epochs += one.epochs;
  sum.reads += one.reads;
  sum.writes += one.writes;
  sum.read_operations += one.read_operations;
  sum.write_operations += one.write_operations;
  sum.came_back += one.came_back;
  sum.called_off += one.called_off;
  for (const std::uint32_t shard : one.late) {
    if (std::find(sum.late.begin(), sum.late.end(), shard) == sum.late.end()) sum.late.push_back(shard);
  }
}

}  // namespace

void EpochSlices::ended(const EndedEpoch& epoch) {
  add({{.manager = epoch.manager,
        .gather_ms = epoch.closed_ms - epoch.gathered_ms,
        .list_ms = epoch.listed_ms - epoch.closed_ms,
        .held_ms = epoch.decided_ms - epoch.listed_ms,
        .turn_ms = epoch.ended_ms - epoch.decided_ms,
        .epochs = 1,
        .reads = epoch.reads,
        .writes = epoch.writes,
        .read_operations = epoch.read_operations,
        .write_operations = epoch.write_operations,
        .came_back = epoch.came_back,
        .called_off = epoch.called_off ? 1u : 0u,
        .late = epoch.late},
       epoch.closed_ms});
}

void EpochSlices::add(Slice slice) {
  const auto cell_of = [&](double ms) { return std::floor(ms / cell_ms_); };
  const auto same =
      std::find_if(slices_.rbegin(), slices_.rend(), [&](const Slice& one) { return cell_of(one.closed_ms) == cell_of(slice.closed_ms); });
  if (same != slices_.rend()) {
    same->closed_ms = std::min(same->closed_ms, slice.closed_ms);
    add_up(same->shown, slice.shown);
    return;
  }
  if (slices_.size() < telemetry::kEpochSlicesShown) {
    slices_.push_back(std::move(slice));
  } else if (cell_ms_ < telemetry::kEpochCellMsMax) {
    widen_cells();
    add(std::move(slice));
  } else {
    left_out_ += slice.shown.epochs;
  }
}

void EpochSlices::widen_cells() {
  cell_ms_ *= 2;
  for (Slice& slice : std::exchange(slices_, {})) add(std::move(slice));
}

void EpochSlices::take(TelemetryFrame& frame) {
  std::sort(slices_.begin(), slices_.end(), [](const Slice& one, const Slice& other) { return one.closed_ms < other.closed_ms; });
  for (Slice& slice : slices_) {
    slice.shown.closed_ago_ms = frame.monotonic_ms - slice.closed_ms;
    frame.epochs.push_back(std::move(slice.shown));
  }
  slices_.clear();
  cell_ms_ = telemetry::kEpochCellMs;
  frame.epochs_left_out = std::exchange(left_out_, 0);
}

}  // namespace claret

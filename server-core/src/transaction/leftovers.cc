#include "transaction/leftovers.h"

#include <algorithm>
#include <utility>

#include "ground/check.h"

namespace claret {

void Leftovers::add(const SlotRun& slots, std::uint64_t position) {
  runs_.push_back({slots, position});
  sweeps_answers_ = true;
  deduplication_.begin_sweep();
}

bool Leftovers::overlap(const SlotRun& slots) const {
  if (rest_ != nullptr && rest_slots_.overlaps(slots)) return true;
  return std::any_of(runs_.begin(), runs_.end(), [&](const Emptied& one) { return one.slots.overlaps(slots); });
}

void Leftovers::remove(Record& record, std::uint64_t position) {
  CLARET_CHECK(record.pins == 0 && !record.queued);
  checkpoint_.replacing(record);
  records_.vanish(record);
  checkpoint_.changed(record, position);
}

void Leftovers::step(std::size_t records_max) {
  for (std::size_t left = records_max; left > 0; --left) {
    if (rest_ != nullptr) {
      Record& record = *std::exchange(rest_, rest_->next_in_slot);
      if (is_left(record)) {
        remove(record, rest_position_);
      } else {
        records_.link(record);
      }
      continue;
    }
    if (runs_.empty()) break;
    Emptied& run = runs_.front();
    rest_position_ = run.position;
    rest_slots_ = {run.slots.first, run.slots.first};
    rest_ = records_.unlink_all(run.slots.first);
    if (run.slots.first++ == run.slots.last) runs_.pop_front();
  }
  if (sweeps_answers_) sweeps_answers_ = deduplication_.sweep([this](std::uint32_t slot) { return moves_.keeps(slot); });
}

std::optional<std::string> Leftovers::restored(std::uint64_t position) {
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    if (records_.newest_in(slot) == nullptr) continue;
    if (moves_.slots().emptied_at(slot) != 0) {
      for (Record* next = records_.unlink_all(slot); next != nullptr;) {
        Record& record = *std::exchange(next, next->next_in_slot);
        if (is_left(record)) {
          remove(record, position);
        } else {
          records_.link(record);
        }
      }
    }
    if (const Record* record = records_.newest_in(slot); record != nullptr && !moves_.keeps(slot)) {
      return "the shard does not own the slot of record " + record->key;
    }
  }
  if (moves_.position() == 0) return std::nullopt;
  deduplication_.begin_sweep();
  while (deduplication_.sweep([this](std::uint32_t slot) { return moves_.keeps(slot); })) {
  }
  return std::nullopt;
}

}  // namespace claret

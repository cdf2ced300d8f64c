#include "transaction/slot_table.h"

#include <algorithm>

namespace claret {

SlotTable::SlotTable(const ShardPlace& place) : place_(place) {
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) set_owned(slot, was_dealt(slot));
}

bool SlotTable::owns(const SlotRun& run) const {
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) {
    if (!owned_[slot]) return false;
  }
  return true;
}

bool SlotTable::owns_none(const SlotRun& run) const {
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) {
    if (owned_[slot]) return false;
  }
  return true;
}

std::uint32_t SlotTable::version(const SlotRun& run) const {
  std::uint32_t greatest = 0;
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) greatest = std::max(greatest, version(slot));
  return greatest;
}

std::vector<SlotTable::Known>& SlotTable::known() {
  if (known_.empty()) known_.resize(kSlots);
  return known_;
}

void SlotTable::set_owned(std::uint32_t slot, bool owned) {
  if (owned_[slot] == owned) return;
  owned_[slot] = owned;
  owned_count_ = owned ? owned_count_ + 1 : owned_count_ - 1;
  if (!was_dealt(slot)) taken_count_ = owned ? taken_count_ + 1 : taken_count_ - 1;
}

void SlotTable::own(const SlotRun& run, std::uint32_t version) {
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) {
    set_owned(slot, true);
    known()[slot].version = version;
  }
}

void SlotTable::disown(const SlotRun& run, std::uint32_t version) {
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) {
    set_owned(slot, false);
    known()[slot].version = version;
  }
}

void SlotTable::empty(const SlotRun& run, std::uint64_t position) {
  for (std::uint32_t slot = run.first; slot <= run.last; ++slot) known()[slot].emptied_at = position;
}

SlotSpan SlotTable::about(std::uint32_t slot) const { return {{slot, slot}, owned_[slot], version(slot), emptied_at(slot)}; }

std::vector<SlotSpan> SlotTable::spans() const {
  std::vector<SlotSpan> spans;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const SlotSpan one = about(slot);
    const bool goes_on = !spans.empty() && spans.back().owned == one.owned && spans.back().version == one.version &&
                         spans.back().emptied_at == one.emptied_at;
    if (goes_on) {
      spans.back().slots.last = slot;
    } else {
      spans.push_back(one);
    }
  }
  return spans;
}

void SlotTable::restore(const std::vector<SlotSpan>& spans) {
  for (const SlotSpan& span : spans) {
    if (span.owned) {
      own(span.slots, span.version);
    } else {
      disown(span.slots, span.version);
    }
    empty(span.slots, span.emptied_at);
  }
}

std::vector<OwnedRun> SlotTable::runs() const {
  std::vector<OwnedRun> runs;
  for (const SlotSpan& span : spans()) {
    if (!span.owned) continue;
    const bool goes_on = !runs.empty() && runs.back().slots.last + 1 == span.slots.first && runs.back().version == span.version;
    if (goes_on) {
      runs.back().slots.last = span.slots.last;
    } else {
      runs.push_back({span.slots, span.version});
    }
  }
  return runs;
}

}  // namespace claret

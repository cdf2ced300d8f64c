// A drain: a run of slots of which the records are to be held by nobody, since another shard gets them (docs/decisions/0033-slots-that-move.md).
//
// The parties that held some of them when the drain began are *inside*. They pass all queues of these records, so that they end soon. All
// others wait at the gates; those that only observe and hold nothing pass, since they are over at once. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>

#include "gate/gate.h"
#include "ground/slots.h"

namespace claret {

struct Drain {
  bool on = false;
  SlotRun slots;
  absl::flat_hash_set<std::uint64_t> inside;  // serials; looked up, never iterated

  bool covers(const Record& record) const { return covers(record.slot); }
  bool covers(std::uint32_t slot) const { return on && slots.contains(slot); }
  bool is_inside(const Party& party) const { return inside.contains(party.serial); }
};

}  // namespace claret

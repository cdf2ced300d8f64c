// Keys map to 16,384 slots as in Redis Cluster (CRC16 of the key, or of its {tag}). Slots are dealt to shards in equal runs; later they may
// move (transaction/slot_table.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "ground/identifiers.h"

namespace claret {

inline constexpr std::uint32_t kSlots = 16384;

std::uint32_t slot_of(std::string_view key);

// The slot of the transaction's home shard.
inline std::uint32_t slot_of(const TransactionId& id) { return static_cast<std::uint32_t>(id[0] << 8 | id[1]) % kSlots; }

// The shard to which the slot was dealt at first.
inline std::uint32_t shard_of_slot(std::uint32_t slot, std::uint32_t shards) { return slot * shards / kSlots; }

// The slots from `first` to `last`.
struct SlotRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  bool contains(std::uint32_t slot) const { return first <= slot && slot <= last; }
  bool overlaps(const SlotRun& other) const { return first <= other.last && other.first <= last; }
  bool valid() const { return first <= last && last < kSlots; }
  bool operator==(const SlotRun&) const = default;
};

}  // namespace claret

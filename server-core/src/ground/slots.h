// Keys map to 16,384 slots as in Redis Cluster (CRC16 of the key, or of its {tag}), and slots to shards in equal ranges.
#pragma once

#include <cstdint>
#include <string_view>

namespace claret {

inline constexpr std::uint32_t kSlots = 16384;

std::uint32_t slot_of(std::string_view key);

inline std::uint32_t shard_of_slot(std::uint32_t slot, std::uint32_t shards) { return slot * shards / kSlots; }

}  // namespace claret

// The names that shards give to things: who takes part, when it took effect.
#pragma once

#include <absl/container/inlined_vector.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace claret {

// ticks . shard (clock.h); 0: none.
using Timestamp = std::uint64_t;

inline constexpr std::size_t kIdBytes = 16;

// One try of a transaction.
using AttemptId = std::array<unsigned char, kIdBytes>;
// A transaction that is safe to send again; all its attempts carry it.
using TransactionId = std::array<unsigned char, kIdBytes>;

// Shards that take part in an attempt.
using ShardList = absl::InlinedVector<std::uint32_t, 4>;

// A shard, and how many there are.
struct ShardPlace {
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

}  // namespace claret

// Identifiers of attempts, transactions, shards and timestamps.
#pragma once

#include <absl/container/inlined_vector.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace claret {

// ticks . shard (clock.h); 0: none.
using Timestamp = std::uint64_t;

inline constexpr std::size_t kIdBytes = 16;

// A single try of a transaction.
using AttemptId = std::array<unsigned char, kIdBytes>;
// A transaction that is safe to send again; all its attempts carry this id.
using TransactionId = std::array<unsigned char, kIdBytes>;

// A moment at which all members of an epoch hold all their records (transaction/epochs.h): the managing shard in the 8 highest bits, then 24 of its
// incarnation, then a counter, which may run on into them. 0: none.
using EpochNumber = std::uint64_t;

constexpr EpochNumber epoch_number(std::uint32_t manager, std::uint64_t incarnation, std::uint64_t count) {
  return EpochNumber{manager} << 56U | ((incarnation << 32U) + count) % (EpochNumber{1} << 56U);
}
constexpr std::uint32_t manager_of(EpochNumber epoch) { return static_cast<std::uint32_t>(epoch >> 56U); }
// Compares two numbers of one manager. A manager's numbers start over when its incarnations have used up their bits.
constexpr bool is_later(EpochNumber epoch, EpochNumber than) { return static_cast<std::int64_t>((epoch - than) << 8U) > 0; }

// The shards that take part in an attempt.
using ShardList = absl::InlinedVector<std::uint32_t, 4>;

// A shard's number, and the number of shards among which the slots were dealt at first. A shard with a greater number joined later.
struct ShardPlace {
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

}  // namespace claret

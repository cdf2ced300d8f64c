// Limits of a peer's input, in one place. docs/wire-format.md repeats these numbers; the gateway checks the sizes of frames.
#pragma once

#include <cstddef>
#include <cstdint>

namespace claret::limits {

inline constexpr std::uint32_t kProtocol = 1;
// A gateway may take longer frames, but never refuses one up to this: clients rely on it. It has room for the longest operation with all
// that a client sends beside it.
inline constexpr std::size_t kFrameBytesMax = 2 * 1024 * 1024;
inline constexpr std::size_t kArgumentsBytesMax = 1024 * 1024;  // the texts of all arguments of an operation together
inline constexpr std::size_t kKeyBytesMax = 1024;
inline constexpr std::size_t kLabelBytesMax = 64;
inline constexpr std::size_t kAnswerBytesMax = 64 * 1024;
inline constexpr std::uint32_t kKeepMsDefault = 600'000;
inline constexpr std::uint32_t kKeepMsMax = 86'400'000;
inline constexpr std::size_t kOperationsPerRequestMax = 4096;
inline constexpr std::size_t kOperationsPerAttemptMax = 65536;
inline constexpr std::size_t kOperationsPerRecordMax = 8192;
// A reserving operation (escrow) is judged with all that its transaction already does on the record, so the cost is quadratic in their
// number.
inline constexpr std::size_t kOperationsPerRecordMaxReserving = 1024;
inline constexpr std::size_t kRequestsQueuedPerAttemptMax = 1024;
inline constexpr std::size_t kAttemptsPerSessionMax = 65536;
inline constexpr std::size_t kWatchesPerSessionMax = 65536;
// ---- chains
inline constexpr std::size_t kOperationsPerMemberMax = 256;
inline constexpr std::size_t kEntriesPerRunMax = 1024;
inline constexpr std::size_t kMembersPerChainMax = 65536;
// At one shard. A batch may have to take locks on all that it did, as one attempt: see the limits above.
inline constexpr std::size_t kOperationsPerBatchMax = 4096;
static_assert(kOperationsPerBatchMax <= kOperationsPerRecordMax && kEntriesPerRunMax <= kOperationsPerRecordMaxReserving);

// ---- warranties
inline constexpr std::size_t kWarrantiesPerRecordMax = 16;
inline constexpr std::size_t kGrantsPerSessionMax = 65536;
inline constexpr std::size_t kWarrantyBytesMax = 16 * 1024;  // of the result
inline constexpr double kNotBeforeAheadMsMax = 60'000;  // of the shard's clock
inline constexpr std::size_t kSnapshotComparisonsMax = 65'536;  // of an attempt's changes with what has changed since its snapshot
inline constexpr double kSnapshotAheadMsMax = 5'000;  // likewise: a clock that is wrong must not carry others away

// ---- epochs: gathered at a shard
inline constexpr std::size_t kEpochMembersMax = 65536;
inline constexpr std::size_t kEpochOperationsMax = 262144;

inline constexpr std::size_t kNativesWaitingMax = 8192;  // at a shard
inline constexpr std::size_t kNativesWaitingPerSessionMax = 1024;
inline constexpr std::size_t kParticipantsMax = 256;
inline constexpr int kValueDepthMax = 4;
inline constexpr std::uint32_t kAttemptExpiryMsDefault = 60'000;
inline constexpr std::uint32_t kAttemptExpiryMsMax = 600'000;

}  // namespace claret::limits

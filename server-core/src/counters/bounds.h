// How much a shard tells of itself, and what it keeps for that. Nothing in telemetry/ grows beyond these; what finds no
// room is counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace claret::telemetry {

// Kept always, since the shard was made.
inline constexpr std::size_t kLabelsMax = 1024;
inline constexpr std::size_t kConflictPairsMax = 4096;

// Kept while somebody watches, from frame to frame.
inline constexpr std::size_t kHotRecordsTracked = 128;
inline constexpr std::size_t kPhaseEventsMax = 256;
inline constexpr std::size_t kFrameConflictPairsMax = 256;
inline constexpr std::size_t kTracesMax = 64;  // sampled attempts under way

// Told in one frame.
inline constexpr std::size_t kHotRecordsShown = 32;
inline constexpr std::size_t kConflictPairsShown = 48;
inline constexpr std::size_t kWaitersShown = 24;
inline constexpr std::size_t kBlockersShown = 4;
inline constexpr std::size_t kAbortsShown = 8;
inline constexpr std::size_t kCommitsShown = 4;
inline constexpr std::size_t kSliceOperationsMax = 24;  // of one sampled attempt
inline constexpr std::size_t kShownKeyBytesMax = 96;

// Most frames are no longer, as JSON.
inline constexpr std::size_t kFrameBytesUsual = 32 * 1024;

// Looked at for one frame.
inline constexpr std::size_t kWaitingClaimsSearched = 4096;  // for the longest waits; of the attempts in order of arrival
inline constexpr std::size_t kHoldersSearched = 1024;  // for the blockers of one waiter
inline constexpr std::size_t kWaitersCounted = 4096;  // by mode, of one record

// Heat, by which records are ranked: one for each operation, this much for each conflict, halved in this time.
inline constexpr double kConflictHeat = 16;
inline constexpr double kHeatHalfLifeMs = 10'000;
// A record that has cooled down to this is no longer tracked.
inline constexpr double kHeatMin = 1;
// Of the operations on records that are not tracked one in so many is looked at, and stands for all of them. The gap
// varies between half of it and one and a half of it.
inline constexpr std::uint32_t kSampledGap = 128;

// One commit in so many is sampled at least: a power of two, adjusted so that a frame gets some and not many more than it
// can show.
inline constexpr std::uint64_t kSampledOneInMax = 1 << 24;  // as many as samples.h draws

}  // namespace claret::telemetry

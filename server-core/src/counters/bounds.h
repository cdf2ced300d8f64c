// Bounds of a shard's telemetry: of what is kept, and of what a frame reports. Nothing in telemetry/ grows beyond them; items that do not
// fit are counted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace claret::telemetry {

// Kept always, from the shard's creation on.
inline constexpr std::size_t kLabelsMax = 1024;
inline constexpr std::size_t kConflictPairsMax = 4096;

// Kept from frame to frame while the shard is watched.
inline constexpr std::size_t kHotRecordsTracked = 128;
inline constexpr std::size_t kPhaseEventsMax = 256;
inline constexpr std::size_t kWarrantyEventsMax = 64;
inline constexpr std::size_t kFrameConflictPairsMax = 256;
inline constexpr std::size_t kTracesMax = 64;  // sampled attempts in flight

// Reported in one frame.
inline constexpr std::size_t kHotRecordsShown = 32;
inline constexpr std::size_t kConflictPairsShown = 48;
inline constexpr std::size_t kWaitersShown = 24;
inline constexpr std::size_t kTurnSlicesShown = 48;
inline constexpr std::size_t kEpochSlicesShown = 48;
inline constexpr std::size_t kBlockersShown = 4;
inline constexpr std::size_t kStandingShown = 4;  // warranties of one record
inline constexpr std::size_t kAbortsShown = 8;
inline constexpr std::size_t kCommitsShown = 4;
inline constexpr std::size_t kSliceOperationsMax = 24;  // of one sampled attempt
inline constexpr std::size_t kShownKeyBytesMax = 96;

// Usual upper limit of a frame's size, as JSON.
inline constexpr std::size_t kFrameBytesUsual = 32 * 1024;

// Examined for one frame.
inline constexpr std::size_t kWaitingClaimsSearched = 4096;  // for the longest waits; of the attempts in order of arrival
inline constexpr std::size_t kHoldersSearched = 1024;  // for the blockers of one waiter
inline constexpr std::size_t kWaitersCounted = 4096;  // by mode, of one record

// Short turns that end within such a time are told together. It doubles up to the maximum, as long as there is no room.
inline constexpr double kTurnCellMs = 8;
inline constexpr double kTurnCellMsMax = 4096;

// Epochs that begin within such a time are told together; likewise.
inline constexpr double kEpochCellMs = 8;
inline constexpr double kEpochCellMsMax = 4096;

// Heat, by which records are ranked: 1 for each operation, kConflictHeat for each conflict, halved every kHeatHalfLifeMs.
inline constexpr double kConflictHeat = 16;
inline constexpr double kHeatHalfLifeMs = 10'000;
// A record that has cooled down to this is no longer tracked.
inline constexpr double kHeatMin = 1;
// Sampling of operations on untracked records: one in kSampledGap is sampled and stands for all of them. The gap varies between half and
// one and a half times this number.
inline constexpr std::uint32_t kSampledGap = 128;

// At least one commit in kSampledOneInMax is sampled. The rate is a power of two, adjusted so that a frame gets some samples but not many
// more than it can show.
inline constexpr std::uint64_t kSampledOneInMax = 1 << 24;  // the 24 bits that samples.h draws

}  // namespace claret::telemetry

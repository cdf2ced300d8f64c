// The codes with which a shard refuses a step of a move, beside disk_full, log_unavailable and overloaded. Stable; core.d.ts lists them.
#pragma once

#include <string_view>

#include "ground/errors.h"
#include "wire/slots.h"

namespace claret::move_errors {

inline constexpr std::string_view kInvalidMove = "invalid_move";  // never possible: slots, versions, bytes or the order of pieces
inline constexpr std::string_view kUnknownMove = "unknown_move";  // not under way at this shard: it never was, or it is over
inline constexpr std::string_view kMoveInProgress = "move_in_progress";  // another one is; or what an earlier one left is not removed yet
inline constexpr std::string_view kMoveNotReady = "move_not_ready";  // an earlier step is not over
inline constexpr std::string_view kCutInProgress = "cut_in_progress";  // a backup is about to cut the log

inline Error unknown() { return refuse(kUnknownMove, "no such move is under way at this shard"); }
inline bool is_valid_id(std::string_view move) { return !move.empty() && move.size() <= kMoveIdBytesMax; }

}  // namespace claret::move_errors

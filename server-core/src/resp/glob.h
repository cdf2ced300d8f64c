// Matches texts with patterns as Redis does in KEYS, SCAN and CONFIG GET.
#pragma once

#include <cstddef>
#include <string_view>

namespace claret::resp {

// The limit of patterns that are tried on many texts, such as the keys of a shard: a match takes time in proportion to the pattern's length.
inline constexpr std::size_t kPatternBytesMax = 1024;
inline constexpr std::string_view kPatternTooLong = "ERR a pattern has at most 1024 bytes";

enum class Letters { kCaseful, kCaseless };

// In a pattern, * stands for any bytes, ? for one, [a-cx] for one of these, [^a] for one other, and \ takes the meaning of the character behind it.
// The whole text has to match. A bracket that is not closed ends with the pattern. As in Redis, nothing but the empty pattern matches the empty
// text, not even *.
//
// Takes at most as many steps as the product of both lengths.
bool glob_matches(std::string_view pattern, std::string_view text, Letters letters = Letters::kCaseful);

}  // namespace claret::resp

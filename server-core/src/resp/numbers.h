// Numbers in arguments and replies, by the rules of Redis 7.0. Independent of the process's locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace claret::resp {

// A 64-bit integer in its one canonical form: no white space, plus, leading zero, or "-0".
std::optional<std::int64_t> parse_integer(std::string_view text);

// The double of ZADD and ZINCRBY: decimal or hexadecimal ("0x1p3"), "inf" or "infinity" in any case. Refused are NaN, white space, the empty text
// and what overflows or becomes zero.
std::optional<double> parse_double(std::string_view text);

// A limit of a range of scores: "1.5", "(1.5", "-inf".
struct ScoreBound {
  double value = 0;
  bool exclusive = false;
};
// Less strict than parse_double(), as Redis is: white space in front is skipped, the empty text is 0, the rest behind a byte of 0 is ignored, and
// what overflows is infinite. NaN is refused.
std::optional<ScoreBound> parse_score_bound(std::string_view text);

// The number of INCRBYFLOAT, with the rules of parse_double(). Infinity is a number here; the caller refuses an infinite sum.
std::optional<long double> parse_long_double(std::string_view text);

// 17 significant digits: 0.1 is 0.10000000000000001, 1e17 is 1e+17; "inf", "-inf".
void append_double(std::string& out, double number);

// At most 17 digits behind the point and no exponent, without zeros at the end: 1.1, 5200, 0.00000000000000001.
// REQUIRES: the number is not NaN.
void append_long_double(std::string& out, long double number);

}  // namespace claret::resp

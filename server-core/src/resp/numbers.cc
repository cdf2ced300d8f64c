#include "resp/numbers.h"

#include <locale.h>
#include <stdlib.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace claret::resp {

namespace {

constexpr std::size_t kLongDoubleBytes = 5 * 1024;  // as many as Redis reads and writes of one

// A number that the C library reads, and how far it read.
template <typename Number>
struct Reading {
  Number value = 0;
  bool whole = false;  // all of the text was read
  bool out_of_range = false;  // it overflowed or became zero
};

template <typename Number>
Number read_number(const char* text, char** end, locale_t locale) {
  if constexpr (sizeof(Number) == sizeof(double)) {
    return strtod_l(text, end, locale);
  } else {
    return strtold_l(text, end, locale);
  }
}

template <typename Number>
Reading<Number> read_text(const char* text, std::size_t size) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  Reading<Number> reading;
  char* end = nullptr;
  errno = 0;
  reading.value = read_number<Number>(text, &end, plain);
  reading.whole = static_cast<std::size_t>(end - text) == size;
  reading.out_of_range = errno == ERANGE && (std::isinf(reading.value) || reading.value == 0);
  return reading;
}

// The C library wants a byte of 0 behind the text.
template <typename Number>
Reading<Number> read(std::string_view text) {
  std::array<char, 128> local;
  if (text.size() >= local.size()) return read_text<Number>(std::string(text).c_str(), text.size());
  std::memcpy(local.data(), text.data(), text.size());
  local[text.size()] = 0;
  return read_text<Number>(local.data(), text.size());
}

bool begins_white(std::string_view text) { return text[0] == ' ' || ('\t' <= text[0] && text[0] <= '\r'); }

template <typename Number>
std::optional<Number> parse_strictly(std::string_view text) {
  if (text.empty() || begins_white(text)) return std::nullopt;
  const auto reading = read<Number>(text);
  if (!reading.whole || reading.out_of_range || std::isnan(reading.value)) return std::nullopt;
  return reading.value;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const std::string_view digits = text.substr(text[0] == '-' ? 1 : 0);
  if (digits[0] == '0' && text.size() > 1) return std::nullopt;
  return number;
}

std::optional<double> parse_double(std::string_view text) { return parse_strictly<double>(text); }

std::optional<ScoreBound> parse_score_bound(std::string_view text) {
  ScoreBound bound;
  bound.exclusive = text.starts_with('(');
  if (bound.exclusive) text.remove_prefix(1);
  text = text.substr(0, text.find('\0'));
  if (text.empty()) return bound;
  const auto reading = read<double>(text);
  if (!reading.whole || std::isnan(reading.value)) return std::nullopt;
  bound.value = reading.value;
  return bound;
}

std::optional<long double> parse_long_double(std::string_view text) {
  if (text.size() >= kLongDoubleBytes) return std::nullopt;
  return parse_strictly<long double>(text);
}

void append_double(std::string& out, double number) {
  std::array<char, 32> text;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 17).ptr);
}

void append_long_double(std::string& out, long double number) {
  std::array<char, kLongDoubleBytes> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 17).ptr;
  std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  if (digits.find('.') != std::string_view::npos) {
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.remove_suffix(1);
  }
  out.append(digits == "-0" ? "0" : digits);
}

}  // namespace claret::resp

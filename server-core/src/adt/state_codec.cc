#include "adt/state_codec.h"

#include <bit>
#include <cmath>

namespace claret {

namespace {

enum Tag : std::uint8_t { kAbsent, kBoolean, kInteger, kNumber, kText, kList };

}  // namespace

void StateWriter::count(std::uint64_t count) {
  for (; count >= 0x80; count >>= 7) out_.push_back(static_cast<char>(count | 0x80));
  out_.push_back(static_cast<char>(count));
}

void StateWriter::integer(std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  for (int shift = 0; shift < 64; shift += 8) out_.push_back(static_cast<char>(bits >> shift));
}

void StateWriter::number(double number) { integer(std::bit_cast<std::int64_t>(number)); }

void StateWriter::text(std::string_view text) {
  count(text.size());
  out_.append(text);
}

void StateWriter::value(const Value& value) {
  if (value.absent()) {
    out_.push_back(kAbsent);
  } else if (value.is_boolean()) {
    out_.push_back(kBoolean);
    out_.push_back(value.boolean() ? 1 : 0);
  } else if (value.is_integer()) {
    out_.push_back(kInteger);
    integer(value.integer());
  } else if (value.is_number()) {
    out_.push_back(kNumber);
    number(value.number());
  } else {
    out_.push_back(kText);
    text(value.text());
  }
}

void StateWriter::nested(const Value& value) {
  if (!value.is_list()) return this->value(value);
  out_.push_back(kList);
  count(value.list().size());
  for (const Value& item : value.list()) nested(item);
}

void StateReader::fail() {
  failed_ = true;
  bytes_ = {};
}

std::uint8_t StateReader::byte() {
  if (bytes_.empty()) {
    fail();
    return 0;
  }
  const auto byte = static_cast<std::uint8_t>(bytes_.front());
  bytes_.remove_prefix(1);
  return byte;
}

std::uint64_t StateReader::count() {
  std::uint64_t count = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t next = byte();
    count |= (next & 0x7f) << shift;
    if (next < 0x80) return count;
  }
  fail();
  return 0;
}

std::uint64_t StateReader::fixed64() {
  std::uint64_t bits = 0;
  for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
  return failed_ ? 0 : bits;
}

std::int64_t StateReader::integer() { return static_cast<std::int64_t>(fixed64()); }

double StateReader::number() {
  const auto number = std::bit_cast<double>(fixed64());
  if (std::isfinite(number) && !(number == 0 && std::signbit(number))) return number;
  fail();
  return 0;
}

std::string StateReader::text() {
  const std::uint64_t size = count();
  if (size > bytes_.size()) {
    fail();
    return {};
  }
  std::string text(bytes_.substr(0, size));
  bytes_.remove_prefix(size);
  return text;
}

Value StateReader::value() {
  switch (byte()) {
    case kAbsent:
      return Value();
    case kBoolean: {
      const std::uint8_t boolean = byte();
      if (boolean > 1) fail();
      return Value(boolean == 1);
    }
    case kInteger:
      return Value(integer());
    case kNumber:
      return Value(number());
    case kText:
      return Value(text());
    default:
      fail();
      return Value();
  }
}

Value StateReader::nested(std::size_t depth) {
  if (bytes_.empty() || bytes_.front() != kList) return value();
  byte();
  // An item takes a byte at least, so a count beyond the bytes is found before anything is made for it.
  const std::uint64_t size = count();
  if (depth == kNestedDepthMax || size > bytes_.size()) {
    fail();
    return Value();
  }
  Value::List items;
  for (std::uint64_t i = 0; i < size && !failed_; ++i) items.push_back(nested(depth + 1));
  return failed_ ? Value() : Value(std::move(items));
}

}  // namespace claret

// The bytes of a state, for the log and checkpoints. Grammar of the elements from which each type's `encode` builds them:
//
//   count   := LEB128, unsigned
//   integer := 8 bytes, little-endian, two's complement
//   number  := 8 bytes, little-endian, IEEE 754; finite, and zero is never negative
//   text    := count, then that many bytes
//   value   := 0x00 (absent) | 0x01 boolean(1 byte: 0 or 1) | 0x02 integer | 0x03 number | 0x04 text
//   nested  := value | 0x05 count nested*                at most kNestedDepthMax lists within each other
//
// Equal elements give equal bytes. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "adt/value.h"

namespace claret {

inline constexpr std::size_t kNestedDepthMax = 16;

class StateWriter {
 public:
  // Appends to `out`. REQUIRES: `out` outlives the writer.
  explicit StateWriter(std::string& out) : out_(out) {}

  void count(std::uint64_t count);
  void integer(std::int64_t integer);
  void number(double number);
  void text(std::string_view text);
  // REQUIRES: a scalar, or absent.
  void value(const Value& value);
  // REQUIRES: lists are at most kNestedDepthMax deep.
  void nested(const Value& value);

 private:
  std::string& out_;
};

// Once an element is not of the requested kind, the reader has failed: every later read returns zero or an empty value.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t count();
  std::int64_t integer();
  double number();
  std::string text();
  Value value();
  Value nested() { return nested(0); }

  bool failed() const { return failed_; }
  bool more() const { return !failed_ && !bytes_.empty(); }
  // True if every byte was read and every element was valid.
  bool complete() const { return !failed_ && bytes_.empty(); }

 private:
  std::uint64_t fixed64();
  std::uint8_t byte();
  void fail();
  Value nested(std::size_t depth);

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace claret

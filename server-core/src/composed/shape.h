// The shape of the values that a value field (value_type.h) may hold: what a definition declares, and what every value is held to.
//
//   shape := "boolean" | "integer" | "number" | "text" | "scalar" | ["maybe", shape] | ["list", shape] | ["record", [name, shape]+]
//
// A record is, as a value, the list of its members' values in order; names are for the applications. `maybe` is a value or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "adt/value.h"

namespace claret::composed {

struct Shape {
  enum class Is : std::uint8_t { kBoolean, kInteger, kNumber, kText, kScalar, kMaybe, kList, kRecord };

  Is is = Is::kScalar;
  std::vector<std::string> names{};  // of a record's members
  std::vector<Shape> of{};

  bool operator==(const Shape&) const = default;
  bool fits(const Value& value) const;
};

// How much of a record's room a value takes: a fixed amount for each value in it, and the bytes of its texts.
std::size_t bytes_held(const Value& value);

inline constexpr std::size_t kHeldBytesMax = 64 * 1024;

}  // namespace claret::composed

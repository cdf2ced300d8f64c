// The elements of a List, and what each of its operations selects among them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "adt/adt.h"

namespace claret::list {

enum OperationId : std::uint8_t {
  kAppend = 1,
  kPrepend,
  kPushBack,
  kPushFront,
  kPushBackIfPresent,
  kPushFrontIfPresent,
  kPopFront,
  kPopBack,
  kSetAt,
  kInsert,
  kRemoveEqual,
  kTrim,
  kRange,
  kAt,
  kLength,
  kPositionOf,
};

// The greatest number of elements that a range returns, or a pop removes.
inline constexpr std::int64_t kElementsMax = 10'000;

struct ListState final : State {
  std::deque<Value> elements;
  // An element's number is this plus its place. What comes and goes at the ends changes no number of another element. No part of the bytes.
  std::int64_t first_number = 0;

  std::size_t size() const { return elements.size(); }
};

enum class End : std::uint8_t { kFront, kBack };

// The end at which the operation pushes or pops.
inline End end_of(const Call& call) {
  switch (call.operation->id) {
    case kPrepend:
    case kPushFront:
    case kPushFrontIfPresent:
    case kPopFront:
      return End::kFront;
    default:
      return End::kBack;
  }
}

inline bool pushes(const Call& call) { return call.operation->id <= kPushFrontIfPresent; }
inline bool pops(const Call& call) { return call.operation->id == kPopFront || call.operation->id == kPopBack; }
inline bool pushes_if_present(const Call& call) {
  return call.operation->id == kPushBackIfPresent || call.operation->id == kPushFrontIfPresent;
}

// REQUIRES: the call pushes, and its result is known unless it is void.
inline bool adds(const Call& call, const Value& result) {
  return !call.arguments[0].list().empty() && (!pushes_if_present(call) || result.integer() > 0);
}

// How far a negative index lies behind the end: -1 is the last element.
inline std::uint64_t from_back(std::int64_t index) { return -static_cast<std::uint64_t>(index); }

// Negative indices count from the back. Absent if there is no such element.
inline std::optional<std::size_t> place_of(std::int64_t index, std::size_t size) {
  const std::int64_t place = index < 0 ? index + static_cast<std::int64_t>(size) : index;
  if (place < 0 || std::cmp_greater_equal(place, size)) return std::nullopt;
  return static_cast<std::size_t>(place);
}

// Places from `begin` up to, but without, `end`.
struct Section {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
  std::size_t size() const { return end - begin; }
};

// From the first index to the last, both included, as far as there are elements.
inline Section section_of(std::int64_t first, std::int64_t last, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (first < 0) first = std::max<std::int64_t>(first + length, 0);
  last = last < 0 ? last + length : std::min(last, length - 1);
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last) + 1};
}

// REQUIRES: the call is a trim.
inline Section trimmed_to(const Call& call, std::size_t size) {
  return section_of(call.arguments[0].integer(), call.arguments[1].integer(), size);
}

// Where an insert puts its value. Absent if no element equals the pivot.
inline std::optional<std::size_t> place_of_insert(const ListState& state, const Call& call) {
  const auto pivot = std::find(state.elements.begin(), state.elements.end(), call.arguments[0]);
  if (pivot == state.elements.end()) return std::nullopt;
  return static_cast<std::size_t>(pivot - state.elements.begin()) + (call.arguments[2].boolean() ? 0 : 1);
}

// The places from which a removeEqual removes, ascending.
inline std::vector<std::size_t> places_to_remove(const ListState& state, const Call& call) {
  const std::int64_t count = call.arguments[0].integer();
  const Value& value = call.arguments[1];
  const std::uint64_t magnitude = count < 0 ? from_back(count) : static_cast<std::uint64_t>(count);
  const std::uint64_t most = count == 0 ? std::numeric_limits<std::uint64_t>::max() : magnitude;
  const std::size_t size = state.size();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size && places.size() < most; ++i) {
    const std::size_t place = count < 0 ? size - 1 - i : i;
    if (state.elements[place] == value) places.push_back(place);
  }
  if (count < 0) std::reverse(places.begin(), places.end());
  return places;
}

// Removes the elements at these places, in one pass. REQUIRES: they ascend.
inline void remove_places(std::deque<Value>& elements, std::span<const std::size_t> places) {
  if (places.empty()) return;
  std::size_t kept = places[0];
  for (std::size_t from = kept, next = 0; from < elements.size(); ++from) {
    if (next < places.size() && places[next] == from) {
      ++next;
    } else {
      elements[kept++] = std::move(elements[from]);
    }
  }
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(kept), elements.end());
}

// The inverse of remove_places, where all removed elements had this value.
inline void put_back(std::deque<Value>& elements, std::span<const std::size_t> places, const Value& value) {
  std::size_t from = elements.size();
  elements.resize(from + places.size());
  std::size_t to = elements.size();
  for (std::size_t left = places.size(); left > 0; --left) {
    while (to - 1 > places[left - 1]) elements[--to] = std::move(elements[--from]);
    elements[--to] = value;
  }
}

}  // namespace claret::list

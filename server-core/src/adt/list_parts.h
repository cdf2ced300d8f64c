// The parts of a List (StateParts in adt.h).
//
// A place of the walk is the number that the element had when the walk began. What comes and goes at the ends changes no numbers. Where
// elements were inserted or removed in between, those behind have other numbers now: the walk keeps the stretches of elements with how far
// each has moved. An insertion or removal in between moves about as many elements of the list itself as there are stretches to be changed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "adt/list_items.h"
#include "adt/ordered_parts.h"

namespace claret::list {

class ListParts final : public OrderedParts<std::int64_t, Value> {
 public:
  explicit ListParts(const ListState& state) : OrderedParts(state.size()), state_(state) {
    const std::int64_t first = state.first_number;
    stretches_.push_back({first, first + static_cast<std::int64_t>(state.size()), 0});
  }

  void before(const Call& call) override {
    switch (call.operation->id) {
      case kPopFront:
      case kPopBack:
        return note_at_end(end_of(call), static_cast<std::uint64_t>(call.arguments[0].integer()));
      case kSetAt:
        if (const auto place = place_of(call.arguments[0].integer(), state_.size())) note_place(*place);
        return;
      case kInsert:
        if (const auto place = place_of_insert(state_, call)) make_room({*place});
        return;
      case kRemoveEqual:
        return close_gaps(places_to_remove(state_, call));
      case kTrim: {
        const Section kept = trimmed_to(call, state_.size());
        note_at_end(End::kBack, state_.size() - kept.end);
        return note_at_end(End::kFront, kept.begin);
      }
    }
  }

  // Elements that are put back at an end have numbers that no other element has had since the walk began, or are noted.
  void before_undo(const Call& call, const Value& kept) override {
    if (pushes(call)) return note_at_end(end_of(call), call.arguments[0].list().size());
    switch (call.operation->id) {
      case kSetAt:
        return before(call);
      case kInsert:
        if (!kept.absent()) close_gaps({static_cast<std::size_t>(kept.integer())});
        return;
      case kRemoveEqual: {
        std::vector<std::size_t> places = kept_places(kept);
        // Where each place is as long as none of the elements is back.
        for (std::size_t i = 0; i < places.size(); ++i) places[i] -= i;
        return make_room(places);
      }
    }
  }

  // The places that a removeEqual has kept.
  static std::vector<std::size_t> kept_places(const Value& kept) {
    std::vector<std::size_t> places;
    if (kept.is_integer()) places.push_back(static_cast<std::size_t>(kept.integer()));
    if (!kept.is_list()) return places;
    for (const Value& place : kept.list()) places.push_back(static_cast<std::size_t>(place.integer()));
    return places;
  }

 private:
  // The elements whose numbers were from `begin` up to `end` when the walk began. `moved`: what has been added to them since.
  struct Stretch {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t moved;
  };

  void note_at_end(End end, std::uint64_t count) {
    const std::size_t size = state_.size();
    for (std::size_t i = 0; i < std::min<std::uint64_t>(count, size); ++i) note_place(end == End::kFront ? i : size - 1 - i);
  }

  // Elements that have come since the walk began are in no stretch, or have the number of one that is noted.
  void note_place(std::size_t place) {
    const std::int64_t number = number_at(place);
    const auto found = std::partition_point(stretches_.begin(), stretches_.end(),
                                            [&](const Stretch& stretch) { return stretch.end + stretch.moved <= number; });
    if (found != stretches_.end() && found->begin + found->moved <= number) note(number - found->moved, &state_.elements[place]);
  }

  // To be called before elements are removed from these places, which ascend.
  void close_gaps(const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) note_place(place);
    split(places, 1, -1);
  }

  // To be called before elements are inserted in front of these places, which ascend and may recur.
  void make_room(const std::vector<std::size_t>& places) { split(places, 0, 1); }

  // Each place ends a stretch; the next one begins `skipped` numbers behind, and moves by `step` more than the one before.
  void split(const std::vector<std::size_t>& places, std::int64_t skipped, std::int64_t step) {
    std::vector<Stretch> stretches;
    std::size_t next = 0;
    for (const Stretch& stretch : stretches_) {
      std::int64_t begin = stretch.begin;
      const auto put = [&](std::int64_t end) {
        if (begin < end) stretches.push_back({begin, end, stretch.moved + static_cast<std::int64_t>(next) * step});
      };
      for (; next < places.size() && number_at(places[next]) < stretch.end + stretch.moved; ++next) {
        const std::int64_t at = number_at(places[next]) - stretch.moved;
        put(std::min(at, stretch.end));
        begin = std::max(begin, at + skipped);
      }
      put(stretch.end);
    }
    stretches_ = std::move(stretches);
  }

  std::int64_t number_at(std::size_t place) const { return state_.first_number + static_cast<std::int64_t>(place); }

  void visit_behind(const std::int64_t* passed, Visit visit) const override {
    const std::int64_t from = passed == nullptr ? stretches_begin() : *passed + 1;
    const auto first = std::partition_point(stretches_.begin(), stretches_.end(), [&](const Stretch& one) { return one.end <= from; });
    std::size_t turn = 0;
    for (auto stretch = first; stretch != stretches_.end(); ++stretch) {
      // What is gone from the ends is noted.
      const std::int64_t begin = std::max({from, stretch->begin, number_at(0) - stretch->moved});
      const std::int64_t end = std::min(stretch->end, number_at(state_.size()) - stretch->moved);
      for (std::int64_t place = begin; place < end; ++place) {
        std::int64_t& visited = visited_[turn ^= 1];
        visited = place;
        if (!visit(visited, state_.elements[static_cast<std::size_t>(place + stretch->moved - state_.first_number)])) return;
      }
    }
  }

  std::int64_t stretches_begin() const { return stretches_.empty() ? 0 : stretches_.front().begin; }

  void write(StateWriter& writer, const std::int64_t&, const Value& element) const override { writer.value(element); }

  const ListState& state_;
  std::vector<Stretch> stretches_;
  // The walk refers to the last place that it has taken while it looks at the next.
  mutable std::array<std::int64_t, 2> visited_{};
};

}  // namespace claret::list

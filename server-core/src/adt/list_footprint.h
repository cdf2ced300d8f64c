// When two operations on a List may hold it together.
//
// An operation leaves a footprint on the committed elements: which of them it takes, at which end it adds others, which value it replaces;
// and what must stay as it is for its result and its meaning: the values that it has read, and the elements that it has counted. An index
// from the front counts the elements up to there: nothing may come or go among them, nor in front of them. What has met an end of the list
// on its way, such as a pop that finds less than it asks for, has counted all of them.
//
// Two operations commute if neither disturbs what the other has counted or read, and what both do agrees. As long as both hold the list,
// that stays so: what would carry one of them into the other's part disturbs one of them itself. A transaction may hold several operations
// whose footprints were taken from the same committed elements, although the later ones will meet what the earlier ones have left. That
// is harmless for what adds at an end; what edits the list in between holds it alone; what counts from an end (pops and setAt) is refused
// after an operation of its own transaction that has changed the list at that end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "adt/list_items.h"

namespace claret::list {

// The elements that a positionOf looks at, and the matches that it may give.
struct Search {
  std::int64_t rank;  // of the first match wanted; negative: from the back
  std::uint64_t wanted;
  std::size_t looked_at;  // at most

  Search(const Call& call, std::size_t size) {
    const auto given = [&](std::size_t argument, std::int64_t otherwise) {
      const Value& value = call.arguments[argument];
      return value.absent() ? otherwise : value.integer();
    };
    const std::int64_t count = given(2, 1), most = given(3, 0);
    rank = given(1, 1);
    wanted = static_cast<std::uint64_t>(count == 0 ? kElementsMax : std::min(count, kElementsMax));
    looked_at = most == 0 || std::cmp_greater(most, size) ? size : static_cast<std::size_t>(most);
  }
};

class Footprint {
 public:
  Footprint(const Held& held, const ListState& committed) : size_(committed.size()) { leave(held); }

  bool commutes_with(const Footprint& other, const ListState& committed) const {
    if (is_unknown_ || other.is_unknown_) return false;
    if (disturbs(other) || other.disturbs(*this)) return false;
    if (changes_result_of(other, committed) || other.changes_result_of(*this, committed)) return false;
    if (written_ && written_ == other.written_) return *value_ == *other.value_;
    return !adds_at_same_end(other) || adds_the_same(other);
  }

 private:
  struct AtEnd {
    const Value::List* added = nullptr;
    std::size_t taken = 0;
    bool seen = false;  // what is added or taken here would be noticed
    std::size_t counted = 0;  // elements from here on that must stay
  };

  void leave(const Held& held) {
    const Call& call = *held.call;
    if (pushes(call)) return push(held);
    if (pops(call)) return pop(call, *held.result);
    switch (call.operation->id) {
      case kSetAt:
        written_ = place_of(call.arguments[0].integer(), size_);
        value_ = &call.arguments[1];
        is_unknown_ = !written_;
        return count_to(call.arguments[0].integer());
      case kRange:
        return range(call.arguments[0].integer(), call.arguments[1].integer(), held.result->list().size());
      case kAt:
        if (const auto place = place_of(call.arguments[0].integer(), size_)) read_ = {*place, *place + 1};
        return count_to(call.arguments[0].integer());
      case kPositionOf:
        return search(Search(call, size_), held.result->list());
      default:
        count_all();
    }
  }

  void push(const Held& held) {
    if (held.call->operation->result != Kind::kVoid) count_all();
    if (adds(*held.call, *held.result)) at(end_of(*held.call)).added = &held.call->arguments[0].list();
  }

  void pop(const Call& call, const Value& result) {
    const std::size_t taken = result.list().size();
    AtEnd& end = at(end_of(call));
    if (std::cmp_less(taken, call.arguments[0].integer())) {
      count_all();
    } else {
      end.seen = true;
      end.counted = taken;
    }
    end.taken = taken;
    read_ = &end == &front_ ? Section{0, taken} : Section{size_ - taken, size_};
  }

  void range(std::int64_t first, std::int64_t last, std::size_t found) {
    if ((first < 0) == (last < 0) && first > last) return;  // always empty
    const std::size_t begin = section_of(first, last, size_).begin;
    read_ = {begin, begin + found};
    const auto wanted = [&] { return std::min<std::uint64_t>(static_cast<std::uint64_t>(last - first), kElementsMax - 1) + 1; };
    if (first >= 0 && last >= 0 && found == wanted()) {
      count_to(static_cast<std::int64_t>(read_.end) - 1);
    } else if (first < 0 && last < 0) {
      count_to(first);
    } else {
      count_all();
    }
  }

  void search(const Search& search, const Value::List& found) {
    if (search.rank < 0) {
      read_ = {size_ - search.looked_at, size_};
      return count_all();  // the positions are counted from the front
    }
    const bool is_full = found.size() == search.wanted;
    const std::size_t looked_at = is_full ? static_cast<std::size_t>(found.back().integer()) + 1 : search.looked_at;
    read_ = {0, looked_at};
    if (!is_full && looked_at == size_) count_all();
    front_.seen = true;
    front_.counted = looked_at;
  }

  // Counts from the end that the index means up to its element; all elements if there are too few.
  void count_to(std::int64_t index) {
    const auto place = place_of(index, size_);
    if (!place) return count_all();
    AtEnd& end = index < 0 ? back_ : front_;
    end.seen = true;
    end.counted = index < 0 ? size_ - *place : *place + 1;
  }

  void count_all() {
    front_.seen = back_.seen = true;
    front_.counted = back_.counted = size_;
  }

  bool disturbs(const Footprint& other) const {
    const auto at = [&](const AtEnd& mine, const AtEnd& seen, const AtEnd& opposite) {
      if (mine.added != nullptr && seen.seen) return true;
      return mine.taken > 0 && (seen.seen || mine.taken + opposite.counted > size_);
    };
    return at(front_, other.front_, other.back_) || at(back_, other.back_, other.front_);
  }

  bool changes_result_of(const Footprint& other, const ListState& committed) const {
    if (!written_ || *written_ < other.read_.begin || *written_ >= other.read_.end) return false;
    return committed.elements[*written_] != *value_;
  }

  bool adds_at_same_end(const Footprint& other) const {
    return (front_.added != nullptr && other.front_.added != nullptr) || (back_.added != nullptr && other.back_.added != nullptr);
  }

  // REQUIRES: both add something.
  bool adds_the_same(const Footprint& other) const {
    const Value& value = added().front();
    const auto is_it = [&](const Value& one) { return one == value; };
    return std::all_of(added().begin(), added().end(), is_it) && std::all_of(other.added().begin(), other.added().end(), is_it);
  }

  const Value::List& added() const { return front_.added != nullptr ? *front_.added : *back_.added; }

  AtEnd& at(End end) { return end == End::kFront ? front_ : back_; }

  const std::size_t size_;
  AtEnd front_, back_;
  Section read_;
  std::optional<std::size_t> written_;
  const Value* value_ = nullptr;
  bool is_unknown_ = false;  // a setAt that would be refused now
};

}  // namespace claret::list

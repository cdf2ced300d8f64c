// OrderedParts: the parts (StateParts in adt.h) of a state whose bytes are a count and then its members in order.
//
// The walk visits the members in that order, place by place. Before an operation changes the state, or is undone, the type reports the
// places that the change affects. For each such place that the walk has not reached, its present content, or its absence, is noted; the
// walk later emits the noted content instead of the current content. So a part costs time for the members it holds, a change costs time
// for the places it touches, and the state is never copied as a whole. Once all members are written, the remaining notes are dropped, one
// part's worth at a time.
//
// Where a member's position depends on its score, a place is the score and the member: a changed score vacates one place and occupies
// another.
//
// Invariants: every note lies behind the last place passed; every other place behind it has the content that it had when the walk began.
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "adt/adt.h"
#include "adt/state_codec.h"

namespace claret {

// The content of states whose members consist of their place alone.
struct Nothing {};
inline constexpr Nothing kThere;

template <typename Place, typename Content = Nothing, typename Less = std::less<Place>>
class OrderedParts : public StateParts {
 public:
  bool next(std::size_t bytes_wanted, std::string& out) final {
    Part part{StateWriter(out), out, out.size(), bytes_wanted};
    if (!std::exchange(begun_, true)) part.writer.count(left_);
    return (left_ != 0 && !walk(part)) || !forget(part);
  }

 protected:
  using Visit = absl::FunctionRef<bool(const Place&, const Content&)>;

  // REQUIRES: the state has this number of members now.
  explicit OrderedParts(std::size_t members) : left_(members) {}

  // Calls visit(place, content) for each place behind `passed` (null: for all), in order, as long as visit returns true.
  virtual void visit_behind(const Place* passed, Visit visit) const = 0;
  virtual void write(StateWriter& writer, const Place& place, const Content& content) const = 0;
  // To be called before the content at the place (null: the place is empty) changes. Only the first call for a place counts.
  void note(const Place& place, const Content* content) {
    if (left_ == 0 || (passed_ && !Less()(*passed_, place)) || noted_.contains(place)) return;
    noted_.emplace(place, content == nullptr ? std::nullopt : std::optional<Content>(*content));
  }

 private:
  // Visiting a member takes time however small it is, so each counts for at least this many bytes.
  static constexpr std::size_t kStepBytesLeast = 64;

  struct Part {
    StateWriter writer;
    const std::string& out;
    std::size_t begins;
    std::size_t bytes_wanted;
    std::size_t steps = 0;

    // Never before the first step, so that every part makes progress.
    bool full() const { return steps != 0 && std::max(out.size() - begins, steps * kStepBytesLeast) >= bytes_wanted; }
  };

  // Returns true at the end of the state.
  bool walk(Part& part) {
    const auto enough = [&] { return left_ == 0 || part.full(); };
    const Place* passed = nullptr;  // if that place is not in passed_ yet
    bool ended = true;
    visit_behind(passed_ ? &*passed_ : nullptr, [&](const Place& place, const Content& content) {
      while (!noted_.empty() && Less()(noted_.begin()->first, place)) {
        if (enough()) return ended = false;
        put_first_noted(part);
        passed = nullptr;
      }
      if (enough()) return ended = false;
      if (!noted_.empty() && !Less()(place, noted_.begin()->first)) {
        put_first_noted(part);
        passed = nullptr;
        return true;
      }
      ++part.steps;
      put(place, content, part);
      passed = &place;
      return true;
    });
    if (passed != nullptr) passed_ = *passed;
    while (ended && !noted_.empty()) {
      if (enough()) return left_ == 0;
      put_first_noted(part);
    }
    return ended || left_ == 0;
  }

  void put_first_noted(Part& part) {
    ++part.steps;
    const auto first = noted_.begin();
    if (first->second) put(first->first, *first->second, part);
    passed_ = first->first;
    noted_.erase(first);
  }

  void put(const Place& place, const Content& content, Part& part) {
    write(part.writer, place, content);
    --left_;
  }

  bool forget(Part& part) {
    for (; !noted_.empty() && !part.full(); ++part.steps) noted_.erase(noted_.begin());
    return noted_.empty();
  }

  std::size_t left_;  // members still to be written
  bool begun_ = false;
  std::optional<Place> passed_;
  absl::btree_map<Place, std::optional<Content>, Less> noted_;
};

}  // namespace claret

// OrderedParts: the parts (StateParts in adt.h) of a state whose bytes are a count and then its members in an order.
//
// They are walked in that order, place by place. Whoever changes the state says before at which places the change is going to
// make a difference; what stands there, or that nothing does, is noted where the walk has not come. The walk puts what is
// noted instead of what stands there by then. So a part costs what it holds, a change what it touches, and nothing is ever
// copied as a whole. Once as many members are put as there were, what is still noted goes a part's worth at a time.
//
// Where a member's place changes with its score, a place is the score and the member: it leaves one, and comes to another.
//
// Invariants: what is noted lies behind what is passed; at every other place behind that stands what stood there when the
// walk began. Thread safety: none needed.
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

// Content where what stands at a place is nothing beside the place.
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

  // REQUIRES: so many members are there now.
  explicit OrderedParts(std::size_t members) : left_(members) {}

  // Calls visit(place, content) for what stands behind `passed` (null: for all), in order, as long as it returns true.
  virtual void visit_behind(const Place* passed, Visit visit) const = 0;
  virtual void write(StateWriter& writer, const Place& place, const Content& content) const = 0;
  // The content at the place (null: nothing stands there) may change. Only the first time counts.
  void note(const Place& place, const Content* content) {
    if (left_ == 0 || (passed_ && !Less()(*passed_, place)) || noted_.contains(place)) return;
    noted_.emplace(place, content == nullptr ? std::nullopt : std::optional<Content>(*content));
  }

 private:
  // To come by a member takes time, however small it is: it counts for so many bytes at least.
  static constexpr std::size_t kStepBytesLeast = 64;

  struct Part {
    StateWriter writer;
    const std::string& out;
    std::size_t begins;
    std::size_t bytes_wanted;
    std::size_t steps = 0;

    // Not before the first step: every part gets on.
    bool full() const { return steps != 0 && std::max(out.size() - begins, steps * kStepBytesLeast) >= bytes_wanted; }
  };

  // True when it has come to the end.
  bool walk(Part& part) {
    const auto enough = [&] { return left_ == 0 || part.full(); };
    const Place* passed = nullptr;  // where that is not in passed_ yet
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

  std::size_t left_;  // members still to be put
  bool begun_ = false;
  std::optional<Place> passed_;
  absl::btree_map<Place, std::optional<Content>, Less> noted_;
};

}  // namespace claret

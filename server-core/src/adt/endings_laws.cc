// The promises made to transactions that hold a record together, replayed for every way in which they can end.
#include <rapidcheck.h>

#include <algorithm>

#include "adt/laws.h"

namespace claret::laws {

namespace {

class Replay {
 public:
  Replay(const DataType& type, const State& state, std::span<const Holding> holders, const Context& context, FreshResults& fresh)
      : type_(type), holders_(holders), context_(context), fresh_(fresh) {
    type_.encode(state, bytes_);
  }

  const std::string& before() const { return bytes_; }

  // Returns the state's bytes after only these holders commit, in this order; each call is executed again just before its commit.
  std::string in(const std::vector<std::size_t>& order) {
    const std::unique_ptr<State> state = type_.decode(bytes_);
    if (state == nullptr) RC_FAIL("bytes: decode refuses what encode wrote");
    for (const std::size_t index : order) {
      const std::span<const Held> all = holders_[index].held;
      for (std::size_t i = 0; i < all.size(); ++i) ask_again(*state, all[i], all.first(i));
      for (const Held& held : all) {
        type_.release(*state, *held.call, *held.result);
        type_.commit(*state, *held.call, *held.result);
      }
    }
    std::string bytes;
    type_.encode(*state, bytes);
    return bytes;
  }

 private:
  void ask_again(State& state, const Held& held, std::span<const Held> own) {
    const std::string name(held.call->operation->name);
    const Outcome outcome = type_.execute(state, *held.call, own, context_);
    if (outcome.refused()) RC_FAIL("promise: " + name + " was granted, and is now refused");
    fresh_.note(*held.call, outcome.result());
    if (!held.call->operation->fresh && outcome.result() != *held.result) RC_FAIL("promise: another result of " + name);
    if (type_.reserve(state, *held.call, *held.result, own) == DataType::Reservation::kWait) {
      RC_FAIL("promise: " + name + " was granted, and would now have to wait");
    }
  }

  const DataType& type_;
  std::span<const Holding> holders_;
  const Context& context_;
  FreshResults& fresh_;
  std::string bytes_;
};

}  // namespace

void FreshResults::note(const Call& call, const Value& result) {
  if (!call.operation->fresh) return;
  if (!seen_.insert(result.text()).second) RC_FAIL("promise: a fresh result came twice");
}

void check_every_ending(const DataType& type, const State& state, std::span<const Holding> holders, const Context& context,
                        FreshResults& fresh) {
  Replay replay(type, state, holders, context, fresh);
  for (std::size_t subset = 0; subset < std::size_t{1} << holders.size(); ++subset) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < holders.size(); ++i) {
      if (subset >> i & 1) order.push_back(i);
    }
    const std::string expected = replay.in(order);
    if (subset == 0 && expected != replay.before()) RC_FAIL("bytes: decode does not undo encode");
    while (std::next_permutation(order.begin(), order.end())) {
      if (replay.in(order) != expected) RC_FAIL("one end: the order of commits shows in the bytes");
    }
  }
}

}  // namespace claret::laws

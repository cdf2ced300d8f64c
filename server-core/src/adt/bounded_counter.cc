// BoundedCounter: an integer that never falls below 0, with concurrent increments and decrements: stock, seats, credit.
//
// State: the integer. Beside it, not part of it: the sums of all pending changes, and the amounts that pending `tryDecrement`s found
// missing.
// Results: `increment` and `decrement` return nothing. A `decrement` must succeed: if the amount is not there, its transaction is refused
// (below_bound). `tryDecrement` returns whether it took the amount. `value` reads; `atLeast` compares.
//
// Why it commutes: a check of pairs is not enough. Three `decrement(1)` on 2 commute pair by pair and still end at -1. So each call is
// judged against the sum of all pending calls (escrow). The worst case is the committed value minus all pending decrements; the best case
// is that value plus all pending increments:
//   an amount that is there even in the worst case can be taken, whichever calls commit or abort, in whatever order;
//   an amount that is not there even in the best case cannot: a `decrement` is refused, a `tryDecrement` answers false;
//   in between, the call waits until some of the pending calls have ended.
// A false answer must stay true while its transaction holds the record, so an increment that might make the amount available waits.
// Decrements cannot make it available and pass; so does `value`, beside which no change could pass. The upper end of 64 bits is guarded the
// same way. An `atLeast` stays true as long as the amount is there in the worst case, and false as long as it is not there in the best: most
// sales leave "at least ten seats" alone (Liu et al., "Warranties for fast strong consistency", section 4).
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <tuple>

#include "absl/container/btree_map.h"
#include "adt/adt.h"
#include "adt/state_codec.h"
#include "ground/errors.h"
#include "structure/escrow.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct BoundedCounterState final : State {
  std::int64_t value = 0;
  Escrow pending;
  // Amount -> number of pending tryDecrements that found it missing; null while there are none.
  using Missing = absl::btree_map<std::int64_t, std::uint32_t>;
  std::unique_ptr<Missing> missing;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kIncrement = 1, kDecrement, kTryDecrement, kValue, kAtLeast };
enum Modes : Mode { kRead, kChange, kTry, kCompare };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the value"},
    ModeSpec{"change", "adds to the value or takes from it"},
    ModeSpec{"try", "takes from the value if there is enough"},
    ModeSpec{"compare", "compares the value with an amount"},
};

constexpr std::array kIncrementParameters = {
    Parameter{"n", Kind::kInteger, "the amount; not negative"},
};
constexpr std::array kDecrementParameters = {
    Parameter{"n", Kind::kInteger, "the amount; not negative"},
};

constexpr std::array kAtLeastParameters = {
    Parameter{"n", Kind::kInteger, "the amount to compare with"},
};

constexpr std::array kOperations = {
    OperationSpec{kIncrement, "increment", kIncrementParameters, Kind::kVoid, OperationClass::kMutate, kChange,
                  "Adds n. Refused (out_of_range) if the value would leave 64 bits.", kReserves},
    OperationSpec{kDecrement, "decrement", kDecrementParameters, Kind::kVoid, OperationClass::kMutate, kChange,
                  "Takes n. If the value would fall below 0, the whole transaction is refused (below_bound).", kReserves},
    OperationSpec{kTryDecrement, "tryDecrement", kDecrementParameters, Kind::kBoolean, OperationClass::kBoth, kTry,
                  "Takes n if the value stays at 0 or above; answers whether it did.", kReserves},
    OperationSpec{kValue, "value", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The value; 0 at first."},
    OperationSpec{kAtLeast, "atLeast", kAtLeastParameters, Kind::kBoolean, OperationClass::kObserve, kCompare,
                  "Whether the value is n or more. Unlike value, it stays valid beside changes that do not cross n."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"increment", "increment", "always; one that might leave 64 bits waits for the others"},
    CommutativityRule{"increment", "decrement", "always; one that is not sure to find its amount waits for the others"},
    CommutativityRule{"increment", "tryDecrement", "always; but what may bring an amount that was told not to be there waits"},
    CommutativityRule{"increment", "value", "never"},
    CommutativityRule{"increment", "atLeast", "it answered true, or the value stays below, whichever pending calls commit"},
    CommutativityRule{"decrement", "decrement", "always; one that is not sure to find its amount waits for the others"},
    CommutativityRule{"decrement", "tryDecrement", "always; one that is not sure to find its amount waits for the others"},
    CommutativityRule{"decrement", "value", "never"},
    CommutativityRule{"decrement", "atLeast", "it answered false, or the value does not fall below, whichever pending calls commit"},
    CommutativityRule{"tryDecrement", "tryDecrement", "always; one that is not sure waits for the others"},
    CommutativityRule{"tryDecrement", "value", "it answered false"},
    CommutativityRule{"tryDecrement", "atLeast",
                      "one of them answered false, or the value does not fall below, whichever pending calls commit"},
    CommutativityRule{"value", "value", "always"},
    CommutativityRule{"value", "atLeast", "always"},
    CommutativityRule{"atLeast", "atLeast", "always"},
};

constexpr Relation kAlways = Relation::kAlways, kNever = Relation::kNever, kDepends = Relation::kDepends;
constexpr Relation kRelations[4][4] = {
    // read     change    try       compare
    {kAlways, kNever, kDepends, kAlways},  // read
    {kNever, kAlways, kAlways, kDepends},  // change
    {kDepends, kAlways, kAlways, kDepends},  // try
    {kAlways, kDepends, kDepends, kAlways},  // compare
};

// The amount by which the call changes the value; 0 for a call that only reads.
std::int64_t step(const Call& call, const Value& result) {
  switch (call.operation->id) {
    case kIncrement:
      return call.arguments[0].integer();
    case kDecrement:
      return -call.arguments[0].integer();
    case kTryDecrement:
      return result.boolean() ? -call.arguments[0].integer() : 0;
    default:
      return 0;
  }
}

bool observes(const Call& call) { return call.operation->operation_class == OperationClass::kObserve; }

bool found_missing(const Call& call, const Value& result) { return call.operation->id == kTryDecrement && !result.boolean(); }

Escrow::Verdict judge(const BoundedCounterState& state, const Call& call, std::span<const Held> own) {
  OwnSteps steps;
  for (const Held& held : own) steps.add(step(*held.call, *held.result));
  return state.pending.judge(state.value, step(call, Value(true)), steps, 0);
}

// Could the increment, together with all others, make available an amount that another transaction was told is missing?
bool might_bring_missing(const BoundedCounterState& state, std::int64_t n, std::span<const Held> own) {
  if (state.missing == nullptr) return false;
  for (const auto& [amount, count] : *state.missing) {
    if (state.pending.best(state.value) + n < amount) return false;
    const auto by_itself = std::count_if(own.begin(), own.end(), [&, amount = amount](const Held& held) {
      return found_missing(*held.call, *held.result) && held.call->arguments[0].integer() == amount;
    });
    if (std::cmp_greater(count, by_itself)) return true;
  }
  return false;
}

// Does the comparison keep its result, whichever pending changes commit, and the change besides?
bool stays_compared(const Held& at_least, std::int64_t change, const BoundedCounterState& state) {
  const std::int64_t amount = at_least.call->arguments[0].integer();
  if (at_least.result->boolean()) return change >= 0 || state.pending.worst(state.value) + change >= amount;
  return change <= 0 || state.pending.best(state.value) + change < amount;
}

class BoundedCounter final : public TypeOf<BoundedCounterState> {
 public:
  std::uint8_t id() const override { return 9; }
  std::string_view name() const override { return "BoundedCounter"; }
  std::string_view meaning() const override {
    return "An integer that never falls below 0. Many transactions add and take at the same time.";
  }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  // REQUIRES: one changes, the other observes.
  bool commutes(const Held& first, const Held& second, const BoundedCounterState& committed) const override {
    const auto& [observer, change] = observes(*first.call) ? std::tie(first, second) : std::tie(second, first);
    if (observer.call->operation->id == kAtLeast) return stays_compared(observer, step(*change.call, *change.result), committed);
    return found_missing(*first.call, *first.result) || found_missing(*second.call, *second.result);
  }

  Outcome execute(const BoundedCounterState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    if (call.operation->id == kValue) return Value(state.value);
    if (call.operation->id == kAtLeast) return Value(state.value >= call.arguments[0].integer());
    if (call.arguments[0].integer() < 0) return Refusal{errors::kOutOfRange, "n is negative"};
    const Escrow::Verdict verdict = judge(state, call, own);
    switch (call.operation->id) {
      case kIncrement:
        if (verdict != Escrow::Verdict::kOutOfRange) return {};
        return Refusal{errors::kOutOfRange, "the value would leave 64 bits"};
      case kDecrement:
        if (verdict != Escrow::Verdict::kOutOfRange) return {};
        return Refusal{errors::kBelowBound, "the value would fall below 0"};
      default:
        return Value(verdict == Escrow::Verdict::kFits);
    }
  }

  Reservation reserve(BoundedCounterState& state, const Call& call, const Value& result, std::span<const Held> own) const override {
    if (observes(call)) return Reservation::kYes;
    const bool refused = found_missing(call, result);
    const Escrow::Verdict wanted = refused ? Escrow::Verdict::kOutOfRange : Escrow::Verdict::kFits;
    if (judge(state, call, own) != wanted) return Reservation::kWait;
    const std::int64_t n = step(call, result);
    if (n > 0 && might_bring_missing(state, n, own)) return Reservation::kWait;
    state.pending.take(n);
    if (refused) {
      if (state.missing == nullptr) state.missing = std::make_unique<BoundedCounterState::Missing>();
      ++(*state.missing)[call.arguments[0].integer()];
    }
    return Reservation::kYes;
  }

  void release(BoundedCounterState& state, const Call& call, const Value& result) const override {
    state.pending.give_back(step(call, result));
    if (!found_missing(call, result)) return;
    const auto found = state.missing->find(call.arguments[0].integer());
    if (--found->second == 0) state.missing->erase(found);
    if (state.missing->empty()) state.missing.reset();
  }

  // Reservations keep the value within 64 bits. Without them, as in a mistake that the laws are to catch, it wraps.
  static std::int64_t wrapping(std::int64_t value, std::uint64_t change) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + change);
  }

  void commit(BoundedCounterState& state, const Call& call, const Value& result) const override {
    state.value = wrapping(state.value, static_cast<std::uint64_t>(step(call, result)));
  }

  Value before(const BoundedCounterState&, const Call&, const Value&) const override { return {}; }

  void undo(BoundedCounterState& state, const Call& call, const Value& result, const Value&) const override {
    state.value = wrapping(state.value, 0 - static_cast<std::uint64_t>(step(call, result)));
  }

  // ---- Encoding: integer ----------------------------------------------------------------------------------------------

  void encode(const BoundedCounterState& state, std::string& out) const override { StateWriter(out).integer(state.value); }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<BoundedCounterState>();
    StateReader reader(bytes);
    state->value = reader.integer();
    if (!reader.complete() || state->value < 0) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& bounded_counter_type() {
  static const BoundedCounter type;
  return type;
}

}  // namespace claret

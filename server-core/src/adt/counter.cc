// Counter: a 64-bit integer with concurrent additions.
//
// State: the integer. Beside it, not part of it: the sums of all pending additions.
// Results: `add` returns nothing; `value` reads.
//
// Why it commutes: sums do not depend on order, and an `add` that returns nothing makes no promise about other additions. Only the ends of
// the 64-bit range do, and a check of pairs is not enough: three additions that fit one by one may not fit together. So the sum of all
// pending additions is kept (escrow): an `add` that might leave the range waits until it is certain to fit, and an `add` that would leave
// the range in any case is refused. Reading sees every addition, so it commutes with none.
#include <array>

#include "adt/adt.h"
#include "adt/state_codec.h"
#include "ground/errors.h"
#include "structure/escrow.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct CounterState final : State {
  std::int64_t value = 0;
  Escrow pending;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddTo = 1, kValue };
enum Modes : Mode { kRead, kAdd };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the value"},
    ModeSpec{"add", "adds to the value"},
};

constexpr std::array kAddParameters = {
    Parameter{"n", Kind::kInteger, "the amount; may be negative"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddTo, "add", kAddParameters, Kind::kVoid, OperationClass::kMutate, kAdd,
                  "Adds n. Refused (out_of_range) if the value would leave 64 bits.", kReserves},
    OperationSpec{kValue, "value", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The value; 0 at first."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "always; one that might leave 64 bits waits for the others"},
    CommutativityRule{"add", "value", "never"},
    CommutativityRule{"value", "value", "always"},
};

OwnSteps own_steps(std::span<const Held> own) {
  OwnSteps steps;
  for (const Held& held : own) {
    if (held.call->operation->id == kAddTo) steps.add(held.call->arguments[0].integer());
  }
  return steps;
}

class Counter final : public TypeOf<CounterState> {
 public:
  std::uint8_t id() const override { return 2; }
  std::string_view name() const override { return "Counter"; }
  std::string_view meaning() const override { return "A 64-bit integer to which many transactions add at the same time."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }

  Relation relation(Mode first, Mode second) const override { return first == second ? Relation::kAlways : Relation::kNever; }

 protected:
  bool commutes(const Held&, const Held&, const CounterState&) const override { return false; }

  Outcome execute(const CounterState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    if (call.operation->id == kValue) return Value(state.value);
    const std::int64_t n = call.arguments[0].integer();
    if (state.pending.judge(state.value, n, own_steps(own)) == Escrow::Verdict::kOutOfRange) {
      return Refusal{errors::kOutOfRange, "adding " + std::to_string(n) + " would leave 64 bits"};
    }
    return {};
  }

  Reservation reserve(CounterState& state, const Call& call, const Value&, std::span<const Held> own) const override {
    if (call.operation->id != kAddTo) return Reservation::kYes;
    const std::int64_t n = call.arguments[0].integer();
    if (state.pending.judge(state.value, n, own_steps(own)) != Escrow::Verdict::kFits) return Reservation::kWait;
    state.pending.take(n);
    return Reservation::kYes;
  }

  void release(CounterState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddTo) state.pending.give_back(call.arguments[0].integer());
  }

  void commit(CounterState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddTo) state.value += call.arguments[0].integer();
  }

  Value before(const CounterState&, const Call&, const Value&) const override { return {}; }

  void undo(CounterState& state, const Call& call, const Value&, const Value&) const override {
    if (call.operation->id == kAddTo) state.value -= call.arguments[0].integer();
  }

  // ---- Encoding: integer ----------------------------------------------------------------------------------------------

  void encode(const CounterState& state, std::string& out) const override { StateWriter(out).integer(state.value); }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<CounterState>();
    StateReader reader(bytes);
    state->value = reader.integer();
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& counter_type() {
  static const Counter type;
  return type;
}

}  // namespace claret

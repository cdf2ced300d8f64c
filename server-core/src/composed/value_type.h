// The type of a value field: one value of the developer's own shape, which operations of the composed type replace by expressions of it.
//
// `update` computes the new value from the old one, the call's arguments and its answer. Nothing is known about such expressions, so updates of one
// place commute with nothing else there. A definition may claim more (Claim in definition.h), and then updates are applied to another value than that on
// which they were executed. If one fails there, which only a wrong claim brings about, the value is *quarantined*: it stays as it is, and all later
// operations on it are refused. The same happens in every replay.
//
// Each update is an operation of its own, all of the same name. Not registered: there is one type for each value field of each definition.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>

#include "adt/adt.h"
#include "composed/expression.h"
#include "composed/shape.h"

namespace claret::composed {

struct HeldValue final : State {
  void replace(Value by);

  Value value;
  bool quarantined = false;
  std::uint64_t revision = 0;  // of the value: nothing else in this process has the same
};

// `to`: the new value. Calls have the composed operation's arguments, and its answer behind them.
struct Update : OperationSpec {
  Expression to;
};

class ValueType final : public TypeOf<HeldValue> {
 public:
  static constexpr std::string_view kName = "Value";

  // REQUIRES: the initial value fits the shape.
  ValueType(Shape shape, Value initial);

  // Lives as long as the type. The expression is still empty.
  Update& add_update();

  // The same values, from the same beginning.
  bool holds_the_same(const ValueType& other) const { return shape_ == other.shape_ && initial_ == other.initial_; }

  std::uint8_t id() const override { return 0; }
  std::string_view name() const override { return kName; }
  std::string_view meaning() const override { return "A value of the application's own shape."; }
  // Without the updates, which differ only in their expressions.
  std::span<const OperationSpec> operations() const override { return {&get_, 1}; }
  std::span<const ModeSpec> modes() const override;
  std::span<const CommutativityRule> rules() const override;
  std::unique_ptr<State> create() const override;
  Relation relation(Mode first, Mode second) const override;
  std::unique_ptr<State> decode(std::string_view bytes) const override;

 protected:
  bool is_empty(const HeldValue& state) const override { return !state.quarantined && state.value == initial_; }
  bool commutes(const Held& first, const Held& second, const HeldValue& committed) const override;
  Outcome execute(const HeldValue& state, const Call& call, std::span<const Held> own, const Context& context) const override;
  void commit(HeldValue& state, const Call& call, const Value& result) const override;
  Value before(const HeldValue& state, const Call& call, const Value& result) const override;
  void undo(HeldValue& state, const Call& call, const Value& result, const Value& kept) const override;
  void encode(const HeldValue& state, std::string& out) const override;

 private:
  // Absent: it fails, and `refusal` says why. `steps_left`: that it may take; less after it.
  std::optional<Value> updated(const Value& old, const Call& call, std::size_t room, std::size_t& steps_left, Refusal& refusal) const;

  // What the call that was executed last makes of a value: it is often committed right then.
  struct Memo {
    std::uint64_t revision = 0;  // 0: none
    Call call{};
    Value value{};
  };

  Shape shape_;
  Value initial_;
  OperationSpec get_;
  std::deque<Update> updates_;
  mutable Memo memo_;
};

}  // namespace claret::composed

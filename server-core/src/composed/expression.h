// An expression of a composed type's definition, and its evaluation.
//
// An expression is a tree. Loops go over the items of a list, and no expression can call itself, so each evaluation ends. The *steps* of one are
// counted: one for each node that is evaluated, for each item of a list that is gone over or made, and for each 64 bytes of a long value that is
// copied. Steps and the bytes of all values that are built have limits. An expression sees arguments, answers and what fields answer, and nothing else: no clock, no chance.
//
// Numbers: two integers give an integer, and leaving 64 bits is an error; an integer beside a number counts as a number; a number is finite.
// Values that do not suit an operator are an error too. An error refuses the operation; it never changes anything.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"

namespace claret::composed {

enum class Operator : std::uint8_t {
  kConstant,
  kList,
  kArgument,
  kAnswer,
  kOld,
  kLocal,
  kRead,
  kKeys,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kMin,
  kMax,
  kFloor,
  kPower,
  kEqual,
  kLess,
  kLessOrEqual,
  kAnd,
  kOr,
  kNot,
  kIf,
  kAbsent,
  kOrElse,
  kItem,
  kLength,
  kConcat,
  kLet,
  kMap,
  kFilter,
  kFind,
  kSort,
  kFold,
  kRange,
  kSlice,
  kJoin,
  kReplace,
  kReverse,
};

// Names of locals are numbers below this.
inline constexpr std::size_t kLocalsMax = 64;

struct Expression {
  Operator op = Operator::kConstant;
  Value constant{};
  // kArgument: which one. kRead, kKeys: the field. kLocal, and what binds a local: which one; of kFold the local that accumulates.
  std::size_t index = 0;
  std::size_t party = 0;  // kArgument and kAnswer of a claim: 0 for the first operation, 1 for the second
  std::size_t item = 0;  // kFold: the local that is each item in turn
  const OperationSpec* operation = nullptr;  // kRead
  bool keyed = false;  // kRead: the first operand is the key
  std::vector<Expression> operands{};
};

// Answers the reads of an expression.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual Outcome read(std::size_t field, std::string_view key, const OperationSpec& operation, std::vector<Value> arguments) = 0;
  // The keys of a field with one state for each, in order.
  virtual Value::List keys(std::size_t field) = 0;
};

// The values that expressions see.
struct Operation {
  std::span<const Value> arguments;
  const Value* answer = nullptr;
};

// The limits of one evaluation, which may cover several expressions. An update may be committed on a larger state than that on which it was executed,
// because others that held the record with it came first. It has to succeed there too, so a commit has more room.
inline constexpr std::size_t kStepsMax = 100'000;
inline constexpr std::size_t kBytesOfAStep = 64;  // that are copied
inline constexpr std::size_t kBuiltBytesMax = 4 * 1024 * 1024;
inline constexpr std::size_t kRoomOfCommit = 16;

class Evaluation {
 public:
  // One operation, or the two of a claim. `reader`: null if there is nothing to read. `old`: the value that an update replaces, or null.
  // `room`: how many times its limits the evaluation has. REQUIRES: all of it outlives the evaluation.
  Evaluation(Operation first, Operation second, Reader* reader, const Value* old = nullptr, std::size_t room = 1)
      : operations_{first, second}, reader_(reader), old_(old), steps_left_(room * kStepsMax), bytes_left_(room * kBuiltBytesMax) {}

  // Absent: it was refused, and refusal() says why.
  std::optional<Value> value(const Expression& expression);
  // The same for an operation's answer. A plain read of a field answers what the field's type does, however long that is.
  std::optional<Value> answer(const Expression& expression) {
    return expression.op == Operator::kRead ? read(expression) : value(expression);
  }
  const Refusal& refusal() const { return refusal_; }
  // Several evaluations may share their steps.
  std::size_t steps_left() const { return steps_left_; }
  void limit_steps(std::size_t steps) { steps_left_ = steps; }
  // From now on the local is this value. REQUIRES: it outlives the evaluation, or the local is bound anew.
  void bind(std::size_t local, const Value& value) { locals_[local] = &value; }

 private:
  using Result = std::optional<Value>;
  class Operand;
  class Binding;

  Result fail(std::string_view code, std::string message);
  Result fail_type(std::string_view what);
  bool take_steps(std::size_t steps);
  // The value, whose copying is counted as steps.
  Result copy(const Value& value);
  // Counts the bytes of a value that was built.
  Result built(Value value);
  // The value of something that is there already; null if it has yet to be computed.
  const Value* find(const Expression& expression) const;
  bool operand(const Expression& expression, Operand& out);
  // The operand as a list, whose items are counted as steps; null if it is none.
  const Value::List* list_operand(const Expression& expression, Operand& out);
  std::optional<std::int64_t> integer(const Expression& expression);
  std::optional<bool> condition(const Expression& expression);
  // `body`, for an item of the list.
  Result body_of(std::size_t local, const Value& item, const Expression& body);

  Result compute(const Expression& expression);
  Result read(const Expression& expression);
  Result list(const Expression& expression);
  Result arithmetic(const Expression& expression);
  Result integers(Operator op, std::int64_t a, std::int64_t b);
  Result numbers(Operator op, double a, double b);
  Result power(const Expression& expression);
  Result floor(const Expression& expression);
  Result compare(const Expression& expression);
  Result both(const Expression& expression);
  Result choose(const Expression& expression);
  Result item(const Expression& expression);
  Result length(const Expression& expression);
  Result concat(const Expression& expression);
  // expression_lists.cc
  Result let(const Expression& expression);
  Result map(const Expression& expression);
  Result filter(const Expression& expression);
  Result find_item(const Expression& expression);
  Result sort(const Expression& expression);
  Result fold(const Expression& expression);
  Result range(const Expression& expression);
  Result slice(const Expression& expression);
  Result join(const Expression& expression);
  Result replace(const Expression& expression);
  Result reverse(const Expression& expression);

  Operation operations_[2];
  Reader* reader_;
  const Value* old_;
  Refusal refusal_;
  std::size_t steps_left_;
  std::size_t bytes_left_;  // of what it may still build
  std::array<const Value*, kLocalsMax> locals_{};  // of those that are bound where the evaluation stands
};

// The value of an operand: one that was there already, or one that was computed for it.
class Evaluation::Operand {
 public:
  Operand() = default;
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  const Value& operator*() const { return *value_; }
  const Value* operator->() const { return value_; }
  void refer_to(const Value& value) { value_ = &value; }
  void hold(Value value) {
    own_ = std::move(value);
    value_ = &own_;
  }
  // The items, or a copy of them if others need them too. REQUIRES: it is a list.
  Value::List take_list() { return value_ == &own_ ? std::move(own_.list()) : value_->list(); }

 private:
  Value own_;
  const Value* value_ = nullptr;
};

// How two values are ordered: numbers by their value, integers and numbers among each other exactly, texts by their bytes. Unordered: they cannot be
// compared.
std::partial_ordering order(const Value& first, const Value& second);

// In memory, about.
std::size_t bytes_built(const Value& value);

}  // namespace claret::composed

// An expression of a composed type's definition, and its evaluation.
//
// An expression is a tree without loops or calls of itself: each node is evaluated at most once, so the work is bounded by the number of nodes
// and by the texts and lists that they build. It sees arguments, answers and what fields answer, and nothing else: no clock, no chance.
//
// Numbers: two integers give an integer, and leaving 64 bits is an error; an integer beside a number counts as a number; a number is finite.
// Values that do not suit an operator are an error too. An error refuses the operation; it never changes anything.
#pragma once

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
  kRead,
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
};

struct Expression {
  Operator op = Operator::kConstant;
  Value constant{};
  // kArgument: which one. kArgument and kAnswer of a claim: `party` 0 for the first operation, 1 for the second. kRead: the field.
  std::size_t index = 0;
  std::size_t party = 0;
  const OperationSpec* operation = nullptr;  // kRead
  bool keyed = false;  // kRead: the first operand is the key
  std::vector<Expression> operands{};
};

// Answers the reads of an expression.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual Outcome read(std::size_t field, std::string_view key, const OperationSpec& operation, std::vector<Value> arguments) = 0;
};

// The values that expressions see.
struct Operation {
  std::span<const Value> arguments;
  const Value* answer = nullptr;
};

class Evaluation {
 public:
  // One operation, or the two of a claim. `reader`: null if there is nothing to read. REQUIRES: all of it outlives the evaluation.
  Evaluation(Operation first, Operation second, Reader* reader) : operations_{first, second}, reader_(reader) {}

  // Absent: it was refused, and refusal() says why.
  std::optional<Value> value(const Expression& expression);
  // The same for an operation's answer. A plain read of a field answers what the field's type does, however long that is.
  std::optional<Value> answer(const Expression& expression) {
    return expression.op == Operator::kRead ? read(expression) : value(expression);
  }
  const Refusal& refusal() const { return refusal_; }

 private:
  using Result = std::optional<Value>;
  Result fail(std::string_view code, std::string message);
  Result fail_type(std::string_view what);
  // Counts the bytes of a value that was built.
  Result built(Value value);
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
  std::optional<bool> condition(const Expression& expression);

  Operation operations_[2];
  Reader* reader_;
  Refusal refusal_;
  std::size_t built_bytes_ = 0;
};

// Of all values that one evaluation builds.
inline constexpr std::size_t kBuiltBytesMax = 256 * 1024;

}  // namespace claret::composed

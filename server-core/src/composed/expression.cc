#include "composed/expression.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

#include "adt/check.h"
#include "ground/errors.h"

namespace claret::composed {

namespace {

// Of a double from 0 to 1.
constexpr int kFractionBits = 53;

std::optional<double> as_number(const Value& value) {
  if (value.is_number()) return value.number();
  if (value.is_integer()) return static_cast<double>(value.integer());
  return std::nullopt;
}

// Exact: a double beyond 2^53 may lie between two integers.
std::partial_ordering order_of(std::int64_t integer, double number) {
  if (number >= 0x1p63) return std::partial_ordering::less;
  if (number < -0x1p63) return std::partial_ordering::greater;
  const double whole = std::floor(number);
  const auto floor = static_cast<std::int64_t>(whole);
  if (integer != floor) return integer <=> floor;
  return whole < number ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

bool equal(const Value& a, const Value& b) {
  if (a.is_list() && b.is_list()) {
    return std::equal(a.list().begin(), a.list().end(), b.list().begin(), b.list().end(),
                      [](const Value& one, const Value& other) { return equal(one, other); });
  }
  const auto found = order(a, b);
  return found == std::partial_ordering::unordered ? a == b : found == std::partial_ordering::equivalent;
}

}  // namespace

std::partial_ordering order(const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) return a.integer() <=> b.integer();
  if (a.is_number() && b.is_number()) return a.number() <=> b.number();
  if (a.is_integer() && b.is_number()) return order_of(a.integer(), b.number());
  if (a.is_number() && b.is_integer()) return 0 <=> order_of(b.integer(), a.number());
  if (a.is_text() && b.is_text()) return a.text() <=> b.text();
  return std::partial_ordering::unordered;
}

std::size_t bytes_built(const Value& value) {
  std::size_t bytes = sizeof(Value);
  if (value.is_text()) bytes += value.text().size();
  if (value.is_list()) {
    for (const Value& item : value.list()) bytes += bytes_built(item);
  }
  return bytes;
}

Evaluation::Result Evaluation::fail(std::string_view code, std::string message) {
  refusal_ = {code, std::move(message)};
  return std::nullopt;
}

Evaluation::Result Evaluation::fail_type(std::string_view what) {
  return fail(errors::kWrongArgumentType, "the type's definition wants " + std::string(what));
}

Evaluation::Result Evaluation::built(Value value) {
  const std::size_t bytes = bytes_built(value);
  if (bytes > bytes_left_) return fail(errors::kArgumentTooLarge, "the type's definition builds too long a value");
  bytes_left_ -= bytes;
  return value;
}

bool Evaluation::take_steps(std::size_t steps) {
  if (steps > steps_left_) {
    fail(errors::kTooManySteps, "an operation takes at most " + std::to_string(kStepsMax) + " steps");
    return false;
  }
  steps_left_ -= steps;
  return true;
}

Evaluation::Result Evaluation::copy(const Value& value) {
  const bool is_long = value.is_text() || value.is_list();
  if (is_long && !take_steps(bytes_built(value) / kBytesOfAStep)) return std::nullopt;
  return value;
}

const Value* Evaluation::find(const Expression& expression) const {
  switch (expression.op) {
    case Operator::kConstant:
      return &expression.constant;
    case Operator::kArgument:
      return &operations_[expression.party].arguments[expression.index];
    case Operator::kAnswer:
      return operations_[expression.party].answer;
    case Operator::kOld:
      return old_;
    case Operator::kLocal:
      return locals_[expression.index];
    default:
      return nullptr;
  }
}

bool Evaluation::operand(const Expression& expression, Operand& out) {
  if (const Value* found = find(expression)) {
    out.refer_to(*found);
    return take_steps(1);
  }
  if (expression.op == Operator::kItem) {
    const Value* list = find(expression.operands[0]);
    const Value& place = expression.operands[1].constant;
    if (list != nullptr && list->is_list() && place.is_integer() && std::cmp_less(place.integer(), list->list().size()) &&
        place.integer() >= 0) {
      out.refer_to(list->list()[static_cast<std::size_t>(place.integer())]);
      return take_steps(3);
    }
  }
  Result computed = value(expression);
  if (!computed) return false;
  out.hold(*std::move(computed));
  return true;
}

Evaluation::Result Evaluation::value(const Expression& expression) {
  if (!take_steps(1)) return std::nullopt;
  if (const Value* found = find(expression)) return copy(*found);
  return compute(expression);
}

Evaluation::Result Evaluation::compute(const Expression& expression) {
  switch (expression.op) {
    case Operator::kConstant:
    case Operator::kArgument:
    case Operator::kAnswer:
    case Operator::kOld:
    case Operator::kLocal:
      break;
    case Operator::kRead: {
      Result result = read(expression);
      return result ? built(*std::move(result)) : result;
    }
    case Operator::kKeys:
      return built(Value(reader_->keys(expression.index)));
    case Operator::kList:
      return list(expression);
    case Operator::kAdd:
    case Operator::kSubtract:
    case Operator::kMultiply:
    case Operator::kDivide:
    case Operator::kModulo:
    case Operator::kMin:
    case Operator::kMax:
      return arithmetic(expression);
    case Operator::kFloor:
      return floor(expression);
    case Operator::kPower:
      return power(expression);
    case Operator::kEqual:
    case Operator::kLess:
    case Operator::kLessOrEqual:
      return compare(expression);
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kNot:
      return both(expression);
    case Operator::kIf:
    case Operator::kOrElse:
      return choose(expression);
    case Operator::kAbsent: {
      Operand of;
      if (!operand(expression.operands[0], of)) return std::nullopt;
      return Value(of->absent());
    }
    case Operator::kItem:
      return item(expression);
    case Operator::kLength:
      return length(expression);
    case Operator::kConcat:
      return concat(expression);
    case Operator::kLet:
      return let(expression);
    case Operator::kMap:
      return map(expression);
    case Operator::kFilter:
      return filter(expression);
    case Operator::kFind:
      return find_item(expression);
    case Operator::kSort:
      return sort(expression);
    case Operator::kFold:
      return fold(expression);
    case Operator::kRange:
      return range(expression);
    case Operator::kSlice:
      return slice(expression);
    case Operator::kJoin:
      return join(expression);
    case Operator::kReplace:
      return replace(expression);
    case Operator::kReverse:
      return reverse(expression);
  }
  return std::nullopt;
}

Evaluation::Result Evaluation::read(const Expression& expression) {
  std::string key;
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    Result operand = value(expression.operands[i]);
    if (!operand) return operand;
    if (i > 0 || !expression.keyed) {
      arguments.push_back(*std::move(operand));
    } else if (operand->is_text()) {
      key = operand->text();
    } else {
      return fail_type("a text as a key");
    }
  }
  Outcome outcome = reader_->read(expression.index, key, *expression.operation, std::move(arguments));
  if (outcome.refused()) {
    refusal_ = outcome.refusal();
    return std::nullopt;
  }
  return outcome.take_result();
}

Evaluation::Result Evaluation::list(const Expression& expression) {
  Value::List items;
  for (const Expression& operand : expression.operands) {
    Result item = value(operand);
    if (!item) return item;
    items.push_back(*std::move(item));
  }
  return built(Value(std::move(items)));
}

Evaluation::Result Evaluation::arithmetic(const Expression& expression) {
  Operand a, b;
  if (!operand(expression.operands[0], a) || !operand(expression.operands[1], b)) return std::nullopt;
  if (a->is_integer() && b->is_integer()) return integers(expression.op, a->integer(), b->integer());
  const auto first = as_number(*a), second = as_number(*b);
  if (!first || !second) return fail_type("numbers");
  return numbers(expression.op, *first, *second);
}

Evaluation::Result Evaluation::integers(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool beyond = false;
  switch (op) {
    case Operator::kAdd:
      beyond = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::kSubtract:
      beyond = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::kMultiply:
      beyond = __builtin_mul_overflow(a, b, &result);
      break;
    case Operator::kMin:
      return Value(std::min(a, b));
    case Operator::kMax:
      return Value(std::max(a, b));
    default:
      if (b == 0) return fail(errors::kOutOfRange, "the type's definition divides by 0");
      if (b == -1) {  // the least integer has no negative
        beyond = op == Operator::kDivide && __builtin_sub_overflow(std::int64_t{0}, a, &result);
      } else {
        result = op == Operator::kDivide ? a / b : a % b;
      }
  }
  if (beyond) return fail(errors::kOutOfRange, "a result would leave 64 bits");
  return Value(result);
}

Evaluation::Result Evaluation::numbers(Operator op, double a, double b) {
  double result = 0;
  switch (op) {
    case Operator::kAdd:
      result = a + b;
      break;
    case Operator::kSubtract:
      result = a - b;
      break;
    case Operator::kMultiply:
      result = a * b;
      break;
    case Operator::kDivide:
      result = a / b;
      break;
    case Operator::kModulo:
      result = std::fmod(a, b);
      break;
    case Operator::kMin:
      result = std::min(a, b);
      break;
    default:
      result = std::max(a, b);
  }
  if (!std::isfinite(result)) return fail(errors::kNotFinite, "a result would not be a finite number");
  return Value(result == 0 ? 0.0 : result);
}

// The values of powers by other mathematics libraries differ in their last bit, and replicas may use another one. A square root does not,
// nor do products: powers are made of these (with the 52 bits of the exponent's fraction).
Evaluation::Result Evaluation::power(const Expression& expression) {
  Operand a, b;
  if (!operand(expression.operands[0], a) || !operand(expression.operands[1], b)) return std::nullopt;
  const auto base = as_number(*a), exponent = as_number(*b);
  if (!base || !exponent) return fail_type("numbers");
  if (*base <= 0 || std::abs(*exponent) > 1e6)
    return fail(errors::kOutOfRange, "a power needs a base above 0 and an exponent up to a million");
  const double whole = std::floor(*exponent);
  double result = 1;
  double factor = whole < 0 ? 1 / *base : *base;
  for (auto left = static_cast<std::uint64_t>(std::abs(whole)); left != 0; left >>= 1) {
    if ((left & 1) != 0) result *= factor;
    factor *= factor;
  }
  // Of an exponent just below an integer, the difference may be rounded to 1.
  double fraction = *exponent - whole;
  double root = fraction < 1 ? *base : *base * *base;
  if (fraction >= 1) fraction = 0.5;
  for (int bit = 0; bit < kFractionBits && fraction > 0; ++bit) {
    root = std::sqrt(root);
    fraction *= 2;
    if (fraction >= 1) {
      result *= root;
      fraction -= 1;
    }
  }
  if (!std::isfinite(result)) return fail(errors::kNotFinite, "a power would not be a finite number");
  return Value(result);
}

Evaluation::Result Evaluation::floor(const Expression& expression) {
  Result operand = value(expression.operands[0]);
  if (!operand || operand->is_integer()) return operand;
  if (!operand->is_number()) return fail_type("a number");
  const double whole = std::floor(operand->number());
  if (whole >= 0x1p63 || whole < -0x1p63) return fail(errors::kOutOfRange, "a result would leave 64 bits");
  return Value(static_cast<std::int64_t>(whole));
}

Evaluation::Result Evaluation::compare(const Expression& expression) {
  Operand a, b;
  if (!operand(expression.operands[0], a) || !operand(expression.operands[1], b)) return std::nullopt;
  if (!take_steps((bytes_built(*a) + bytes_built(*b)) / kBytesOfAStep)) return std::nullopt;
  if (expression.op == Operator::kEqual) return Value(equal(*a, *b));
  const auto found = order(*a, *b);
  if (found == std::partial_ordering::unordered) return fail_type("two numbers or two texts to compare");
  return Value(found == std::partial_ordering::less ||
               (expression.op == Operator::kLessOrEqual && found == std::partial_ordering::equivalent));
}

std::optional<bool> Evaluation::condition(const Expression& expression) {
  Operand truth;
  if (!operand(expression, truth)) return std::nullopt;
  if (truth->is_boolean()) return truth->boolean();
  fail_type("true or false as a condition");
  return std::nullopt;
}

Evaluation::Result Evaluation::both(const Expression& expression) {
  const auto first = condition(expression.operands[0]);
  if (!first) return std::nullopt;
  if (expression.op == Operator::kNot) return Value(!*first);
  if (*first == (expression.op == Operator::kOr)) return Value(*first);
  const auto second = condition(expression.operands[1]);
  if (!second) return std::nullopt;
  return Value(*second);
}

Evaluation::Result Evaluation::choose(const Expression& expression) {
  if (expression.op == Operator::kOrElse) {
    Result first = value(expression.operands[0]);
    return !first || !first->absent() ? first : value(expression.operands[1]);
  }
  const auto first = condition(expression.operands[0]);
  if (!first) return std::nullopt;
  return value(expression.operands[*first ? 1 : 2]);
}

Evaluation::Result Evaluation::item(const Expression& expression) {
  Operand list, place;
  if (!operand(expression.operands[0], list) || !operand(expression.operands[1], place)) return std::nullopt;
  if (list->absent()) return Value();
  if (!list->is_list() || !place->is_integer()) return fail_type("a list and a place in it");
  const std::int64_t index = place->integer();
  if (index < 0 || std::cmp_greater_equal(index, list->list().size())) return Value();
  return copy(list->list()[static_cast<std::size_t>(index)]);
}

Evaluation::Result Evaluation::length(const Expression& expression) {
  Operand of;
  if (!operand(expression.operands[0], of)) return std::nullopt;
  if (of->is_list()) return Value(static_cast<std::int64_t>(of->list().size()));
  if (of->is_text()) return Value(static_cast<std::int64_t>(of->text().size()));
  return fail_type("a list or a text to measure");
}

Evaluation::Result Evaluation::concat(const Expression& expression) {
  std::string text;
  for (const Expression& part : expression.operands) {
    Operand given;
    if (!operand(part, given)) return std::nullopt;
    if (given->is_text()) {
      text += given->text();
    } else if (given->is_integer()) {
      text += std::to_string(given->integer());
    } else {
      return fail_type("texts and integers to put together");
    }
    if (text.size() > kTextBytesMax)
      return fail(errors::kArgumentTooLarge, "a text would be over " + std::to_string(kTextBytesMax) + " bytes");
  }
  return built(Value(std::move(text)));
}

}  // namespace claret::composed

#include "composed/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ground/errors.h"

namespace claret::composed {
namespace {

Expression constant(Value value) { return {.op = Operator::kConstant, .constant = std::move(value)}; }
Expression apply(Operator op, std::vector<Value> operands) {
  Expression expression{.op = op};
  for (Value& operand : operands) expression.operands.push_back(constant(std::move(operand)));
  return expression;
}

// The value, or the code of the refusal as a text.
Value evaluate(const Expression& expression) {
  Evaluation evaluation({}, {}, nullptr);
  const auto value = evaluation.value(expression);
  return value ? *value : Value(std::string(evaluation.refusal().code));
}
Value evaluate(Operator op, std::vector<Value> operands) { return evaluate(apply(op, std::move(operands))); }

Value integer(std::int64_t value) { return value; }
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kGreatest = std::numeric_limits<std::int64_t>::max();

TEST(Expression, IntegersStayIntegersAndNeverWrap) {
  EXPECT_EQ(evaluate(Operator::kAdd, {integer(2), integer(3)}), integer(5));
  EXPECT_EQ(evaluate(Operator::kDivide, {integer(-7), integer(2)}), integer(-3));
  EXPECT_EQ(evaluate(Operator::kModulo, {integer(-7), integer(2)}), integer(-1));
  EXPECT_EQ(evaluate(Operator::kModulo, {integer(kLeast), integer(-1)}), integer(0));
  const Value beyond(std::string(errors::kOutOfRange));
  EXPECT_EQ(evaluate(Operator::kAdd, {integer(kGreatest), integer(1)}), beyond);
  EXPECT_EQ(evaluate(Operator::kSubtract, {integer(kLeast), integer(1)}), beyond);
  EXPECT_EQ(evaluate(Operator::kMultiply, {integer(kGreatest), integer(2)}), beyond);
  EXPECT_EQ(evaluate(Operator::kDivide, {integer(kLeast), integer(-1)}), beyond);
  EXPECT_EQ(evaluate(Operator::kDivide, {integer(1), integer(0)}), beyond);
  EXPECT_EQ(evaluate(Operator::kFloor, {1e300}), beyond);
}

TEST(Expression, NumbersStayFinite) {
  EXPECT_EQ(evaluate(Operator::kAdd, {0.5, integer(1)}), Value(1.5));
  for (const Operator op : {Operator::kMultiply, Operator::kAdd})
    EXPECT_EQ(evaluate(op, {1.7e308, 1.7e308}), Value(std::string(errors::kNotFinite)));
  EXPECT_EQ(evaluate(Operator::kDivide, {1.0, 0.0}), Value(std::string(errors::kNotFinite)));
  EXPECT_EQ(evaluate(Operator::kModulo, {1.0, 0.0}), Value(std::string(errors::kNotFinite)));
}

TEST(Expression, PowersAreThoseOfTheLibraryToTheLastBits) {
  for (const double base : {0.3, 1.0, 2.0, 10.0}) {
    for (const double exponent : {-3.7, -1.0, -0.5, 0.0, 0.1, 0.5, 1.0, 2.25, 20.0, 33.3}) {
      const Value found = evaluate(Operator::kPower, {base, exponent});
      ASSERT_TRUE(found.is_number());
      EXPECT_NEAR(found.number() / std::pow(base, exponent), 1, 1e-13) << base << " to the " << exponent;
    }
  }
}

TEST(Expression, APowerEndsForEveryExponent) {
  const double least = std::numeric_limits<double>::denorm_min();
  for (const double exponent : {-least, least, -1e-300, -1e-17, 1 - 1e-17, std::nextafter(1.0, 0.0), std::nextafter(0.0, -1.0)}) {
    EXPECT_NEAR(evaluate(Operator::kPower, {2.0, exponent}).number(), std::pow(2.0, exponent), 1e-12) << exponent;
  }
  EXPECT_EQ(evaluate(Operator::kPower, {2.0, 1e6}), Value(std::string(errors::kNotFinite)));
  EXPECT_EQ(evaluate(Operator::kPower, {2.0, 1e300}), Value(std::string(errors::kOutOfRange)));
  EXPECT_EQ(evaluate(Operator::kPower, {-2.0, 0.5}), Value(std::string(errors::kOutOfRange)));
}

TEST(Expression, ComparesIntegersWithNumbersExactly) {
  EXPECT_EQ(evaluate(Operator::kLess, {integer((std::int64_t{1} << 53) + 1), 0x1p53}), Value(false));
  EXPECT_EQ(evaluate(Operator::kLess, {0x1p53, integer((std::int64_t{1} << 53) + 1)}), Value(true));
  EXPECT_EQ(evaluate(Operator::kEqual, {integer(kGreatest), 0x1p63}), Value(false));
  EXPECT_EQ(evaluate(Operator::kLessOrEqual, {integer(kGreatest), 0x1p63}), Value(true));
  EXPECT_EQ(evaluate(Operator::kEqual, {integer(1), 1.0}), Value(true));
  EXPECT_EQ(evaluate(Operator::kEqual, {"1", integer(1)}), Value(false));
  EXPECT_EQ(evaluate(Operator::kLess, {"1", integer(1)}), Value(std::string(errors::kWrongArgumentType)));
}

TEST(Expression, EvaluatesOnlyTheBranchThatIsChosen) {
  const Expression wrong = apply(Operator::kDivide, {integer(1), integer(0)});
  Expression choice = apply(Operator::kIf, {true, integer(1)});
  choice.operands.push_back(wrong);
  EXPECT_EQ(evaluate(choice), integer(1));
  Expression either = apply(Operator::kOr, {true});
  either.operands.push_back(wrong);
  EXPECT_EQ(evaluate(either), Value(true));
  Expression given = apply(Operator::kOrElse, {integer(0)});
  given.operands.push_back(wrong);
  EXPECT_EQ(evaluate(given), integer(0));
}

TEST(Expression, TakesItemsOfLists) {
  const Value list(Value::List{integer(1), "b"});
  EXPECT_EQ(evaluate(Operator::kItem, {list, integer(1)}), Value("b"));
  EXPECT_EQ(evaluate(Operator::kItem, {list, integer(2)}), Value());
  EXPECT_EQ(evaluate(Operator::kItem, {list, integer(-1)}), Value());
  EXPECT_EQ(evaluate(Operator::kItem, {Value(), integer(0)}), Value());
  EXPECT_EQ(evaluate(Operator::kLength, {list}), integer(2));
}

TEST(Expression, BuildsNoMoreThanItsLimit) {
  const Value text(std::string(60'000, 'x'));
  EXPECT_EQ(evaluate(Operator::kConcat, {text, text}), Value(std::string(errors::kArgumentTooLarge)));
  EXPECT_EQ(evaluate(Operator::kList, std::vector<Value>(70, text)), Value(std::string(errors::kArgumentTooLarge)));
}

}  // namespace
}  // namespace claret::composed

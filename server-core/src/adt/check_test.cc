#include "adt/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "adt/registry.h"

namespace claret {
namespace {

// Returns the error's code, or an empty text. Leaves the arguments as check_call normalized them.
std::string_view check(std::string_view type_name, std::string_view operation, std::vector<Value>& arguments) {
  const DataType& type = *find_type(type_name);
  const std::optional<Error> error = check_call(type, *type.find(operation), arguments);
  return error ? error->code : std::string_view();
}

std::string_view check(std::string_view type_name, std::string_view operation, std::vector<Value>&& arguments) {
  return check(type_name, operation, arguments);
}

Value integer(std::int64_t value) { return Value(value); }

TEST(CheckCall, CountsArguments) {
  EXPECT_EQ(check("Counter", "add", {}), errors::kWrongArgumentCount);
  EXPECT_EQ(check("Counter", "add", {integer(1), integer(2)}), errors::kWrongArgumentCount);
  EXPECT_EQ(check("Counter", "value", {}), "");
}

TEST(CheckCall, FillsInTrailingOptionalArguments) {
  std::vector<Value> arguments = {integer(10)};
  EXPECT_EQ(check("Set", "members", arguments), "");
  EXPECT_EQ(arguments, (std::vector<Value>{integer(10), Value()}));
  EXPECT_EQ(check("Register", "compareAndSet", {integer(1)}), errors::kWrongArgumentCount);
}

TEST(CheckCall, DistinguishesKinds) {
  EXPECT_EQ(check("Counter", "add", {"1"}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Counter", "add", {1.5}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Counter", "add", {1e19}), errors::kOutOfRange);
  EXPECT_EQ(check("Counter", "add", {Value()}), errors::kWrongArgumentType);
  EXPECT_EQ(check("TopK", "add", {"a", true}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Register", "set", {Value(Value::List{})}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Dict", "get", {Value(Value::List{integer(1)})}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Dict", "set", {Value(Value::List{Value(Value::List{Value("a")})})}), errors::kWrongArgumentType);
  EXPECT_EQ(check("Dict", "set", {Value(Value::List{Value(Value::List{Value("a"), Value()})})}), errors::kWrongArgumentType);
}

TEST(CheckCall, RefusesNumbersThatAreNotFinite) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(check("TopK", "add", {"a", number}), errors::kNotFinite);
    EXPECT_EQ(check("Register", "set", {number}), errors::kNotFinite);
    EXPECT_EQ(check("Counter", "add", {number}), errors::kNotFinite);
  }
}

TEST(CheckCall, LimitsTextsAndLists) {
  EXPECT_EQ(check("Set", "add", {std::string(kTextBytesMax, 'x')}), "");
  EXPECT_EQ(check("Set", "add", {std::string(kTextBytesMax + 1, 'x')}), errors::kArgumentTooLarge);
  EXPECT_EQ(check("Dict", "get", {Value(Value::List(kItemsMax, Value("a")))}), "");
  EXPECT_EQ(check("Dict", "get", {Value(Value::List(kItemsMax + 1, Value("a")))}), errors::kArgumentTooLarge);
}

TEST(CheckCall, TurnsIntegersIntoNumbersWhereANumberIsExpected) {
  std::vector<Value> arguments = {Value("a"), integer(3)};
  EXPECT_EQ(check("TopK", "add", arguments), "");
  EXPECT_EQ(arguments[1], Value(3.0));
  EXPECT_EQ(check("TopK", "add", {"a", integer(kExactNumberMax + 1)}), errors::kOutOfRange);
}

TEST(CheckCall, TurnsNegativeZeroIntoZero) {
  std::vector<Value> arguments = {Value("a"), Value(-0.0)};
  EXPECT_EQ(check("TopK", "add", arguments), "");
  EXPECT_FALSE(std::signbit(arguments[1].number()));
}

TEST(CheckCall, NamesTheOperationInItsError) {
  const DataType& type = *find_type("Counter");
  std::vector<Value> arguments = {Value("x")};
  const std::optional<Error> error = check_call(type, *type.find("add"), arguments);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->operation, "Counter.add");
  EXPECT_EQ(error->message, "`n` must be of kind integer");
  EXPECT_FALSE(error->retryable);
}

}  // namespace
}  // namespace claret

#include "resp/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace claret::resp {
namespace {

std::string shown(double number) {
  std::string text;
  append_double(text, number);
  return text;
}

std::string shown_long(long double number) {
  std::string text;
  append_long_double(text, number);
  return text;
}

std::string sum(std::string_view left, std::string_view right) {
  const auto first = parse_long_double(left);
  const auto second = parse_long_double(right);
  return first && second ? shown_long(*first + *second) : "refused";
}

TEST(RespNumbers, ThatAreIntegersHaveOneForm) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const auto text :
       {"", "-", "+1", " 1", "1 ", "01", "-0", "-01", "00", "1.0", "1e3", "0x1", "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_integer(std::string_view("1\0", 2)), std::nullopt);
}

TEST(RespNumbers, ThatAreDoublesAreThoseOfRedis) {
  EXPECT_EQ(parse_double("+1.5"), 1.5);
  EXPECT_EQ(parse_double(".5"), .5);
  EXPECT_EQ(parse_double("5."), 5);
  EXPECT_EQ(parse_double("-1e5"), -1e5);
  EXPECT_EQ(parse_double("0x1p3"), 8);
  EXPECT_EQ(parse_double("-0X1F"), -31);
  EXPECT_EQ(parse_double("+inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_double(std::string(400, '0') + "1"), 1);
  for (const auto text : {"",
                          " 1",
                          "1 ",
                          "\t1",
                          "nan",
                          "-nan",
                          "NaN(1)",
                          "infinit",
                          "1e400",
                          "-1e400",
                          "1e-400",
                          "2e-324",
                          "0x",
                          ".",
                          "1e",
                          "--1",
                          "1,5",
                          "1_0",
                          "1d",
                          "1e99999999999999999999",
                          "1.7976931348623159e308"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_double(std::string_view("1\0", 2)), std::nullopt);
}

TEST(RespNumbers, ThatLimitScoresMayBeExclusive) {
  const auto bound = [](std::string_view text) {
    const auto parsed = parse_score_bound(text);
    return parsed ? (parsed->exclusive ? "(" : "") + shown(parsed->value) : std::string("refused");
  };
  EXPECT_EQ(bound("1.5"), "1.5");
  EXPECT_EQ(bound("(1.5"), "(1.5");
  EXPECT_EQ(bound("-inf"), "-inf");
  EXPECT_EQ(bound("(+inf"), "(inf");
  // Odd, but so it is.
  EXPECT_EQ(bound(""), "0");
  EXPECT_EQ(bound("("), "(0");
  EXPECT_EQ(bound(" 1"), "1");
  EXPECT_EQ(bound("1e400"), "inf");
  EXPECT_EQ(bound(std::string_view("1\0x", 3)), "1");
  for (const auto text : {"nan", "(nan", "1 ", "((1", "a", "[1"}) EXPECT_EQ(bound(text), "refused") << text;
}

TEST(RespNumbers, ThatAreDoublesAreShownWithSeventeenDigits) {
  EXPECT_EQ(shown(3), "3");
  EXPECT_EQ(shown(0.1), "0.10000000000000001");
  EXPECT_EQ(shown(1e17), "1e+17");
  EXPECT_EQ(shown(1e16), "10000000000000000");
  EXPECT_EQ(shown(123456789012345678.0), "1.2345678901234568e+17");
  EXPECT_EQ(shown(0.00001), "1.0000000000000001e-05");
  EXPECT_EQ(shown(4.9406564584124654e-324), "4.9406564584124654e-324");
  EXPECT_EQ(shown(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(shown(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(RespNumbers, ThatAreAddedAreShownWithoutExponent) {
  EXPECT_EQ(sum("1", "0.1"), "1.1");
  EXPECT_EQ(sum("3.0", "5.0e3"), "5003");
  EXPECT_EQ(sum("5.0e3", "2.0e2"), "5200");
  EXPECT_EQ(sum("10.5", "0.1"), "10.6");
  EXPECT_EQ(sum("1e17", "0"), "100000000000000000");
  EXPECT_EQ(sum("-1.5", "1.5"), "0");
  EXPECT_EQ(sum("0", "-1e-18"), "0");
  EXPECT_EQ(sum("0", "0x1p3"), "8");
  EXPECT_EQ(sum("1e400", "0").size(), 401u);
  EXPECT_EQ(shown_long(std::numeric_limits<long double>::max()).size(), std::numeric_limits<long double>::max_exponent10 + 1u);
  for (const auto text : {"", " 1", "1 ", "nan", "1e5000", "1e-5000"}) EXPECT_EQ(sum("0", text), "refused") << text;
  EXPECT_EQ(sum("0", std::string(6000, '0')), "refused");
}

#if __LDBL_MANT_DIG__ == 64  // elsewhere the digits differ, as they do in Redis
TEST(RespNumbers, ThatAreAddedHaveTheDigitsOfExtendedPrecision) {
  EXPECT_EQ(sum("0", "0.00000000000000001"), "0.00000000000000001");
  EXPECT_EQ(sum("1", "1e-17"), "1.00000000000000001");
  EXPECT_EQ(sum("0", "3.14159265358979323846"), "3.14159265358979324");
  EXPECT_EQ(sum("0", "123456789012345678901234567890"), "123456789012345678899921813504");
}
#endif

}  // namespace
}  // namespace claret::resp

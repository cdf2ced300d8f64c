#include "wire/value_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "ground/errors.h"

namespace claret {
namespace {

std::string written(const Value& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  write_value(writer, value);
  return bytes;
}

Value there_and_back(const Value& value, std::string_view& problem) {
  const std::string bytes = written(value);
  return read_value(protozero::pbf_reader(bytes), problem);
}

TEST(Values, AreReadAsTheyWereWritten) {
  const std::vector<Value> values = {
      Value(),
      Value(false),
      Value(true),
      Value(std::int64_t{0}),
      Value(std::int64_t{-1}),
      Value(std::numeric_limits<std::int64_t>::min()),
      Value(std::numeric_limits<std::int64_t>::max()),
      Value(0.5),
      Value(-std::numeric_limits<double>::max()),
      Value(std::string()),
      Value(std::string("caf\xC3\xA9")),
      Value(std::vector<Value>{}),
      Value(std::vector<Value>{Value(std::string("a")), Value(std::vector<Value>{Value(std::int64_t{3}), Value()})}),
  };
  for (const Value& value : values) {
    std::string_view problem;
    EXPECT_EQ(there_and_back(value, problem), value);
    EXPECT_EQ(problem, "");
  }
}

TEST(Values, NumbersThatAreNotFiniteAreReported) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    std::string_view problem;
    there_and_back(Value(number), problem);
    EXPECT_EQ(problem, errors::kNotFinite);
  }
}

TEST(Values, NestedTooDeeplyAreRefused) {
  Value nested(std::int64_t{1});
  for (int depth = 0; depth < 500; ++depth) nested = Value(std::vector<Value>{std::move(nested)});
  std::string_view problem;
  there_and_back(nested, problem);
  EXPECT_NE(problem, "");
}

}  // namespace
}  // namespace claret

#include <gtest/gtest.h>

#include "adt/test_record.h"

namespace claret {
namespace {

TEST(HyperLogLog, CountsDifferentTexts) {
  TestRecord record("HyperLogLog");
  EXPECT_EQ(record.run("count"), integer(0));
  for (const char* visitor : {"ann", "bob", "ann", "cem", "bob"}) record.run("add", {visitor});
  EXPECT_EQ(record.run("count"), integer(3));
}

TEST(HyperLogLog, CountCommutesWithAnAddOfACountedText) {
  TestRecord record("HyperLogLog");
  record.run("add", {"ann"});
  EXPECT_TRUE(record.commute(record.call("count"), record.call("add", {"ann"})));
  EXPECT_FALSE(record.commute(record.call("count"), record.call("add", {"bob"})));
}

TEST(HyperLogLog, AnAlmostEmptySketchTakesFewBytes) {
  TestRecord record("HyperLogLog");
  std::string bytes;
  record.type().encode(record.state(), bytes);
  EXPECT_EQ(bytes.size(), 1u);
  for (int i = 0; i < 100; ++i) record.run("add", {Value("visitor-" + std::to_string(i))});
  bytes.clear();
  record.type().encode(record.state(), bytes);
  EXPECT_LT(bytes.size(), 400u);
}

// Among the 1,500 texts are some that raise no register and some that raise one again.
TEST(HyperLogLog, UndoneAddsLeaveTheBytesOfBeforeSparseOrDense) {
  TestRecord record("HyperLogLog");
  std::vector<std::string> bytes;
  for (int i = 0; i < 1500; ++i) {
    bytes.push_back(record.bytes());
    record.run("add", {Value("visitor-" + std::to_string(i))});
  }
  const Value count = record.run("count");
  for (int i = 0; i < 1500; ++i, bytes.pop_back()) {
    record.undo();
    ASSERT_EQ(record.bytes(), bytes.back()) << i;
  }
  for (int i = 0; i < 1500; ++i) record.run("add", {Value("visitor-" + std::to_string(i))});
  EXPECT_EQ(record.run("count"), count);
}

}  // namespace
}  // namespace claret

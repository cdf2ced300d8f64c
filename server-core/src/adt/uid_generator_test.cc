#include <set>

#include "adt/test_record.h"

namespace claret {
namespace {

TEST(UIdGenerator, NeverReturnsAnIdTwiceWhetherCommittedOrNot) {
  TestRecord record("UIdGenerator");
  const Context context{7};
  const Call next = record.call("next");
  std::set<std::string> ids;
  constexpr int kDrawn = 100;
  for (int i = 0; i < kDrawn; ++i) {
    ids.insert(record.type().execute(record.state(), next, {}, context).result().text());
    if (i % 2 == 0) record.type().commit(record.state(), next, Value());
  }
  EXPECT_EQ(ids.size(), kDrawn);
}

TEST(UIdGenerator, TwoStartsOfAShardShareNoIds) {
  TestRecord record("UIdGenerator");
  const Call next = record.call("next");
  const auto draw = [&](const Context& context) { return record.type().execute(record.state(), next, {}, context).result(); };
  const Context first{35};
  const Context second{36};
  EXPECT_EQ(draw(first), Value("z-1"));
  EXPECT_EQ(draw(first), Value("z-2"));
  EXPECT_EQ(draw(second), Value("10-1"));
}

TEST(UIdGenerator, AnUndoneNumberIsNotGivenAgain) {
  TestRecord record("UIdGenerator");
  const Value first = record.run("next");
  EXPECT_EQ(record.undo(), Value());
  EXPECT_NE(record.run("next"), first);
}

}  // namespace
}  // namespace claret

#include <limits>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

Value entry(const char* field, Value value) { return list({Value(field), std::move(value)}); }

TEST(Dict, SetsAndReadsSeveralFieldsAtOnce) {
  TestRecord record("Dict");
  record.run("set", {list({entry("price", integer(5)), entry("name", "chair"), entry("__proto__", true)})});
  EXPECT_EQ(record.run("get", {list({"name", "nothing", "price"})}), list({"chair", Value(), integer(5)}));
  record.run("remove", {list({"name", "nothing"})});
  EXPECT_EQ(record.run("all"), list({entry("__proto__", true), entry("price", integer(5))}));
}

TEST(Dict, IncrementStartsFromNothing) {
  TestRecord record("Dict");
  record.run("increment", {"n", integer(2)});
  record.run("increment", {"n", integer(-5)});
  EXPECT_EQ(record.run("get", {list({"n"})}), list({integer(-3)}));
}

TEST(Dict, RefusesToIncrementAFieldThatIsNoIntegerOrWouldOverflow) {
  TestRecord record("Dict");
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  record.run("set", {list({entry("text", "5"), entry("number", 5.0), entry("greatest", integer(greatest))})});
  EXPECT_EQ(record.refusal("increment", {"text", integer(1)}), errors::kNotAnInteger);
  EXPECT_EQ(record.refusal("increment", {"number", integer(1)}), errors::kNotAnInteger);
  EXPECT_EQ(record.refusal("increment", {"greatest", integer(1)}), errors::kOutOfRange);
}

TEST(Dict, JudgesAnIncrementAfterItsTransactionsOwnWrites) {
  TestRecord record("Dict");
  record.run("set", {list({entry("a", "text"), entry("b", integer(1))})});
  const Call set = record.call("set", {list({entry("a", integer(1)), entry("b", "text")})});
  EXPECT_EQ(record.refusal("increment", {"a", integer(1)}, {set}), "");
  EXPECT_EQ(record.refusal("increment", {"b", integer(1)}, {set}), errors::kNotAnInteger);
  EXPECT_EQ(record.refusal("increment", {"b", integer(1)}, {set, record.call("remove", {list({"b"})})}), "");
}

// What answers reserves nothing beside other changes, so its step is in none of the escrow's sums.
TEST(Dict, JudgesAnIncrementAfterItsTransactionsOwnAnswer) {
  TestRecord record("Dict");
  record.run("set", {list({entry("n", integer(std::numeric_limits<std::int64_t>::min() + 5))})});
  const Call answered = record.call("incrementAndGet", {"n", integer(-3)});
  EXPECT_EQ(record.refusal("increment", {"n", integer(-2)}, {answered}), "");
  EXPECT_EQ(record.refusal("increment", {"n", integer(-3)}, {answered}), errors::kOutOfRange);
}

TEST(Dict, JudgesAnAnswerAfterItsTransactionsOwnIncrementsWhateverIsPendingOfOthers) {
  TestRecord record("Dict");
  record.run("set", {list({entry("n", integer(std::numeric_limits<std::int64_t>::min() + 1))})});
  const Call pending = record.call("increment", {"n", integer(5)});
  EXPECT_EQ(record.type().reserve(record.state(), pending, Value(), {}), DataType::Reservation::kYes);
  const Call own = record.call("increment", {"n", integer(-1)});
  EXPECT_EQ(record.refusal("incrementAndGet", {"n", integer(0)}, {own}), "");
  EXPECT_EQ(record.refusal("incrementAndGet", {"n", integer(-1)}, {own}), errors::kOutOfRange);
}

TEST(Dict, CallsOnDifferentFieldsCommute) {
  TestRecord record("Dict");
  const Call get = record.call("get", {list({"a", "b"})});
  EXPECT_TRUE(record.commute(get, record.call("increment", {"c", integer(1)})));
  EXPECT_FALSE(record.commute(get, record.call("increment", {"b", integer(1)})));
  EXPECT_TRUE(record.commute(get, record.call("set", {list({entry("c", integer(1))})})));
  EXPECT_FALSE(record.commute(record.call("all"), record.call("set", {list({entry("c", integer(1))})})));
}

TEST(Dict, AReadCommutesWithChangesThatChangeNothingOfIt) {
  TestRecord record("Dict");
  record.run("set", {list({entry("a", "x"), entry("b", integer(1))})});
  const auto set = [&](const char* field, Value value) { return record.call("set", {list({entry(field, std::move(value))})}); };
  for (const Call& read : {record.call("get", {list({"a", "b", "missing"})}), record.call("all")}) {
    EXPECT_TRUE(record.commute(read, set("a", "x")));
    EXPECT_FALSE(record.commute(read, set("a", "y")));
    EXPECT_FALSE(record.commute(read, set("b", Value(1.0)))) << "another kind";
    EXPECT_FALSE(record.commute(read, set("missing", "x")));
    EXPECT_TRUE(record.commute(read, record.call("remove", {list({"missing"})})));
    EXPECT_FALSE(record.commute(read, record.call("remove", {list({"missing", "b"})})));
  }
}

TEST(Dict, AFieldThatACallNamesTwiceIsKeptOnce) {
  TestRecord record("Dict");
  record.run("set", {list({entry("a", "old")})});
  record.run("set", {list({entry("a", integer(1)), entry("b", integer(2)), entry("a", integer(3)), entry("b", integer(4))})});
  EXPECT_EQ(record.undo(), list({"old", Value(), Value(), Value()}));
  EXPECT_EQ(record.run("all"), list({entry("a", "old")}));
  record.run("remove", {list({"a", "a", "b"})});
  EXPECT_EQ(record.undo(), list({"old", Value(), Value()}));
  EXPECT_EQ(record.run("all"), list({entry("a", "old")}));
}

TEST(Dict, AnUndoneIncrementLeavesNoFieldThatItAdded) {
  TestRecord record("Dict");
  record.run("increment", {"n", integer(2)});
  record.run("increment", {"n", integer(3)});
  EXPECT_EQ(record.undo(), integer(2));
  EXPECT_EQ(record.run("get", {list({"n"})}), list({integer(2)}));
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(record.run("all"), list({}));
}

TEST(Dict, AnswersWhatChangesDid) {
  TestRecord record("Dict");
  EXPECT_EQ(record.run("put", {list({list({"a", integer(1)}), list({"b", "x"}), list({"a", integer(2)})})}), integer(2));
  EXPECT_EQ(record.run("put", {list({list({"b", "y"}), list({"c", true})})}), integer(1));
  EXPECT_EQ(record.run("putIfAbsent", {"a", integer(9)}), Value(false));
  EXPECT_EQ(record.run("putIfAbsent", {"d", integer(9)}), Value(true));
  EXPECT_EQ(record.run("incrementAndGet", {"a", integer(3)}), integer(5));
  EXPECT_EQ(record.run("incrementAndGet", {"new", integer(-1)}), integer(-1));
  EXPECT_EQ(record.refusal("incrementAndGet", {"b", integer(1)}), errors::kNotAnInteger);
  EXPECT_EQ(record.run("size"), integer(5));
  EXPECT_EQ(record.run("erase", {list({"a", "a", "none"})}), integer(1));
  EXPECT_EQ(record.run("size"), integer(4));
}

TEST(Dict, CountsGoWithChangesOfFieldsThatExist) {
  TestRecord record("Dict");
  record.run("set", {list({list({"a", integer(1)})})});
  const Call size = record.call("size");
  EXPECT_TRUE(record.commute(size, record.call("incrementAndGet", {"a", integer(1)})));
  EXPECT_FALSE(record.commute(size, record.call("incrementAndGet", {"b", integer(1)})));
  EXPECT_TRUE(record.commute(size, record.call("erase", {list({"b"})})));
  EXPECT_FALSE(record.commute(size, record.call("erase", {list({"a", "b"})})));
  EXPECT_TRUE(record.commute(record.call("put", {list({list({"b", integer(1)})})}), record.call("erase", {list({"a"})})));
}

}  // namespace
}  // namespace claret

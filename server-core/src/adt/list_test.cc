#include <cstdlib>
#include <string>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

class AList : public testing::Test {
 protected:
  AList() : record_("List") {}

  void hold(std::vector<Value> elements) { record_.run("append", {list(std::move(elements))}); }
  Value all() { return record_.run("range", {integer(0), integer(-1)}); }
  Call call(std::string_view operation, std::vector<Value> arguments = {}) { return record_.call(operation, std::move(arguments)); }
  bool commute(const Call& first, const Call& second) { return record_.commute(first, second); }

  // Undoes all changes since the list held what these bytes say.
  void expect_undone(int changes, const std::string& bytes) {
    while (changes-- > 0) record_.undo();
    EXPECT_EQ(record_.bytes(), bytes);
  }

  TestRecord record_;
};

TEST_F(AList, TakesElementsAtBothEnds) {
  record_.run("append", {list({"a", integer(1)})});
  record_.run("prepend", {list({"b", "c"})});
  EXPECT_EQ(all(), list({"c", "b", "a", integer(1)}));
  EXPECT_EQ(record_.run("pushBack", {list({Value(1.5), Value(true)})}), integer(6));
  EXPECT_EQ(record_.run("pushFront", {list({"x", "y", "z"})}), integer(9));
  EXPECT_EQ(record_.run("range", {integer(0), integer(3)}), list({"z", "y", "x", "c"}));
}

TEST_F(AList, IsPushedToIfItHasElements) {
  EXPECT_EQ(record_.run("pushBackIfPresent", {list({"a"})}), integer(0));
  EXPECT_EQ(record_.run("pushFrontIfPresent", {list({"a"})}), integer(0));
  EXPECT_EQ(record_.run("length"), integer(0));
  hold({"b"});
  EXPECT_EQ(record_.run("pushBackIfPresent", {list({"c"})}), integer(2));
  EXPECT_EQ(record_.run("pushFrontIfPresent", {list({"a"})}), integer(3));
  EXPECT_EQ(all(), list({"a", "b", "c"}));
}

TEST_F(AList, IsPoppedFromBothEnds) {
  hold({"a", "b", "c", "d"});
  EXPECT_EQ(record_.run("popFront", {integer(1)}), list({"a"}));
  EXPECT_EQ(record_.run("popBack", {integer(2)}), list({"d", "c"}));
  EXPECT_EQ(record_.run("popFront", {integer(2)}), list({"b"}));
  EXPECT_EQ(record_.run("popBack", {integer(10'000)}), list({}));
  EXPECT_EQ(record_.refusal("popFront", {integer(0)}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("popBack", {integer(10'001)}), errors::kOutOfRange);
}

TEST_F(AList, IsReadByIndexFromBothEnds) {
  hold({"a", "b", "c"});
  EXPECT_EQ(record_.run("at", {integer(0)}), Value("a"));
  EXPECT_EQ(record_.run("at", {integer(-1)}), Value("c"));
  EXPECT_EQ(record_.run("at", {integer(3)}), Value());
  EXPECT_EQ(record_.run("at", {integer(-4)}), Value());
  EXPECT_EQ(record_.run("range", {integer(-2), integer(-1)}), list({"b", "c"}));
  EXPECT_EQ(record_.run("range", {integer(-100), integer(100)}), list({"a", "b", "c"}));
  EXPECT_EQ(record_.run("range", {integer(2), integer(1)}), list({}));
  EXPECT_EQ(record_.run("range", {integer(5), integer(9)}), list({}));
  EXPECT_EQ(record_.run("range", {integer(INT64_MIN), integer(INT64_MAX)}), list({"a", "b", "c"}));
}

TEST_F(AList, GivesTenThousandElementsAtMost) {
  for (std::int64_t i = 0; i < 11; ++i) hold(std::vector<Value>(1000, integer(i)));
  EXPECT_EQ(record_.run("length"), integer(11'000));
  EXPECT_EQ(all().list().size(), 10'000u);
  EXPECT_EQ(all().list().back(), integer(9));
  EXPECT_EQ(record_.run("positionOf", {integer(10), integer(1), integer(0)}).list().size(), 1000u);
}

TEST_F(AList, ReplacesAnElement) {
  hold({"a", "b", "c"});
  record_.run("setAt", {integer(0), integer(7)});
  record_.run("setAt", {integer(-1), "z"});
  EXPECT_EQ(all(), list({integer(7), "b", "z"}));
  EXPECT_EQ(record_.refusal("setAt", {integer(3), "x"}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("setAt", {integer(-4), "x"}), errors::kOutOfRange);
}

TEST_F(AList, InsertsBesideTheFirstElementThatEqualsThePivot) {
  EXPECT_EQ(record_.run("insert", {"b", "x", Value(true)}), integer(0));
  hold({"a", "b", "b"});
  EXPECT_EQ(record_.run("insert", {"b", "x", Value(true)}), integer(4));
  EXPECT_EQ(record_.run("insert", {"b", "y", Value(false)}), integer(5));
  EXPECT_EQ(record_.run("insert", {"none", "z", Value(false)}), integer(-1));
  EXPECT_EQ(all(), list({"a", "x", "b", "y", "b"}));
}

TEST_F(AList, RemovesEqualElements) {
  hold({"a", "b", "a", "b", "a", integer(1), Value(1.0), "1"});
  EXPECT_EQ(record_.run("removeEqual", {integer(2), "a"}), integer(2));
  EXPECT_EQ(record_.run("removeEqual", {integer(-1), "b"}), integer(1));
  EXPECT_EQ(record_.run("removeEqual", {integer(0), integer(1)}), integer(1));
  EXPECT_EQ(record_.run("removeEqual", {integer(INT64_MIN), "1"}), integer(1));
  EXPECT_EQ(record_.run("removeEqual", {integer(0), "none"}), integer(0));
  EXPECT_EQ(all(), list({"b", "a", Value(1.0)}));
}

TEST_F(AList, IsTrimmedToASection) {
  hold({"a", "b", "c", "d", "e"});
  record_.run("trim", {integer(1), integer(-2)});
  EXPECT_EQ(all(), list({"b", "c", "d"}));
  record_.run("trim", {integer(0), integer(99)});
  EXPECT_EQ(record_.run("length"), integer(3));
  record_.run("trim", {integer(5), integer(9)});
  EXPECT_EQ(record_.run("length"), integer(0));
}

TEST_F(AList, FindsPositions) {
  hold({"a", "b", "c", integer(1), integer(2), integer(3), "c", "c"});
  const auto positions = [&](std::vector<Value> arguments) { return record_.run("positionOf", std::move(arguments)); };
  EXPECT_EQ(positions({"c"}), list({integer(2)}));
  EXPECT_EQ(positions({"c", integer(2)}), list({integer(6)}));
  EXPECT_EQ(positions({"c", integer(-1)}), list({integer(7)}));
  EXPECT_EQ(positions({"c", Value(), integer(2)}), list({integer(2), integer(6)}));
  EXPECT_EQ(positions({"c", integer(-1), integer(2)}), list({integer(7), integer(6)}));
  EXPECT_EQ(positions({"c", Value(), integer(0)}), list({integer(2), integer(6), integer(7)}));
  EXPECT_EQ(positions({"c", Value(), integer(0), integer(7)}), list({integer(2), integer(6)}));
  EXPECT_EQ(positions({"c", integer(-1), integer(0), integer(1)}), list({integer(7)}));
  EXPECT_EQ(positions({"x"}), list({}));
  EXPECT_EQ(record_.refusal("positionOf", {"c", integer(0)}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("positionOf", {"c", integer(1), integer(-1)}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("positionOf", {"c", "one"}), errors::kWrongArgumentType);
}

TEST_F(AList, RefusesToCountFromAnEndThatItsTransactionHasChanged) {
  hold({"a", "b"});
  const Call append = call("append", {list({"c"})}), trim = call("trim", {integer(0), integer(0)});
  EXPECT_EQ(record_.refusal("popFront", {integer(1)}, {append}), "");
  EXPECT_EQ(record_.refusal("setAt", {integer(0), "x"}, {append}), "");
  EXPECT_EQ(record_.refusal("popBack", {integer(1)}, {append}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("setAt", {integer(-1), "x"}, {append}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("popFront", {integer(1)}, {trim}), errors::kOutOfRange);
  EXPECT_EQ(record_.refusal("popFront", {integer(1)}, {call("popBack", {integer(1)})}), errors::kOutOfRange);
}

TEST_F(AList, LetsProducersAndConsumersPassEachOther) {
  const Call append = call("append", {list({"c"})}), prepend = call("prepend", {list({"c"})});
  const Call pop = call("popFront", {integer(2)}), pop_back = call("popBack", {integer(1)});
  EXPECT_TRUE(commute(pop, pop)) << "both find nothing";
  EXPECT_FALSE(commute(append, pop));
  hold({"a", "b"});
  EXPECT_TRUE(commute(append, pop));
  EXPECT_FALSE(commute(prepend, pop));
  EXPECT_FALSE(commute(pop, pop));
  EXPECT_FALSE(commute(pop, pop_back));
  EXPECT_FALSE(commute(append, call("popFront", {integer(3)})));
  hold({"c"});
  EXPECT_TRUE(commute(pop, pop_back));
  EXPECT_FALSE(commute(append, pop_back));
}

TEST_F(AList, AddsAtBothEndsAtOnce) {
  const Call append = call("append", {list({"c"})});
  EXPECT_TRUE(commute(append, call("prepend", {list({"c"})})));
  EXPECT_TRUE(commute(append, call("append", {list({"c", "c"})})));
  EXPECT_TRUE(commute(append, call("append", {list({})})));
  EXPECT_FALSE(commute(append, call("append", {list({"d"})})));
  EXPECT_FALSE(commute(append, call("pushFront", {list({"d"})})));
  EXPECT_FALSE(commute(append, call("length")));
}

TEST_F(AList, LetsReadsPassWhatTheyDoNotSee) {
  hold({"a", "b", "c"});
  const Call append = call("append", {list({"d"})}), prepend = call("prepend", {list({"d"})});
  const Call first_two = call("range", {integer(0), integer(1)}), last_two = call("range", {integer(-2), integer(-1)});
  EXPECT_TRUE(commute(append, first_two));
  EXPECT_TRUE(commute(append, call("range", {integer(0), integer(2)})));
  EXPECT_FALSE(commute(append, call("range", {integer(0), integer(3)})));
  EXPECT_FALSE(commute(append, last_two));
  EXPECT_TRUE(commute(prepend, last_two));
  EXPECT_FALSE(commute(prepend, first_two));
  EXPECT_TRUE(commute(call("popBack", {integer(1)}), first_two));
  EXPECT_FALSE(commute(call("popBack", {integer(2)}), first_two));
  EXPECT_TRUE(commute(call("popFront", {integer(1)}), last_two));
  EXPECT_TRUE(commute(append, call("at", {integer(2)})));
  EXPECT_FALSE(commute(append, call("at", {integer(3)})));
  EXPECT_TRUE(commute(append, call("positionOf", {"b"})));
  EXPECT_FALSE(commute(append, call("positionOf", {"x"})));
  EXPECT_TRUE(commute(append, call("positionOf", {"x", Value(), Value(), integer(2)})));
}

TEST_F(AList, ReplacesElementsSideBySide) {
  hold({"a", "b", "c"});
  const Call first = call("setAt", {integer(0), "x"});
  EXPECT_TRUE(commute(first, call("setAt", {integer(-1), "x"})));
  EXPECT_FALSE(commute(first, call("setAt", {integer(-3), "y"})));
  EXPECT_TRUE(commute(first, call("length")));
  EXPECT_TRUE(commute(first, call("at", {integer(1)})));
  EXPECT_FALSE(commute(first, call("at", {integer(0)})));
  EXPECT_TRUE(commute(call("setAt", {integer(0), "a"}), call("at", {integer(0)})));
  EXPECT_FALSE(commute(first, call("popFront", {integer(1)})));
  EXPECT_TRUE(commute(first, call("popBack", {integer(2)})));
  EXPECT_FALSE(commute(first, call("trim", {integer(0), integer(5)})));
}

TEST_F(AList, IsAgainWhatItWasOnceItsChangesAreUndone) {
  hold({"a", "b", "a", "c", "a"});
  const std::string bytes = record_.bytes();
  record_.run("removeEqual", {integer(0), "a"});
  record_.run("insert", {"c", "x", Value(true)});
  record_.run("setAt", {integer(1), "y"});
  record_.run("pushFront", {list({"p", "q"})});
  record_.run("trim", {integer(1), integer(-2)});
  record_.run("popBack", {integer(9)});
  record_.run("pushBackIfPresent", {list({"z"})});
  expect_undone(7, bytes);
}

TEST_F(AList, KeepsNothingForWhatItsResultTells) {
  hold({"a", "b", "c"});
  record_.run("popFront", {integer(2)});
  EXPECT_EQ(record_.undo(), Value());
  record_.run("removeEqual", {integer(1), "b"});
  EXPECT_EQ(record_.undo(), integer(1));
  record_.run("append", {list({"d"})});
  EXPECT_EQ(record_.undo(), Value());
}

TEST_F(AList, IsNotMadeFromBytesThatAreNone) {
  std::string bytes;
  StateWriter writer(bytes);
  writer.count(1);
  writer.value(Value());
  EXPECT_EQ(record_.type().decode(bytes), nullptr);
}

}  // namespace
}  // namespace claret

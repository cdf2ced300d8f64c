// What the laws cannot know: what the results of a composed type should be.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "adt/test_record.h"
#include "composed/test_definitions.h"

namespace claret::composed {
namespace {

struct Seats {
  std::unique_ptr<ComposedType> type = composed_type(kSeatMap);
  TestRecord record{*type};
};

TEST(ComposedType, ReadsAndWritesItsFields) {
  Seats seats;
  seats.record.run("open", {"stalls", std::int64_t{2}});
  seats.record.run("reserve", {"stalls", "A1", "ann"});
  EXPECT_EQ(seats.record.run("left", {"stalls"}), Value(std::int64_t{1}));
  EXPECT_EQ(seats.record.run("left", {"balcony"}), Value(std::int64_t{0}));
  EXPECT_EQ(seats.record.run("guest", {"A1"}), Value("ann"));
  EXPECT_EQ(seats.record.run("guest", {"A2"}), Value());
}

TEST(ComposedType, IsRefusedWithItsOwnCodeOrThatOfAField) {
  Seats seats;
  EXPECT_EQ(seats.record.refusal("reserve", {"stalls", "A1", "ann"}), errors::kBelowBound);
  EXPECT_EQ(seats.record.refusal("open", {"stalls", std::int64_t{-1}}), "SeatMap.negative");
  seats.record.run("open", {"stalls", std::int64_t{2}});
  seats.record.run("reserve", {"stalls", "A1", "ann"});
  EXPECT_EQ(seats.record.refusal("reserve", {"stalls", "A1", "bob"}), "SeatMap.taken");
}

TEST(ComposedType, DoesNotReadWhatItsOwnTransactionHasChanged) {
  Seats seats;
  seats.record.run("open", {"stalls", std::int64_t{2}});
  const Call first = seats.record.call("reserve", {"stalls", "A1", "ann"});
  EXPECT_EQ(seats.record.refusal("reserve", {"stalls", "A1", "bob"}, {first}), errors::kReadsOwnChange);
  EXPECT_EQ(seats.record.refusal("reserve", {"stalls", "A2", "bob"}, {first}), "");
  EXPECT_EQ(seats.record.refusal("guest", {"A1"}, {first}), "") << "an observer sees the committed state, as everywhere";
}

TEST(ComposedType, WritesWhatFollowsFromTheAnswer) {
  const auto type = composed_type(kTickets);
  TestRecord record(*type);
  EXPECT_EQ(record.run("draw", {"ann"}), Value(std::int64_t{1}));
  EXPECT_EQ(record.run("draw", {""}), Value(std::int64_t{2}));
  EXPECT_EQ(record.run("names"), Value(Value::List{Value::List{"1", "ann"}, Value::List{"2", ""}, Value::List{"ann", std::int64_t{1}}}));
}

TEST(ComposedType, IsAsBeforeOnceAllIsUndone) {
  const auto type = composed_type(kTickets);
  TestRecord record(*type);
  const std::string empty = record.bytes();
  record.run("draw", {"ann"});
  record.run("see", {"hall", "bob"});
  const std::string before = record.bytes();
  record.run("draw", {"1"});  // its two writes name the same field of the Dict
  record.undo();
  EXPECT_EQ(record.bytes(), before);
  record.undo();
  record.undo();
  EXPECT_EQ(record.bytes(), empty);
}

TEST(ComposedType, ForgetsWhatIsEmptyAgain) {
  const auto type = composed_type(kTickets);
  TestRecord record(*type);
  const std::string empty = record.bytes();
  record.run("see", {"hall", "bob"});
  record.run("forget", {"hall", "bob"});
  EXPECT_EQ(record.bytes(), empty);
}

TEST(ComposedType, RefusesToGrowBeyondItsLimit) {
  const auto type = composed_type(kTickets);
  TestRecord record(*type);
  const std::string long_text(60'000, 'x');
  std::string_view refused;
  int seen = 0;
  while (refused.empty() && seen < 100) {
    record.run("see", {"hall", long_text + std::to_string(seen++)});
    refused = record.refusal("see", {"hall", long_text + std::to_string(seen)});
  }
  EXPECT_EQ(refused, errors::kRecordTooLarge);
  EXPECT_EQ(seen, static_cast<int>(kStateBytesMax / 60'000));
  record.run("forget", {"hall", long_text + "0"});
  EXPECT_EQ(record.refusal("see", {"hall", long_text + "0"}), "") << "there is room again";
}

TEST(ComposedType, BuildsNoLongText) {
  constexpr std::string_view kDoubling =
      R"({"format":1,"name":"Doubling","version":1,"meaning":"","fields":[{"name":"text","type":"Register","each":false}],
"operations":[{"name":"grow","meaning":"","parameters":[{"name":"text","kind":"text","meaning":""}],"result":"void","require":[],"answer":null,
"writes":[{"field":0,"key":null,"operation":"set","arguments":[["concat",["concat",["concat",["argument",0],["argument",0]],["concat",["argument",0],["argument",0]]],["argument",0]]],"when":null}]}],
"commutes":[]})";
  const auto type = composed_type(kDoubling);
  TestRecord record(*type);
  EXPECT_EQ(record.refusal("grow", {std::string(30'000, 'x')}), errors::kArgumentTooLarge);
  EXPECT_EQ(record.refusal("grow", {"x"}), "");
}

TEST(ComposedType, CommutesWhereItsClaimHolds) {
  const auto type = composed_type(kTally);
  TestRecord record(*type);
  record.run("add", {std::int64_t{5}});
  const Call add = record.call("add", {std::int64_t{1}});
  const Call reached = record.call("reached", {std::int64_t{5}}), not_reached = record.call("reached", {std::int64_t{6}});
  EXPECT_TRUE(record.commute(add, reached));
  EXPECT_TRUE(record.commute(reached, add));
  EXPECT_FALSE(record.commute(add, not_reached));
}

TEST(ComposedType, GoesWithNothingWhileItMayBeRefused) {
  constexpr std::string_view kDouble =
      R"({"format":1,"name":"Double","version":1,"meaning":"","fields":[{"name":"sums","type":"BoundedCounter","each":true}],
"operations":[{"name":"add","meaning":"","parameters":[{"name":"n","kind":"integer","meaning":""}],"result":"void","require":[],"answer":null,
"writes":[{"field":0,"key":["concat",["%",["argument",0],2]],"operation":"increment","arguments":[["*",["argument",0],2]],"when":null}]},
{"name":"value","meaning":"","parameters":[],"result":"integer","require":[],"answer":["read",0,"0","value"],"writes":[]}],"commutes":[]})";
  const auto type = composed_type(kDouble);
  const TestRecord record(*type);
  const std::unique_ptr<State> state = type->create();
  const Value none, zero(std::int64_t{0});
  const Call refused = record.call("add", {std::numeric_limits<std::int64_t>::max() / 2 + 1}), odd = record.call("add", {std::int64_t{1}});
  const Call value = record.call("value");
  const DataType& as_type = *type;
  EXPECT_TRUE(as_type.commutes({&odd, &none}, {&value, &zero}, *state));
  EXPECT_FALSE(as_type.commutes({&refused, &none}, {&value, &zero}, *state)) << "an intent: nobody has executed it";
  EXPECT_FALSE(as_type.commutes({&value, &zero}, {&refused, &none}, *state));
}

TEST(ComposedType, TellsItsTableInWords) {
  const auto type = composed_type(kSeatMap);
  std::string table;
  for (const CommutativityRule& rule : type->rules())
    table += std::string(rule.first) + ", " + std::string(rule.second) + ": " + std::string(rule.when) + "\n";
  EXPECT_EQ(table,
            "open, open: always; one whose amount is not certain waits for the others\n"
            "open, reserve: always; one whose amount is not certain waits for the others\n"
            "open, guest: always\n"
            "open, left: free: different keys\n"
            "reserve, reserve: guests: different fields, or the value set is the one read; guests: different fields; one whose amount is "
            "not certain waits for the others\n"
            "reserve, guest: guests: different fields, or the value set is the one read\n"
            "reserve, left: free: different keys\n"
            "guest, guest: always\n"
            "guest, left: always\n"
            "left, left: always\n");
}

TEST(ComposedType, AsksForEachPairOnceItsModesMeanSomethingElse) {
  const auto type = composed_type(kTally);
  const Mode add = type->find("add")->mode;
  ASSERT_EQ(type->relation(add, add), Relation::kAlways);
  std::string later(kTally);
  later.replace(later.find(R"("version":1)"), 11, R"("version":2)");
  constexpr std::string_view kBefore = R"(["<=",0,["argument",0]])";
  later.replace(later.find(kBefore), kBefore.size(), R"(["<=",0,["read",0,null,"value"]])");
  auto definition = parse_definition(later).definition;
  ASSERT_NE(definition, nullptr) << parse_definition(later).problem;
  ASSERT_EQ(type->can_adopt(*definition), std::nullopt);
  type->adopt(std::move(definition));
  EXPECT_EQ(type->relation(add, add), Relation::kDepends);
  EXPECT_EQ(type->relation(add, type->find("reached")->mode), Relation::kDepends);
}

TEST(ComposedType, TakesALaterVersionWithItsFieldsAndMore) {
  const auto type = composed_type(kTally);
  TestRecord record(*type);
  record.run("add", {std::int64_t{5}});
  const Call earlier = record.call("add", {std::int64_t{1}});
  const std::string bytes = record.bytes();
  std::string later(kTally);
  later.replace(later.find(R"("version":1)"), 11, R"("version":2)");
  EXPECT_NE(type->can_adopt(*parse_definition(kTally).definition), std::nullopt) << "the same version";
  std::string other = later;
  other.replace(other.find(R"("type":"Counter")"), 16, R"("type":"Register")");
  EXPECT_FALSE(parse_definition(other).definition != nullptr && !type->can_adopt(*parse_definition(other).definition)) << "another field";
  later.replace(later.find(R"("each":false}])"), 14, R"("each":false},{"name":"more","type":"Set","each":true}])");
  auto definition = parse_definition(later).definition;
  ASSERT_NE(definition, nullptr);
  ASSERT_EQ(type->can_adopt(*definition), std::nullopt);
  type->adopt(std::move(definition));
  EXPECT_EQ(record.bytes(), bytes);
  EXPECT_EQ(record.run("reached", {std::int64_t{5}}), Value(true));
  EXPECT_TRUE(record.commute(earlier, record.call("add", {std::int64_t{1}}))) << "calls of both versions meet";
  EXPECT_EQ(type->relation(earlier.operation->mode, earlier.operation->mode), Relation::kAlways) << "its modes mean the same";
  std::string renamed = later;
  renamed.replace(renamed.find(R"("name":"add")"), 12, R"("name":"sum")");
  renamed.replace(renamed.find(R"("version":2)"), 11, R"("version":3)");
  renamed.replace(renamed.find(R"("first":"add")"), 13, R"("first":"sum")");
  ASSERT_NE(parse_definition(renamed).definition, nullptr);
  EXPECT_NE(type->can_adopt(*parse_definition(renamed).definition), std::nullopt) << "an operation has gone";
  const std::unique_ptr<State> decoded = type->decode(bytes);
  ASSERT_NE(decoded, nullptr);
}

}  // namespace
}  // namespace claret::composed

#include <gtest/gtest.h>

#include <string>

#include "adt/test_record.h"
#include "composed/test_definitions.h"

namespace claret::composed {
namespace {

struct Plans {
  std::unique_ptr<ComposedType> type = composed_type(kPlanner);
  TestRecord record{*type};

  void plan(std::string worker, std::string name, std::int64_t cost) { record.run("plan", {std::move(worker), std::move(name), cost}); }
};

TEST(ValueField, HoldsWhatItsUpdatesMakeOfIt) {
  Plans plans;
  plans.plan("ann", "paint", 3);
  plans.plan("ann", "saw", 1);
  plans.plan("bob", "nail", 2);
  EXPECT_EQ(plans.record.run("cost", {"ann"}), Value(std::int64_t{4}));
  EXPECT_EQ(plans.record.run("take", {"ann"}), Value("saw"));
  EXPECT_EQ(plans.record.run("take", {"ann"}), Value("paint"));
  EXPECT_EQ(plans.record.run("take", {"ann"}), Value());
  EXPECT_EQ(plans.record.run("last"), Value("paint"));
  EXPECT_EQ(plans.record.run("cost", {"bob"}), Value(std::int64_t{2}));
}

TEST(ValueField, IsAsBeforeOnceAllIsUndone) {
  Plans plans;
  const std::string empty = plans.record.bytes();
  plans.plan("ann", "paint", 3);
  const std::string before = plans.record.bytes();
  plans.plan("ann", "saw", 1);
  plans.record.run("take", {"ann"});
  plans.record.undo();
  plans.record.undo();
  EXPECT_EQ(plans.record.bytes(), before);
  plans.record.undo();
  EXPECT_EQ(plans.record.bytes(), empty);
}

TEST(ValueField, IsReadBackFromItsBytes) {
  Plans plans;
  plans.plan("ann", "paint", 3);
  plans.record.run("take", {"ann"});
  plans.plan("ann", "saw", 1);
  const auto again = plans.type->decode(plans.record.bytes());
  ASSERT_NE(again, nullptr);
  std::string bytes;
  static_cast<const DataType&>(*plans.type).encode(*again, bytes);
  EXPECT_EQ(bytes, plans.record.bytes());
}

TEST(ValueField, IsRefusedBytesOfAnotherShape) {
  Plans plans;
  plans.plan("ann", "paint", 3);
  std::string bytes = plans.record.bytes();
  const auto cost = bytes.rfind('\x02');  // the tag of an integer becomes that of a number
  ASSERT_NE(cost, std::string::npos);
  bytes[cost] = '\x03';
  EXPECT_EQ(plans.type->decode(bytes), nullptr);
  for (std::size_t length = 0; length < plans.record.bytes().size(); ++length)
    EXPECT_EQ(plans.type->decode(std::string_view(plans.record.bytes()).substr(0, length)), nullptr) << length;
}

TEST(ValueField, SeesTheEarlierUpdatesOfItsTransaction) {
  Plans plans;
  const std::string text(30'000, 'x');
  const Call first = plans.record.call("plan", {"ann", text, std::int64_t{1}});
  EXPECT_EQ(plans.record.refusal("plan", {"ann", text, std::int64_t{2}}, {first}), "");
  const Call second = plans.record.call("plan", {"ann", text, std::int64_t{2}});
  EXPECT_EQ(plans.record.refusal("plan", {"ann", text, std::int64_t{3}}, {first, second}), errors::kRecordTooLarge);
  EXPECT_EQ(plans.record.refusal("take", {"ann"}, {first}), errors::kReadsOwnChange);
}

// One operation divides a value, the other one makes it whatever it wants; a claim that they commute is wrong.
constexpr std::string_view kWrong = R"({"format":1,"name":"Wrong","version":1,"meaning":"",
"fields":[{"name":"n","type":"Value","each":false,"shape":"integer","initial":1}],
"operations":[
{"name":"set","meaning":"","parameters":[{"name":"n","kind":"integer","meaning":""}],"result":"void","require":[],"answer":null,
 "writes":[{"field":0,"key":null,"operation":"update","arguments":[["argument",0]],"when":null}]},
{"name":"divide","meaning":"","parameters":[],"result":"void","require":[],"answer":null,
 "writes":[{"field":0,"key":null,"operation":"update","arguments":[["/",100,["old"]]],"when":null}]},
{"name":"get","meaning":"","parameters":[],"result":"integer","require":[],"answer":["read",0,null,"get"],"writes":[]}],
"commutes":[{"first":"set","second":"divide","when":true}]})";

TEST(ValueField, IsQuarantinedWhenAnUpdateFailsAtItsCommit) {
  const auto type = composed_type(kWrong);
  TestRecord record(*type);
  const Call divide = record.call("divide", {});
  EXPECT_EQ(record.refusal("divide", {}), "");
  record.run("set", {std::int64_t{0}});
  const std::string before = record.bytes();
  record.commit(divide, Value());
  EXPECT_EQ(record.refusal("get", {}), errors::kRecordQuarantined);
  EXPECT_EQ(record.refusal("set", {std::int64_t{1}}), errors::kRecordQuarantined);
  const auto again = type->decode(record.bytes());
  ASSERT_NE(again, nullptr) << "a quarantine outlives a restart";
  record.undo();
  EXPECT_EQ(record.bytes(), before);
  EXPECT_EQ(record.run("get"), Value(std::int64_t{0}));
}

std::string problem(const std::string& shape, const std::string& initial, const std::string& update = "[\"old\"]") {
  return parse_definition(
             R"({"format":1,"name":"Sketch","version":1,"meaning":"","fields":[{"name":"v","type":"Value","each":false,"shape":)" + shape +
             R"(,"initial":)" + initial + R"(}],"operations":[{"name":"act","meaning":"","parameters":[],"result":"void","require":[],
    "answer":null,"writes":[{"field":0,"key":null,"operation":"update","arguments":[)" +
             update + R"(],"when":null}]}],"commutes":[]})")
      .problem;
}

TEST(ValueField, HasAShapeAndAnInitialValueOfIt) {
  EXPECT_EQ(problem(R"("integer")", "0"), "");
  EXPECT_EQ(
      problem(R"(["list",["record",["a","text"],["b",["maybe","number"]]]])", R"(["list",["list","x",null],["list","y",["number",1.5]]])"),
      "");
  for (const std::string shape : {R"("int")", "null", "[]", R"(["list"])", R"(["record"])", R"(["record",["a","text"],["a","text"]])",
                                  R"(["record",["A","text"]])", R"(["list",["maybe","text"]])", R"(["record",["then","text"]])"})
    EXPECT_NE(problem(shape, "null"), "") << shape;
  EXPECT_NE(problem(R"("integer")", "null"), "");
  EXPECT_NE(problem(R"("integer")", R"(["number",1])"), "");
  EXPECT_NE(problem(R"("integer")", R"(["+",1,1])"), "") << "a constant, and nothing to compute";
  std::string deep = R"("text")";
  for (int i = 0; i < 20; ++i) deep = R"(["list",)" + deep + "]";
  EXPECT_NE(problem(deep, R"(["list"])"), "");
}

TEST(ValueField, IsChangedByItsOldValueAlone) {
  EXPECT_EQ(problem(R"("integer")", "0", R"(["+",["old"],1])"), "");
  EXPECT_NE(problem(R"("integer")", "0", R"(["read",0,null,"get"])"), "");
  EXPECT_NE(problem(R"("integer")", "0", R"(["answer"])"), "") << "the operation has none";
}

}  // namespace
}  // namespace claret::composed

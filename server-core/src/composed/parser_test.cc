#include <gtest/gtest.h>

#include <string>

#include "composed/test_definitions.h"

namespace claret::composed {
namespace {

// A definition with one field of each kind and one operation, whose members may be replaced.
struct Sketch {
  std::string name = "Sketch";
  std::string fields = R"([{"name":"sum","type":"Counter","each":false},{"name":"sums","type":"Counter","each":true}])";
  std::string parameters = R"([{"name":"n","kind":"integer","meaning":""}])";
  std::string result = "integer";
  std::string require = "[]";
  std::string answer = R"(["read",0,null,"value"])";
  std::string writes = "[]";
  std::string commutes = "[]";
  std::string operation_name = "act";

  std::string text() const {
    return R"({"format":1,"name":")" + name + R"(","version":1,"meaning":"","fields":)" + fields + R"(,"operations":[{"name":")" +
           operation_name + R"(","meaning":"","parameters":)" + parameters + R"(,"result":")" + result + R"(","require":)" + require +
           R"(,"answer":)" + answer + R"(,"writes":)" + writes + R"(}],"commutes":)" + commutes + "}";
  }
  std::string problem() const { return parse_definition(text()).problem; }
};

std::string with_answer(std::string answer) { return Sketch{.answer = std::move(answer)}.problem(); }
std::string with_write(std::string write) { return Sketch{.writes = "[" + write + "]"}.problem(); }

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += R"(["floor",)";
  text += "1";
  return text + std::string(depth, ']');
}

TEST(Definition, OfASketchIsRead) {
  const Parsed parsed = parse_definition(Sketch{}.text());
  ASSERT_NE(parsed.definition, nullptr) << parsed.problem;
  EXPECT_EQ(parsed.definition->name, "Sketch");
  ASSERT_EQ(parsed.definition->operations.size(), 1u);
  EXPECT_EQ(parsed.definition->operations[0].operation_class, OperationClass::kObserve);
}

TEST(Definition, ThatIsNoneSaysSo) {
  for (const std::string text : {"", "[]", "nonsense", "{", R"({"format":2})", "\xff", R"({"format":1,"name":"\ud800"})"}) {
    const Parsed parsed = parse_definition(text);
    EXPECT_EQ(parsed.definition, nullptr) << text;
    EXPECT_NE(parsed.problem, "") << text;
  }
  EXPECT_NE(parse_definition(std::string(limits::kDefinitionBytesMax + 1, ' ')).problem, "");
}

TEST(Definition, IsRefusedWhatOthersWouldReadOtherwise) {
  std::string text = Sketch{}.text();
  EXPECT_NE(parse_definition(text + std::string(1, '\0') + "more").problem, "");
  text.insert(1, R"("version":2,)");
  EXPECT_NE(parse_definition(text).problem, "") << "a member that comes twice";
}

TEST(Definition, CutOffAnywhereIsRefused) {
  const std::string text(kSeatMap);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(parse_definition(std::string_view(text).substr(0, length)).definition, nullptr) << length;
}

TEST(Definition, NestedVeryDeepIsRefusedWithoutAnAccident) {
  EXPECT_EQ(with_answer(nested(20)), "");
  EXPECT_NE(with_answer(nested(limits::kDepthMax + 1)), "");
  EXPECT_NE(parse_definition(std::string(60'000, '[')).problem, "");
  EXPECT_NE(with_answer(std::string(20'000, '[') + std::string(20'000, ']')), "");
}

TEST(Definition, NamesArePlainAndTakenOnce) {
  for (const char* name : {"sketch", "", "Sk etch", "Sk\xc3\xa9tch", "Counter", "Record", "A23456789012345678901234567890123456789012"}) {
    EXPECT_NE(Sketch{.name = name}.problem(), "") << name;
  }
  for (const char* name : {"__proto__", "constructor", "toString", "hasOwnProperty", "then", "Act", "a b", ""})
    EXPECT_NE(Sketch{.operation_name = name}.problem(), "") << name;
  EXPECT_NE(Sketch{.fields = R"([{"name":"sum","type":"Counter","each":false},{"name":"sum","type":"Set","each":false}])"}.problem(), "");
  EXPECT_NE(Sketch{.parameters = R"([{"name":"n","kind":"integer","meaning":""},{"name":"n","kind":"text","meaning":""}])"}.problem(), "");
}

TEST(Definition, FieldsAreBuiltInTypesWhoseResultsFollowFromTheirStates) {
  EXPECT_NE(Sketch{.fields = R"([{"name":"ids","type":"UidGenerator","each":false}])"}.problem(), "");
  EXPECT_NE(Sketch{.fields = R"([{"name":"other","type":"Sketch","each":false}])"}.problem(), "");
  EXPECT_NE(Sketch{.fields = "[]"}.problem(), "");
}

TEST(Definition, SaysWhereAnExpressionIsWrong) {
  EXPECT_EQ(with_answer(R"(["nothing",1])"), "operations[0].answer: there is no operator `nothing`");
  EXPECT_EQ(with_answer(R"(["argument",1])"), "operations[0].answer: there is no such argument");
  EXPECT_EQ(with_answer(R"(["read",2,null,"value"])"), "operations[0].answer: there is no such field");
  EXPECT_EQ(with_answer(R"(["read",1,null,"value"])"), "operations[0].answer: a key is given for a field with `each`, and for no other");
  EXPECT_EQ(with_answer(R"(["read",0,null,"add",1])"), "operations[0].answer: Counter has no operation `add` that observes");
  EXPECT_EQ(with_answer(R"(["read",0,null,"value",1])"), "operations[0].answer: value takes 0 arguments, not 1");
  for (const char* wrong :
       {"[]", "[1]", "1.5", R"(["+",1])", R"(["integer",1])", R"(["integer","1x"])", R"(["number","1"])", R"(["answer"])", "{}"}) {
    EXPECT_NE(with_answer(wrong), "") << wrong;
  }
}

TEST(Definition, WhatIsWrittenFollowsFromArgumentsAndTheAnswer) {
  EXPECT_EQ(with_write(R"({"field":0,"key":null,"operation":"add","arguments":[["answer"]],"when":null})"), "");
  EXPECT_EQ(with_write(R"({"field":0,"key":null,"operation":"add","arguments":[["read",0,null,"value"]],"when":null})"),
            "operations[0].writes[0]: only `require` and `answer` may read: what is written follows from arguments and the answer");
  EXPECT_NE(with_write(R"({"field":0,"key":null,"operation":"value","arguments":[],"when":null})"), "");
  EXPECT_NE((Sketch{.result = "void",
                    .answer = "null",
                    .writes = R"([{"field":0,"key":null,"operation":"add","arguments":[["answer"]],"when":null}])"}
                 .problem()),
            "");
  EXPECT_NE((Sketch{.result = "void", .answer = "null"}.problem()), "") << "it does nothing";
  EXPECT_NE((Sketch{.result = "void"}.problem()), "") << "an answer without a kind";
}

TEST(Definition, ClaimsAreAboutTwoCallsAlone) {
  EXPECT_EQ((Sketch{.commutes = R"([{"first":"act","second":"act","when":["=",["argument",0,0],["argument",1,0]]}])"}.problem()), "");
  EXPECT_EQ((Sketch{.commutes = R"([{"first":"act","second":"act","when":["=",["answer",0],["answer",1]]}])"}.problem()), "");
  for (const char* wrong :
       {R"(["argument",0])", R"(["argument",2,0])", R"(["argument",0,1])", R"(["answer"])", R"(["read",0,null,"value"])"}) {
    EXPECT_NE((Sketch{.commutes = std::string(R"([{"first":"act","second":"act","when":)") + wrong + "}]"}.problem()), "") << wrong;
  }
  EXPECT_NE((Sketch{.commutes = R"([{"first":"act","second":"fly","when":true}])"}.problem()), "");
}

TEST(Definition, HasLimits) {
  std::string sum = "1";
  for (int i = 0; i < 20; ++i) sum = R"(["+",)" + sum + ",1]";
  std::string list = R"(["list")";
  for (int i = 0; i < 40; ++i) list += "," + sum;
  EXPECT_NE((Sketch{.result = "scalars", .answer = list + "]"}.problem()), "");
}

}  // namespace
}  // namespace claret::composed

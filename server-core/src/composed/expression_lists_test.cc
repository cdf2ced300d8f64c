#include <gtest/gtest.h>

#include <string>

#include "adt/test_record.h"
#include "composed/test_definitions.h"

namespace claret::composed {
namespace {

// A type whose one operation answers whether the two expressions are equal.
std::string comparing(const std::string& expression, const std::string& other) {
  return R"({"format":1,"name":"Sketch","version":1,"meaning":"","fields":[{"name":"sum","type":"Counter","each":false}],
    "operations":[{"name":"act","meaning":"","parameters":[{"name":"n","kind":"integer","meaning":""}],"result":"boolean","require":[],
    "answer":["=",)" +
         expression + "," + other + R"(],"writes":[]}],"commutes":[]})";
}

bool is(const std::string& expression, const std::string& other, std::int64_t n = 0) {
  const auto type = composed_type(comparing(expression, other));
  return TestRecord(*type).run("act", {n}) == Value(true);
}

std::string refusal(const std::string& expression, std::int64_t n = 0) {
  const auto type = composed_type(comparing(expression, "null"));
  return std::string(TestRecord(*type).refusal("act", {n}));
}

TEST(Lists, AreMappedFilteredAndSearched) {
  EXPECT_TRUE(is(R"(["map",0,["list",1,2,3],["*",["local",0],["local",0]]])", R"(["list",1,4,9])"));
  EXPECT_TRUE(is(R"(["filter",0,["range",6],["=",0,["%",["local",0],2]]])", R"(["list",0,2,4])"));
  EXPECT_TRUE(is(R"(["find",0,["list",3,5,8],["=",0,["%",["local",0],2]]])", "8"));
  EXPECT_TRUE(is(R"(["find",0,["list",3],false])", "null"));
  EXPECT_TRUE(is(R"(["find",0,["list",0,"x"],["=",0,["%",["local",0],2]]])", "0")) << "what follows is not looked at";
}

TEST(Lists, AreFoldedFromTheFirstItemOn) {
  EXPECT_TRUE(is(R"(["fold",0,1,["list","a","b","c"],"",["concat",["local",0],["local",1]]])", R"("abc")"));
  EXPECT_TRUE(is(R"(["fold",0,1,["list"],7,["local",1]])", "7"));
  EXPECT_TRUE(is(R"(["fold",0,1,["range",["argument",0]],1,["*",2,["local",0]]])", "1024", 10));
}

TEST(Lists, AreSortedStablyByNumbersOrTexts) {
  const std::string pairs = R"(["list",["list",2,"a"],["list",1,"b"],["list",2,"c"],["list",1,"d"]])";
  EXPECT_TRUE(is(R"(["map",1,["sort",0,)" + pairs + R"(,["item",["local",0],0]],["item",["local",1],1]])", R"(["list","b","d","a","c"])"));
  EXPECT_TRUE(is(R"(["sort",0,["list","b","B","a",""],["local",0]])", R"(["list","","B","a","b"])"));
  EXPECT_TRUE(is(R"(["sort",0,["list",2,["number",1.5],1],["local",0]])", R"(["list",1,["number",1.5],2])"));
  EXPECT_EQ(refusal(R"(["sort",0,["list",1,"a"],["local",0]])"), errors::kWrongArgumentType);
  EXPECT_EQ(refusal(R"(["sort",0,["list",null],["local",0]])"), errors::kWrongArgumentType);
}

TEST(Lists, AreCutJoinedReplacedAndReversed) {
  EXPECT_TRUE(is(R"(["slice",["range",5],1,3])", R"(["list",1,2])"));
  EXPECT_TRUE(is(R"(["slice",["range",5],-3,["integer","9223372036854775807"]])", R"(["range",5])"));
  EXPECT_TRUE(is(R"(["slice",["range",5],3,1])", R"(["list"])"));
  EXPECT_TRUE(is(R"(["join",["list",1],["list",2,3]])", R"(["list",1,2,3])"));
  EXPECT_TRUE(is(R"(["replace",["range",3],1,"x"])", R"(["list",0,"x",2])"));
  EXPECT_TRUE(is(R"(["reverse",["range",3]])", R"(["list",2,1,0])"));
  EXPECT_EQ(refusal(R"(["replace",["range",3],3,"x"])"), errors::kOutOfRange);
  EXPECT_EQ(refusal(R"(["replace",["range",3],-1,"x"])"), errors::kOutOfRange);
  EXPECT_EQ(refusal(R"(["range",-1])"), errors::kOutOfRange);
  for (const std::string head : {R"(["map",0,null,1])", R"(["join",["list"],1])", R"(["reverse","abc"])", R"(["slice",3,0,1])"})
    EXPECT_EQ(refusal(head), errors::kWrongArgumentType) << head;
}

TEST(Lists, NestWithTheirOwnLocals) {
  EXPECT_TRUE(is(R"(["map",0,["range",3],["fold",1,2,["range",["local",0]],0,["+",["local",1],["+",["local",2],["local",0]]]]])",
                 R"(["list",0,1,5])"));
  EXPECT_TRUE(is(R"(["let",0,["+",["argument",0],1],["*",["local",0],["local",0]]])", "16", 3));
}

TEST(Lists, InnerLocalsHideOuterOnesOfTheSameNumber) {
  EXPECT_TRUE(is(R"(["map",0,["list",1,2],["+",["length",["filter",0,["range",5],["<",["local",0],3]]],["local",0]]])", R"(["list",4,5])"));
  EXPECT_TRUE(is(R"(["map",0,["list",1,2],["let",0,["*",10,["local",0]],["local",0]]])", R"(["list",10,20])"));
}

TEST(Lists, OfAnyLengthEndWithinTheLimits) {
  const std::string count = R"(["map",0,["range",300],["map",1,["range",300],["map",2,["range",300],1]]])";
  EXPECT_EQ(refusal(count), errors::kTooManySteps);
  EXPECT_EQ(refusal(R"(["range",["argument",0]])", std::int64_t{1} << 62), errors::kTooManySteps);
  EXPECT_EQ(refusal(R"(["fold",0,1,["range",40],["list",1],["join",["local",0],["local",0]]])"), errors::kTooManySteps);
  EXPECT_EQ(refusal(R"(["let",0,["range",10000],["filter",1,["range",10000],["=",["local",0],["local",0]]]])"), errors::kTooManySteps);
  const std::string copies = R"(["fold",0,1,["range",90],["list",")" + std::string(50'000, 'x') + R"("],["join",["local",0],["list",")" +
                             std::string(10, 'y') + R"("]]])";
  EXPECT_EQ(refusal(copies), errors::kArgumentTooLarge);
}

std::string problem(const std::string& expression) { return parse_definition(comparing(expression, "1")).problem; }

TEST(Lists, RefuseLocalsThatAreNotThere) {
  EXPECT_NE(problem(R"(["local",0])"), "");
  EXPECT_NE(problem(R"(["map",0,["local",0],1])"), "") << "the list is outside of the function";
  EXPECT_NE(problem(R"(["fold",0,1,["list"],["local",1],1])"), "") << "so is the initial value";
  EXPECT_NE(problem(R"(["fold",3,3,["list"],1,1])"), "");
  EXPECT_NE(problem(R"(["map",64,["list"],1])"), "");
  EXPECT_NE(problem(R"(["map",["list"],1])"), "");
  EXPECT_NE(problem(R"(["+",["map",0,["list"],1],["local",0]])"), "") << "it has gone with its function";
  EXPECT_EQ(problem(R"(["=",["map",0,["list"],1],["map",0,["list"],["local",0]]])"), "");
  EXPECT_NE(problem(R"(["old"])"), "");
}

}  // namespace
}  // namespace claret::composed

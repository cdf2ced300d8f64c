// Versions of a data type with migrations, for tests.
#pragma once

#include <string>

namespace claret::composed {

// Votes by candidate. The second version keeps their sum and the names of those that have some besides, and the fourth one doubles the sum.
inline std::string poll(int version, const std::string& more_fields, const std::string& operations, const std::string& migrations) {
  return R"({"format":1,"name":"Poll","version":)" + std::to_string(version) +
         R"(,"meaning":"","fields":[{"name":"votes","type":"Counter","each":true})" + more_fields +
         R"(],"operations":[{"name":"vote","meaning":"","parameters":[{"name":"who","kind":"text","meaning":""},{"name":"n","kind":"integer","meaning":""}],
    "result":"void","require":[],"answer":null,"writes":[{"field":0,"key":["argument",0],"operation":"add","arguments":[["argument",1]],"when":null})" +
         operations + R"(],"commutes":[])" + (migrations.empty() ? "" : R"(,"migrations":[)" + migrations + "]") + "}";
}

inline const std::string kVotes =
    R"(]},{"name":"votes","meaning":"","parameters":[{"name":"who","kind":"text","meaning":""}],"result":"integer",
    "require":[],"answer":["read",0,["argument",0],"value"],"writes":[]})";
inline const std::string kSumFields =
    R"(,{"name":"sum","type":"BoundedCounter","each":false},{"name":"names","type":"Value","each":false,"shape":["list","text"],"initial":["list"]})";
inline const std::string kSumOperations =
    R"(,{"field":1,"key":null,"operation":"increment","arguments":[["argument",1]],"when":null})" + kVotes +
    R"(,{"name":"sum","meaning":"","parameters":[],"result":"integer","require":[],"answer":["read",1,null,"value"],"writes":[]},
    {"name":"names","meaning":"","parameters":[],"result":"texts","require":[],"answer":["read",2,null,"get"],"writes":[]},
    {"name":"take","meaning":"","parameters":[{"name":"n","kind":"integer","meaning":""}],"result":"void","require":[],"answer":null,
     "writes":[{"field":1,"key":null,"operation":"decrement","arguments":[["argument",0]],"when":null}]})";
inline const std::string kToSum = R"({"to":2,"writes":[
    {"over":[0,["keys",0]],"field":1,"key":null,"operation":"increment","arguments":[["read",0,["local",0],"value"]],"when":["<",0,["read",0,["local",0],"value"]]},
    {"over":null,"field":2,"key":null,"operation":"update","arguments":[["filter",0,["keys",0],["<",5,["read",0,["local",0],"value"]]]],"when":null}]})";
inline const std::string kToDouble = R"({"to":4,"writes":[
    {"over":null,"field":1,"key":null,"operation":"increment","arguments":[["read",1,null,"value"]],"when":null}]})";

inline std::string poll_1() { return poll(1, "", kVotes, ""); }
inline std::string poll_2() { return poll(2, kSumFields, kSumOperations, kToSum); }
inline std::string poll_4() { return poll(4, kSumFields, kSumOperations, kToSum + "," + kToDouble); }

}  // namespace claret::composed

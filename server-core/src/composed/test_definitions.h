// Definitions for tests, as `defineType` writes them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "composed/composed_type.h"
#include "ground/check.h"

namespace claret::composed {

// Seats of a hall: escrow over sections, one guest for a seat.
inline constexpr std::string_view kSeatMap = R"({"format":1,"name":"SeatMap","version":1,"meaning":"Seats by section.",
"fields":[{"name":"free","type":"BoundedCounter","each":true},{"name":"guests","type":"Dict","each":false}],
"operations":[
{"name":"open","meaning":"Adds seats.","parameters":[{"name":"section","kind":"text","meaning":""},{"name":"seats","kind":"integer","meaning":""}],
 "result":"void","require":[{"that":["<=",0,["argument",1]],"code":"negative","message":"seats cannot be taken away"}],"answer":null,
 "writes":[{"field":0,"key":["argument",0],"operation":"increment","arguments":[["argument",1]],"when":null}]},
{"name":"reserve","meaning":"Takes a seat.","parameters":[{"name":"section","kind":"text","meaning":""},{"name":"seat","kind":"text","meaning":""},{"name":"guest","kind":"text","meaning":""}],
 "result":"void","require":[{"that":["absent",["item",["read",1,null,"get",["list",["argument",1]]],0]],"code":"taken","message":"the seat is taken"}],"answer":null,
 "writes":[{"field":0,"key":["argument",0],"operation":"decrement","arguments":[1],"when":null},
           {"field":1,"key":null,"operation":"set","arguments":[["list",["list",["argument",1],["argument",2]]]],"when":null}]},
{"name":"guest","meaning":"Who has the seat.","parameters":[{"name":"seat","kind":"text","meaning":""}],
 "result":"optional","require":[],"answer":["item",["read",1,null,"get",["list",["argument",0]]],0],"writes":[]},
{"name":"left","meaning":"How many seats are left.","parameters":[{"name":"section","kind":"text","meaning":""}],
 "result":"integer","require":[],"answer":["read",0,["argument",0],"value"],"writes":[]}],
"commutes":[]})";

// Whether a tally is at a goal: a true answer stays true beside additions, which only the type itself knows.
inline constexpr std::string_view kTally = R"({"format":1,"name":"Tally","version":1,"meaning":"A tally that only grows.",
"fields":[{"name":"sum","type":"Counter","each":false}],
"operations":[
{"name":"add","meaning":"Adds n.","parameters":[{"name":"n","kind":"integer","meaning":""}],"result":"void",
 "require":[{"that":["<=",0,["argument",0]],"code":"negative","message":"it only grows"}],"answer":null,
 "writes":[{"field":0,"key":null,"operation":"add","arguments":[["argument",0]],"when":null}]},
{"name":"reached","meaning":"Whether it is at the goal.","parameters":[{"name":"goal","kind":"integer","meaning":""}],"result":"boolean",
 "require":[],"answer":["<=",["argument",0],["read",0,null,"value"]],"writes":[]}],
"commutes":[{"first":"add","second":"reached","when":["answer",1]}]})";

// What is written follows from the answer: a ticket with a number and a name.
inline constexpr std::string_view kTickets = R"({"format":1,"name":"Tickets","version":1,"meaning":"Numbered tickets.",
"fields":[{"name":"next","type":"Register","each":false},{"name":"names","type":"Dict","each":false},{"name":"seen","type":"Set","each":true}],
"operations":[
{"name":"draw","meaning":"Draws the next number.","parameters":[{"name":"name","kind":"text","meaning":""}],"result":"integer",
 "require":[],"answer":["+",1,["or_else",["read",0,null,"get"],0]],
 "writes":[{"field":0,"key":null,"operation":"set","arguments":[["answer"]],"when":null},
           {"field":1,"key":null,"operation":"set","arguments":[["list",["list",["concat",["answer"]],["argument",0]]]],"when":null},
           {"field":1,"key":null,"operation":"set","arguments":[["list",["list",["argument",0],["answer"]]]],"when":["not",["=",["argument",0],""]]}]},
{"name":"see","meaning":"Notes a visitor.","parameters":[{"name":"room","kind":"text","meaning":""},{"name":"visitor","kind":"text","meaning":""}],"result":"void",
 "require":[],"answer":null,"writes":[{"field":2,"key":["argument",0],"operation":"add","arguments":[["argument",1]],"when":null}]},
{"name":"forget","meaning":"Forgets a visitor.","parameters":[{"name":"room","kind":"text","meaning":""},{"name":"visitor","kind":"text","meaning":""}],"result":"void",
 "require":[],"answer":null,"writes":[{"field":2,"key":["argument",0],"operation":"remove","arguments":[["argument",1]],"when":null}]},
{"name":"seen","meaning":"Whether a visitor was noted.","parameters":[{"name":"room","kind":"text","meaning":""},{"name":"visitor","kind":"text","meaning":""}],"result":"boolean",
 "require":[],"answer":["read",2,["argument",0],"contains",["argument",1]],"writes":[]},
{"name":"names","meaning":"All names.","parameters":[],"result":"entries","require":[],"answer":["read",1,null,"all"],"writes":[]}],
"commutes":[]})";

// Values of its own shape: a queue of work for each worker, and a total. Work for one worker is taken in order; `plan` at different costs commutes.
inline constexpr std::string_view kPlanner = R"({"format":1,"name":"Planner","version":1,"meaning":"Work by its cost.",
"fields":[{"name":"work","type":"Value","each":true,"shape":["list",["record",["name","text"],["cost","integer"]]],"initial":["list"]},
          {"name":"last","type":"Value","each":false,"shape":["maybe","text"],"initial":null}],
"operations":[
{"name":"plan","meaning":"Adds work.","parameters":[{"name":"worker","kind":"text","meaning":""},{"name":"name","kind":"text","meaning":""},{"name":"cost","kind":"integer","meaning":""}],
 "result":"void","require":[],"answer":null,
 "writes":[{"field":0,"key":["argument",0],"operation":"update","arguments":[["sort",0,["join",["old"],["list",["list",["argument",1],["argument",2]]]],["item",["local",0],1]]],"when":null}]},
{"name":"take","meaning":"Takes the cheapest work.","parameters":[{"name":"worker","kind":"text","meaning":""}],"result":"optional","require":[],
 "answer":["item",["item",["read",0,["argument",0],"get"],0],0],
 "writes":[{"field":0,"key":["argument",0],"operation":"update","arguments":[["slice",["old"],1,["length",["old"]]]],"when":null},
           {"field":1,"key":null,"operation":"update","arguments":[["answer"]],"when":["not",["absent",["answer"]]]}]},
{"name":"cost","meaning":"The sum of all costs.","parameters":[{"name":"worker","kind":"text","meaning":""}],"result":"integer","require":[],
 "answer":["fold",0,1,["read",0,["argument",0],"get"],0,["+",["local",0],["item",["local",1],1]]],"writes":[]},
{"name":"last","meaning":"The work that was taken last.","parameters":[],"result":"optional","require":[],"answer":["read",1,null,"get"],"writes":[]}],
"commutes":[{"first":"plan","second":"plan","when":["not",["=",["argument",0,2],["argument",1,2]]]}]})";

inline std::unique_ptr<ComposedType> composed_type(std::string_view definition, std::uint8_t id = 128) {
  Parsed parsed = parse_definition(definition);
  if (parsed.definition == nullptr) check_failed(parsed.problem.c_str(), __FILE__, __LINE__);
  return std::make_unique<ComposedType>(id, std::move(parsed.definition));
}

}  // namespace claret::composed

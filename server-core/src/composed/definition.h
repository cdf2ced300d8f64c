// The definition of a data type that an application has composed of the built-in ones (docs/types-of-your-own.md). It comes as JSON text from
// `defineType` of the client:
//
//   definition := {"format":1, "name", "version", "meaning", "fields":[field*], "operations":[operation*], "commutes":[claim*],
//                  "migrations":[migration+]}           left out if there are none
//   field      := {"name", "type", "each"}              of a built-in type; each: a map from text to states of it
//               | {"name", "type":"Value", "each", "shape": shape, "initial": constant}      a value of that shape (shape.h)
//   operation  := {"name", "meaning", "parameters":[{"name","kind","meaning"}*], "result": kind, "require":[requirement*],
//                  "answer": expression or null, "writes":[write*]}
//   requirement:= {"that": expression, "code", "message"}
//   write      := {"field": index, "key": expression or null, "operation", "arguments":[expression*], "when": expression or null}
//                                                       of a value field: "update", with the new value
//   claim      := {"first", "second", "when": expression}
//   migration  := {"to": version, "writes":[write with "over": null or [number, expression]]}
//   constant   := null | true | false | text | integer | ["integer", text] | ["number", number] | ["list", constant*]
//   expression := null | true | false | text | integer | ["integer", text] | ["number", number] | ["list", expression*]
//               | ["argument", index] | ["answer"]      in claims ["argument", 0 or 1, index] and ["answer", 0 or 1]
//               | ["old"]                               in an update: the value that it replaces
//               | ["read", field, key or null, operation, expression*] | [operator, expression*]
//               | ["local", number] | [operator, number, expression*, expression]
//               | ["fold", number, number, list, initial, expression]
//
// An operator with a number binds that local in its last expression. `fold` binds two: what has been gathered, and the item.
//
// A migration brings the records of earlier versions to the fields of version `to`. Its writes may read fields, and also their keys: ["keys", field].
// A write with `over` is made for each item of that list, which the local is.
//
// An operation is executed by its requirements and its answer, which may read fields, and committed by its writes. What is written follows from
// the arguments and the answer alone, since that is what the log keeps: a write cannot read.
//
// A parsed definition is a description, without any state. Nothing in it changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "composed/expression.h"
#include "composed/value_type.h"

namespace claret::composed {

namespace limits {
inline constexpr std::size_t kDefinitionBytesMax = 64 * 1024;
inline constexpr std::size_t kFieldsMax = 16;
inline constexpr std::size_t kOperationsMax = 32;
inline constexpr std::size_t kParametersMax = 16;
inline constexpr std::size_t kRequirementsMax = 16;
inline constexpr std::size_t kWritesMax = 16;
inline constexpr std::size_t kClaimsMax = 64;
inline constexpr std::size_t kMigrationsMax = 16;
inline constexpr std::int64_t kVersionMax = 2'147'483'647;
inline constexpr std::size_t kNodesMax = 1000;  // of the expressions of one operation or claim
inline constexpr std::size_t kDepthMax = 64;
inline constexpr std::size_t kShapeDepthMax = 8;
inline constexpr std::size_t kMembersMax = 32;
inline constexpr std::size_t kNameBytesMax = 40;
inline constexpr std::size_t kMeaningBytesMax = 2000;
}  // namespace limits

struct Field {
  std::string name;
  const DataType* type;
  bool each;
  std::shared_ptr<ValueType> values{};  // the type, if it is a value field

  bool holds_the_same(const Field& other) const;
};

struct Requirement {
  Expression that;
  std::string code;  // "Type.code"
  std::string message;
};

struct Write {
  std::size_t field;
  std::optional<Expression> key;
  const OperationSpec* operation;
  std::vector<Expression> arguments;  // none of an operation's update, which has its expression (value_type.h)
  std::optional<Expression> when;
};

struct MigrationWrite {
  Write write;
  std::optional<Expression> list;  // the write is made for each of its items
  std::size_t item = 0;  // the local that is the item
};

struct Migration {
  std::int64_t to;
  std::string text;  // equal texts are equal migrations
  std::vector<MigrationWrite> writes;
};

// That an operation reads or writes a field, whatever its arguments.
struct Touch {
  std::size_t field;
  const OperationSpec* operation;
  bool writes;
  bool certain;  // it does so in every case
};

// The part of an operation that is not in its OperationSpec.
struct Body {
  std::vector<Requirement> requirements;
  std::optional<Expression> answer;
  std::vector<Write> writes;
  std::vector<Touch> touches;
};

// Both operations may hold the record together if `when` is true, in addition to what follows from their fields.
struct Claim {
  std::size_t first;
  std::size_t second;
  Expression when;
};

struct Definition {
  std::string text;
  std::string name;
  std::int64_t version = 1;
  std::string meaning;
  std::vector<Field> fields;
  // In parallel: the same operation has the same place, and its id is that place plus 1. Modes are yet to be given (rulings.h).
  std::vector<OperationSpec> operations;
  std::vector<Body> bodies;
  std::vector<Claim> claims;
  std::vector<Migration> migrations;  // in order of their versions

  // What the specs refer to.
  std::vector<std::string> operation_names, operation_meanings;
  std::vector<std::vector<std::string>> parameter_texts;
  std::vector<std::vector<Parameter>> parameters;

  const Claim* claim(std::size_t first, std::size_t second) const;
  // The version since which records have had the same form: that of the last migration, or 0.
  std::int64_t schema() const { return migrations.empty() ? 0 : migrations.back().to; }
};

struct Parsed {
  std::unique_ptr<Definition> definition;  // null: `problem` says why
  std::string problem;
};
// `text`: of any kind.
Parsed parse_definition(std::string_view text);

// As the definition spells it: "+", "or_else", ...; absent if there is no such operator.
struct OperatorName {
  std::string_view name;
  Operator op;
  std::size_t locals;  // that it binds
  std::size_t operands_min;
  std::size_t operands_max;
};
const OperatorName* find_operator(std::string_view name);

std::optional<Kind> find_kind(std::string_view name);

}  // namespace claret::composed

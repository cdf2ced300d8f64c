#include "composed/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "adt/check.h"

namespace claret::composed {

bool is_name(std::string_view text, char first_low, char first_high) {
  if (text.empty() || text.size() > limits::kNameBytesMax || text.front() < first_low || text.front() > first_high) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_taken_name(std::string_view name) {
  static constexpr std::array kTaken = {"constructor",    "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
                                        "toLocaleString", "toString",       "valueOf",       "then"};
  return std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end();
}

bool ExpressionParser::fail(std::string problem) {
  problem_ = std::move(problem);
  return false;
}

bool ExpressionParser::field_of(const Json& field, const Json& key, std::size_t& out) {
  if (!field.IsUint() || field.GetUint() >= definition_.fields.size()) return fail("there is no such field");
  out = field.GetUint();
  if (definition_.fields[out].each == key.IsNull()) return fail("a key is given for a field with `each`, and for no other");
  return true;
}

bool ExpressionParser::arguments_fit(const OperationSpec& operation, std::size_t given) {
  const auto parameters = operation.parameters;
  std::size_t least = parameters.size();
  while (least > 0 && parameters[least - 1].kind == Kind::kOptional) --least;
  if (given >= least && given <= parameters.size()) return true;
  return fail(std::string(operation.name) + " takes " + std::to_string(parameters.size()) + " arguments, not " + std::to_string(given));
}

bool ExpressionParser::expression(const Json& json, Place place, Expression& out, std::size_t depth) {
  if (++nodes_ > limits::kNodesMax)
    return fail("the expressions of an operation have at most " + std::to_string(limits::kNodesMax) + " parts");
  if (depth > limits::kDepthMax) return fail("an expression is nested at most " + std::to_string(limits::kDepthMax) + " deep");
  if (!json.IsArray()) return constant(json, out);
  if (json.Empty() || !json[0].IsString()) return fail("an expression is a constant, or a list that begins with what it is");
  const std::string_view what(json[0].GetString(), json[0].GetStringLength());
  if (what == "integer" || what == "number") return exact(json, what, out);
  if (place == Place::kConstant && what != "list") return fail("the initial value is a constant");
  if (what == "argument" || what == "answer") return named(json, place, what, out);
  if (what == "local") return local(json, out);
  if (what == "read") return read(json, place, out, depth);
  if (what == "keys") return keys(json, place, out);
  if (what != "old") return applied(json, place, what, out, depth);
  if (place != Place::kUpdate || json.Size() != 1) return fail("only the new value of a value field follows from the old one");
  out.op = Operator::kOld;
  return true;
}

// The last operand is what the locals are bound in.
bool ExpressionParser::applied(const Json& json, Place place, std::string_view what, Expression& out, std::size_t depth) {
  const OperatorName* found = find_operator(what);
  if (found == nullptr) return fail("there is no operator `" + std::string(what.substr(0, limits::kNameBytesMax)) + "`");
  const std::size_t parts = json.Size() - 1;
  if (parts < found->locals + found->operands_min || parts > found->locals + found->operands_max)
    return fail("`" + std::string(what) + "` has another number of operands");
  out.op = found->op;
  if (found->locals == 0) return operands_from(json, 1, place, out, depth);
  if (!new_local(json[1], out.index) || (found->locals == 2 && !new_local(json[2], out.item))) return false;
  if (found->locals == 2 && out.item == out.index) return fail("`" + std::string(what) + "` has two locals");
  const auto outer = bound_;
  for (std::size_t i = 0; i < found->operands_max; ++i) {
    const bool is_body = i + 1 == found->operands_max;
    if (is_body) bound_[out.index] = true;
    if (is_body && found->locals == 2) bound_[out.item] = true;
    const auto at = static_cast<rapidjson::SizeType>(1 + found->locals + i);
    if (!expression(json[at], place, out.operands.emplace_back(), depth + 1)) return false;
  }
  bound_ = outer;
  return true;
}

bool ExpressionParser::operands_from(const Json& json, std::size_t first, Place place, Expression& out, std::size_t depth) {
  for (std::size_t i = first; i < json.Size(); ++i) {
    if (!expression(json[static_cast<rapidjson::SizeType>(i)], place, out.operands.emplace_back(), depth + 1)) return false;
  }
  return true;
}

bool ExpressionParser::constant(const Json& json, Expression& out) {
  if (json.IsNull()) return true;
  if (json.IsBool()) {
    out.constant = json.GetBool();
  } else if (json.IsString() && json.GetStringLength() <= kTextBytesMax) {
    out.constant = std::string(json.GetString(), json.GetStringLength());
  } else if (json.IsInt64()) {
    out.constant = json.GetInt64();
  } else {
    return fail("a constant is null, true, false, a text or an integer; other numbers are [\"number\", 1.5]");
  }
  return true;
}

bool ExpressionParser::exact(const Json& json, std::string_view what, Expression& out) {
  if (json.Size() != 2) return fail("`" + std::string(what) + "` has one value");
  if (what == "number") {
    if (!json[1].IsNumber() || !std::isfinite(json[1].GetDouble())) return fail("`number` has a finite number");
    const double number = json[1].GetDouble();
    out.constant = number == 0 ? 0.0 : number;
    return true;
  }
  if (!json[1].IsString()) return fail("`integer` has the integer as a text");
  const std::string_view digits(json[1].GetString(), json[1].GetStringLength());
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
  if (error != std::errc() || end != digits.data() + digits.size()) return fail("`integer` has an integer of 64 bits as a text");
  out.constant = integer;
  return true;
}

bool ExpressionParser::named(const Json& json, Place place, std::string_view what, Expression& out) {
  const bool is_answer = what == "answer";
  if (place == Place::kMigration) return fail("a migration has neither arguments nor an answer");
  const std::size_t numbers = (place == Place::kClaim ? 1 : 0) + (is_answer ? 0 : 1);
  if (json.Size() != 1 + numbers) return fail("`" + std::string(what) + "` names something else here");
  for (rapidjson::SizeType i = 1; i < json.Size(); ++i) {
    if (!json[i].IsUint()) return fail("`" + std::string(what) + "` is followed by numbers");
  }
  out.op = is_answer ? Operator::kAnswer : Operator::kArgument;
  if (place == Place::kClaim) {
    out.party = json[1].GetUint();
    if (out.party > 1) return fail("a claim is about operations 0 and 1");
  }
  const std::size_t of = place == Place::kClaim ? (out.party == 0 ? claim_->first : claim_->second) : operation_;
  if (is_answer) {
    if (place == Place::kRead) return fail("the answer is known only to what is written");
    const bool answers = place == Place::kClaim ? definition_.operations[of].result != Kind::kVoid : answers_;
    return answers || fail("the operation has no answer");
  }
  out.index = json[json.Size() - 1].GetUint();
  return out.index < definition_.parameters[of].size() || fail("there is no such argument");
}

bool ExpressionParser::read(const Json& json, Place place, Expression& out, std::size_t depth) {
  if (place != Place::kRead && place != Place::kMigration)
    return fail("only `require` and `answer` may read: what is written follows from arguments and the answer");
  if (json.Size() < 4 || !json[3].IsString()) return fail("`read` has a field, a key and an operation");
  out.op = Operator::kRead;
  if (!field_of(json[1], json[2], out.index)) return false;
  const DataType& type = *definition_.fields[out.index].type;
  const std::string_view name(json[3].GetString(), json[3].GetStringLength());
  out.operation = type.find(name);
  if (out.operation == nullptr || out.operation->operation_class != OperationClass::kObserve) {
    return fail(std::string(type.name()) + " has no operation `" + std::string(name.substr(0, limits::kNameBytesMax)) + "` that observes");
  }
  out.keyed = !json[2].IsNull();
  if (out.keyed && !expression(json[2], place, out.operands.emplace_back(), depth + 1)) return false;
  return operands_from(json, 4, place, out, depth) && arguments_fit(*out.operation, json.Size() - 4);
}

bool ExpressionParser::keys(const Json& json, Place place, Expression& out) {
  if (place != Place::kMigration) return fail("only a migration knows the keys of a field");
  out.op = Operator::kKeys;
  if (json.Size() != 2 || !json[1].IsUint() || json[1].GetUint() >= definition_.fields.size() ||
      !definition_.fields[json[1].GetUint()].each)
    return fail("`keys` is of a field with `each`");
  out.index = json[1].GetUint();
  return true;
}

bool ExpressionParser::local(const Json& json, Expression& out) {
  if (json.Size() != 2 || !json[1].IsUint() || json[1].GetUint() >= kLocalsMax || !bound_[json[1].GetUint()])
    return fail("there is no such local here");
  out.op = Operator::kLocal;
  out.index = json[1].GetUint();
  return true;
}

bool ExpressionParser::new_local(const Json& json, std::size_t& out) {
  if (!json.IsUint() || json.GetUint() >= kLocalsMax) return fail("a local is a number below " + std::to_string(kLocalsMax));
  out = json.GetUint();
  return true;
}

bool ExpressionParser::shape(const Json& json, Shape& out, std::size_t depth) {
  using Is = Shape::Is;
  static constexpr std::array kSimple = {std::pair("boolean", Is::kBoolean), std::pair("integer", Is::kInteger),
                                         std::pair("number", Is::kNumber), std::pair("text", Is::kText), std::pair("scalar", Is::kScalar)};
  if (++nodes_ > limits::kNodesMax || depth > limits::kShapeDepthMax)
    return fail("a shape is nested at most " + std::to_string(limits::kShapeDepthMax) + " deep");
  if (json.IsArray()) return shape_of_others(json, out, depth);
  for (const auto& [name, is] : kSimple) {
    if (!json.IsString() || json.GetString() != std::string_view(name)) continue;
    out.is = is;
    return true;
  }
  return fail("a shape is boolean, integer, number, text, scalar, or a list that begins with maybe, list or record");
}

bool ExpressionParser::shape_of_others(const Json& json, Shape& out, std::size_t depth) {
  const bool named = !json.Empty() && json[0].IsString();
  const std::string_view what = named ? std::string_view(json[0].GetString(), json[0].GetStringLength()) : std::string_view();
  if (what == "maybe" || what == "list") {
    out.is = what == "maybe" ? Shape::Is::kMaybe : Shape::Is::kList;
    if (json.Size() != 2) return fail("`" + std::string(what) + "` is of one shape");
    if (!shape(json[1], out.of.emplace_back(), depth + 1)) return false;
    return out.is == Shape::Is::kList || out.of[0].is != Shape::Is::kMaybe || fail("`maybe` is of a value that is there");
  }
  if (what != "record" || json.Size() < 2 || json.Size() - 1 > limits::kMembersMax)
    return fail("`record` has 1 to " + std::to_string(limits::kMembersMax) + " members");
  out.is = Shape::Is::kRecord;
  for (rapidjson::SizeType i = 1; i < json.Size(); ++i) {
    const Json& member = json[i];
    if (!member.IsArray() || member.Size() != 2 || !member[0].IsString()) return fail("a member of a record is a name and a shape");
    std::string name(member[0].GetString(), member[0].GetStringLength());
    if (!is_name(name, 'a', 'z') || is_taken_name(name) || std::find(out.names.begin(), out.names.end(), name) != out.names.end())
      return fail("members of a record have different names, with a small letter first");
    out.names.push_back(std::move(name));
    if (!shape(member[1], out.of.emplace_back(), depth + 1)) return false;
  }
  return true;
}

}  // namespace claret::composed

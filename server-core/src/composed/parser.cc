// From JSON text to a definition. Whatever is wrong is said with its place: "operations[2].writes[0]: ...".
#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/document.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "adt/check.h"
#include "adt/registry.h"
#include "composed/definition.h"

namespace claret::composed {

namespace {

using Json = rapidjson::Value;

// Where an expression stands decides what it may name.
enum class Place : std::uint8_t { kRead, kWrite, kClaim };

bool is_name(std::string_view text, char first_low, char first_high) {
  if (text.empty() || text.size() > limits::kNameBytesMax || text.front() < first_low || text.front() > first_high) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

// Those that every object of JavaScript has: handles have operations as methods.
bool is_taken_name(std::string_view name) {
  static constexpr std::array kTaken = {"constructor",    "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
                                        "toLocaleString", "toString",       "valueOf",       "then"};
  return std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end();
}

std::string at(std::string_view list, std::size_t place) { return std::string(list) + "[" + std::to_string(place) + "]"; }

class Parser {
 public:
  Parsed parse(std::string_view text) {
    if (text.size() > limits::kDefinitionBytesMax)
      return {nullptr, "a definition has at most " + std::to_string(limits::kDefinitionBytesMax) + " bytes"};
    rapidjson::Document json;
    // Iterative: deep nesting must not exhaust the stack.
    json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(text.data(),
                                                                                                                            text.size());
    if (json.HasParseError() || !json.IsObject()) return {nullptr, "it is not a JSON object"};
    definition_ = std::make_unique<Definition>();
    definition_->text = text;
    if (head(json) && fields(json) && operations(json) && claims(json)) return {std::move(definition_), {}};
    return {nullptr, (where_.empty() ? "" : where_ + ": ") + problem_};
  }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  // ---- members of objects

  const Json* member(const Json& object, const char* name) {
    if (!object.IsObject()) {
      fail("it is not an object");
      return nullptr;
    }
    const auto found = object.FindMember(name);
    if (found != object.MemberEnd()) return &found->value;
    fail("`" + std::string(name) + "` is missing");
    return nullptr;
  }

  bool text(const Json& object, const char* name, std::size_t bytes_max, std::string& out) {
    const Json* value = member(object, name);
    if (value == nullptr) return false;
    if (!value->IsString() || value->GetStringLength() > bytes_max) {
      return fail("`" + std::string(name) + "` is a text of at most " + std::to_string(bytes_max) + " bytes");
    }
    out.assign(value->GetString(), value->GetStringLength());
    return true;
  }

  bool name_in(const Json& object, const char* member_name, std::string& out) {
    if (!text(object, member_name, limits::kMeaningBytesMax, out)) return false;
    if (is_name(out, 'a', 'z') && !is_taken_name(out)) return true;
    return fail("`" + std::string(member_name) +
                "` is a small letter and up to 39 letters, digits or _, and no name that all objects have");
  }

  const Json* list(const Json& object, const char* name, std::size_t most) {
    const Json* value = member(object, name);
    if (value == nullptr) return nullptr;
    if (value->IsArray() && value->Size() <= most) return value;
    fail("`" + std::string(name) + "` is a list of at most " + std::to_string(most));
    return nullptr;
  }

  // ---- the parts

  bool head(const Json& json) {
    const Json* format = member(json, "format");
    if (format == nullptr) return false;
    if (!format->IsInt() || format->GetInt() != 1) return fail("`format` is 1");
    if (!text(json, "name", limits::kMeaningBytesMax, definition_->name)) return false;
    if (!is_name(definition_->name, 'A', 'Z')) return fail("`name` is a capital letter and up to 39 letters, digits or _");
    if (find_type(definition_->name) != nullptr || definition_->name == "Record")
      return fail("there is a built-in type " + definition_->name);
    const Json* version = member(json, "version");
    if (version == nullptr) return false;
    if (!version->IsInt64() || version->GetInt64() < 1) return fail("`version` is an integer from 1");
    definition_->version = version->GetInt64();
    return text(json, "meaning", limits::kMeaningBytesMax, definition_->meaning);
  }

  bool fields(const Json& json) {
    const Json* given = list(json, "fields", limits::kFieldsMax);
    if (given == nullptr) return false;
    if (given->Empty()) return fail("a type has at least one field");
    for (const Json& one : given->GetArray()) {
      where_ = at("fields", definition_->fields.size());
      Field field{};
      std::string type;
      if (!name_in(one, "name", field.name) || !text(one, "type", limits::kNameBytesMax, type)) return false;
      field.type = find_type(type);
      if (field.type == nullptr) return fail("there is no built-in type " + type);
      const auto specs = field.type->operations();
      if (std::any_of(specs.begin(), specs.end(), [](const OperationSpec& spec) { return spec.fresh; }))
        return fail("a " + type + " cannot be a field");
      const Json* each = member(one, "each");
      if (each == nullptr) return false;
      if (!each->IsBool()) return fail("`each` is true or false");
      field.each = each->GetBool();
      if (!field_names_.insert(field.name).second) return fail("two fields are called " + field.name);
      definition_->fields.push_back(std::move(field));
    }
    where_.clear();
    return true;
  }

  bool operations(const Json& json) {
    const Json* given = list(json, "operations", limits::kOperationsMax);
    if (given == nullptr) return false;
    if (given->Empty()) return fail("a type has at least one operation");
    const std::size_t count = given->Size();
    Definition& definition = *definition_;
    definition.operation_names.resize(count);
    definition.operation_meanings.resize(count);
    definition.parameter_texts.resize(count);
    definition.parameters.resize(count);
    definition.bodies.resize(count);
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      operation_ = at("operations", i);
      where_ = operation_;
      if (!operation((*given)[static_cast<rapidjson::SizeType>(i)], i)) return false;
      if (!names.insert(definition.operation_names[i]).second) return fail("two operations are called " + definition.operation_names[i]);
    }
    where_.clear();
    return true;
  }

  bool operation(const Json& json, std::size_t place) {
    Definition& definition = *definition_;
    Body& body = definition.bodies[place];
    nodes_ = 0;
    place_ = place;
    std::string result_name;
    if (!name_in(json, "name", definition.operation_names[place]) ||
        !text(json, "meaning", limits::kMeaningBytesMax, definition.operation_meanings[place]) || !parameters(json, place) ||
        !text(json, "result", limits::kNameBytesMax, result_name)) {
      return false;
    }
    const auto result = find_kind(result_name);
    if (!result) return fail("there is no kind `" + result_name + "`");
    if (!requirements(json, body)) return false;
    const Json* answer = member(json, "answer");
    if (answer == nullptr) return false;
    if (answer->IsNull() != (*result == Kind::kVoid)) return fail("an operation has an answer if its result is not void");
    answers_ = !answer->IsNull();
    if (answers_) {
      where_ = operation_ + ".answer";
      if (!expression(*answer, Place::kRead, body.answer.emplace())) return false;
      note_reads(*body.answer, body, true);
    }
    if (!writes(json, body)) return false;
    where_ = operation_;
    if (!answers_ && body.writes.empty()) return fail("it has neither an answer nor anything to write");
    // Whatever the state may refuse counts as reserving, and so is told of its own transaction's operations: all but the plain read of a field.
    const bool is_plain_read =
        body.requirements.empty() && body.writes.empty() && body.answer->op == Operator::kRead && body.touches.size() == 1;
    const OperationClass operation_class = body.writes.empty() ? OperationClass::kObserve
                                           : answers_          ? OperationClass::kBoth
                                                               : OperationClass::kMutate;
    definition.operations.push_back({static_cast<std::uint8_t>(place + 1), definition.operation_names[place], definition.parameters[place],
                                     *result, operation_class, 0, definition.operation_meanings[place], !is_plain_read});
    return true;
  }

  bool parameters(const Json& json, std::size_t place) {
    const Json* given = list(json, "parameters", limits::kParametersMax);
    if (given == nullptr) return false;
    auto& texts = definition_->parameter_texts[place];
    texts.resize(2 * given->Size());
    std::set<std::string> names;
    for (rapidjson::SizeType i = 0; i < given->Size(); ++i) {
      where_ = at(operation_ + ".parameters", i);
      std::string kind_text;
      if (!name_in((*given)[i], "name", texts[2 * i]) || !text((*given)[i], "meaning", limits::kMeaningBytesMax, texts[2 * i + 1]) ||
          !text((*given)[i], "kind", limits::kNameBytesMax, kind_text)) {
        return false;
      }
      const auto kind = find_kind(kind_text);
      if (!kind || *kind == Kind::kVoid || *kind == Kind::kRankedItem) return fail("no parameter is of kind `" + kind_text + "`");
      if (!names.insert(texts[2 * i]).second) return fail("two parameters are called " + texts[2 * i]);
      definition_->parameters[place].push_back({texts[2 * i], *kind, texts[2 * i + 1]});
    }
    where_ = operation_;
    return true;
  }

  bool requirements(const Json& json, Body& body) {
    const Json* given = list(json, "require", limits::kRequirementsMax);
    if (given == nullptr) return false;
    for (const Json& one : given->GetArray()) {
      where_ = at(operation_ + ".require", body.requirements.size());
      const Json* that = member(one, "that");
      Requirement requirement;
      if (that == nullptr || !name_in(one, "code", requirement.code) ||
          !text(one, "message", limits::kMeaningBytesMax, requirement.message) || !expression(*that, Place::kRead, requirement.that)) {
        return false;
      }
      requirement.code = definition_->name + "." + requirement.code;
      note_reads(requirement.that, body, true);
      body.requirements.push_back(std::move(requirement));
    }
    where_ = operation_;
    return true;
  }

  bool writes(const Json& json, Body& body) {
    const Json* given = list(json, "writes", limits::kWritesMax);
    if (given == nullptr) return false;
    for (const Json& one : given->GetArray()) {
      where_ = at(operation_ + ".writes", body.writes.size());
      Write write{};
      if (!write_one(one, write)) return false;
      body.touches.push_back({write.field, write.operation, true, !write.when});
      body.writes.push_back(std::move(write));
    }
    return true;
  }

  bool write_one(const Json& json, Write& write) {
    const Json* field = member(json, "field");
    const Json* key = member(json, "key");
    const Json* when = member(json, "when");
    const Json* arguments = list(json, "arguments", limits::kParametersMax);
    std::string name;
    if (field == nullptr || key == nullptr || when == nullptr || arguments == nullptr ||
        !text(json, "operation", limits::kNameBytesMax, name)) {
      return false;
    }
    if (!field_of(*field, *key, write.field)) return false;
    const DataType& type = *definition_->fields[write.field].type;
    write.operation = type.find(name);
    if (write.operation == nullptr || write.operation->result != Kind::kVoid) {
      return fail(std::string(type.name()) + " has no operation " + name + " without a result");
    }
    if (!key->IsNull() && !expression(*key, Place::kWrite, write.key.emplace())) return false;
    if (!when->IsNull() && !expression(*when, Place::kWrite, write.when.emplace())) return false;
    for (const Json& argument : arguments->GetArray()) {
      if (!expression(argument, Place::kWrite, write.arguments.emplace_back())) return false;
    }
    return arguments_fit(*write.operation, write.arguments.size());
  }

  bool field_of(const Json& field, const Json& key, std::size_t& out) {
    if (!field.IsUint() || field.GetUint() >= definition_->fields.size()) return fail("there is no such field");
    out = field.GetUint();
    if (definition_->fields[out].each == key.IsNull()) return fail("a key is given for a field with `each`, and for no other");
    return true;
  }

  bool arguments_fit(const OperationSpec& operation, std::size_t given) {
    const auto parameters = operation.parameters;
    std::size_t least = parameters.size();
    while (least > 0 && parameters[least - 1].kind == Kind::kOptional) --least;
    if (given >= least && given <= parameters.size()) return true;
    return fail(std::string(operation.name) + " takes " + std::to_string(parameters.size()) + " arguments, not " + std::to_string(given));
  }

  bool claims(const Json& json) {
    const Json* given = list(json, "commutes", limits::kClaimsMax);
    if (given == nullptr) return false;
    for (const Json& one : given->GetArray()) {
      where_ = at("commutes", definition_->claims.size());
      nodes_ = 0;
      Claim claim{};
      const Json* when = member(one, "when");
      if (when == nullptr || !operation_in(one, "first", claim.first) || !operation_in(one, "second", claim.second)) return false;
      if (definition_->claim(claim.first, claim.second) != nullptr) return fail("there is a claim about these operations already");
      claim_ = &claim;
      if (!expression(*when, Place::kClaim, claim.when)) return false;
      definition_->claims.push_back(std::move(claim));
    }
    where_.clear();
    return true;
  }

  bool operation_in(const Json& object, const char* member_name, std::size_t& out) {
    std::string name;
    if (!text(object, member_name, limits::kNameBytesMax, name)) return false;
    const auto& names = definition_->operation_names;
    out = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return out < names.size() || fail("there is no operation " + name);
  }

  // ---- expressions

  bool expression(const Json& json, Place place, Expression& out, std::size_t depth = 0) {
    if (++nodes_ > limits::kNodesMax)
      return fail("the expressions of an operation have at most " + std::to_string(limits::kNodesMax) + " parts");
    if (depth > limits::kDepthMax) return fail("an expression is nested at most " + std::to_string(limits::kDepthMax) + " deep");
    if (!json.IsArray()) return constant(json, out);
    if (json.Empty() || !json[0].IsString()) return fail("an expression is a constant, or a list that begins with what it is");
    const std::string_view what(json[0].GetString(), json[0].GetStringLength());
    if (what == "integer" || what == "number") return exact(json, what, out);
    if (what == "argument" || what == "answer") return named(json, place, what, out);
    if (what == "read") return read(json, place, out, depth);
    const OperatorName* found = find_operator(what);
    if (found == nullptr) return fail("there is no operator `" + std::string(what.substr(0, limits::kNameBytesMax)) + "`");
    const std::size_t operands = json.Size() - 1;
    if (operands < found->operands_min || operands > found->operands_max)
      return fail("`" + std::string(what) + "` has another number of operands");
    out.op = found->op;
    return operands_from(json, 1, place, out, depth);
  }

  bool operands_from(const Json& json, std::size_t first, Place place, Expression& out, std::size_t depth) {
    for (std::size_t i = first; i < json.Size(); ++i) {
      if (!expression(json[static_cast<rapidjson::SizeType>(i)], place, out.operands.emplace_back(), depth + 1)) return false;
    }
    return true;
  }

  bool constant(const Json& json, Expression& out) {
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

  bool exact(const Json& json, std::string_view what, Expression& out) {
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

  bool named(const Json& json, Place place, std::string_view what, Expression& out) {
    const bool is_answer = what == "answer";
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
    const std::size_t of = place == Place::kClaim ? (out.party == 0 ? claim_->first : claim_->second) : place_;
    if (is_answer) {
      if (place == Place::kRead) return fail("the answer is known only to what is written");
      const bool answers = place == Place::kClaim ? definition_->operations[of].result != Kind::kVoid : answers_;
      return answers || fail("the operation has no answer");
    }
    out.index = json[json.Size() - 1].GetUint();
    return out.index < definition_->parameters[of].size() || fail("there is no such argument");
  }

  bool read(const Json& json, Place place, Expression& out, std::size_t depth) {
    if (place != Place::kRead) return fail("only `require` and `answer` may read: what is written follows from arguments and the answer");
    if (json.Size() < 4 || !json[3].IsString()) return fail("`read` has a field, a key and an operation");
    out.op = Operator::kRead;
    if (!field_of(json[1], json[2], out.index)) return false;
    const DataType& type = *definition_->fields[out.index].type;
    const std::string_view name(json[3].GetString(), json[3].GetStringLength());
    out.operation = type.find(name);
    if (out.operation == nullptr || out.operation->operation_class != OperationClass::kObserve) {
      return fail(std::string(type.name()) + " has no operation `" + std::string(name.substr(0, limits::kNameBytesMax)) +
                  "` that observes");
    }
    out.keyed = !json[2].IsNull();
    if (out.keyed && !expression(json[2], place, out.operands.emplace_back(), depth + 1)) return false;
    return operands_from(json, 4, place, out, depth) && arguments_fit(*out.operation, json.Size() - 4);
  }

  // `certain`: the expression is evaluated in any case.
  void note_reads(const Expression& expression, Body& body, bool certain) {
    if (expression.op == Operator::kRead) body.touches.push_back({expression.index, expression.operation, false, certain});
    const bool chooses = expression.op == Operator::kAnd || expression.op == Operator::kOr || expression.op == Operator::kIf ||
                         expression.op == Operator::kOrElse;
    for (std::size_t i = 0; i < expression.operands.size(); ++i) note_reads(expression.operands[i], body, certain && (!chooses || i == 0));
  }

  std::unique_ptr<Definition> definition_;
  std::set<std::string> field_names_;
  std::string where_;
  std::string operation_;  // the place of the operation at hand
  std::string problem_;
  std::size_t place_ = 0;  // its number
  std::size_t nodes_ = 0;
  bool answers_ = false;
  const Claim* claim_ = nullptr;
};

}  // namespace

Parsed parse_definition(std::string_view text) { return Parser().parse(text); }

}  // namespace claret::composed

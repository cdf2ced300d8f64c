// From JSON text to a definition. Whatever is wrong is said with its place: "operations[2].writes[0]: ...".
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <set>

#include "adt/check.h"
#include "adt/registry.h"
#include "composed/expression_parser.h"

namespace claret::composed {

namespace {

// Deeper than any expression may be, with what stands around it, and no danger to the stack.
constexpr std::size_t kMigrationDepthMax = limits::kDepthMax + 8;

bool is_shallow(const Json& json, std::size_t depth = 0) {
  if (depth > kMigrationDepthMax) return false;
  if (json.IsArray()) return std::all_of(json.Begin(), json.End(), [&](const Json& item) { return is_shallow(item, depth + 1); });
  return !json.IsObject() ||
         std::all_of(json.MemberBegin(), json.MemberEnd(), [&](const auto& one) { return is_shallow(one.value, depth + 1); });
}

std::string text_of(const Json& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  json.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

std::string at(std::string_view list, std::size_t place) { return std::string(list) + "[" + std::to_string(place) + "]"; }

class Parser {
 public:
  Parsed parse(std::string_view text) {
    if (text.size() > limits::kDefinitionBytesMax)
      return {nullptr, "a definition has at most " + std::to_string(limits::kDefinitionBytesMax) + " bytes"};
    // Others would read on behind it.
    if (text.find('\0') != std::string_view::npos) return {nullptr, "it has a byte 0"};
    rapidjson::Document json;
    // Iterative: deep nesting must not exhaust the stack.
    json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(text.data(),
                                                                                                                            text.size());
    if (json.HasParseError() || !json.IsObject()) return {nullptr, "it is not a JSON object"};
    definition_ = std::make_unique<Definition>();
    expressions_.emplace(*definition_);
    definition_->text = text;
    if (head(json) && fields(json) && operations(json) && claims(json) && migrations(json)) return {std::move(definition_), {}};
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
    const auto is_again = [&](const auto& one) { return one.name == found->name; };
    if (found != object.MemberEnd() && std::any_of(std::next(found), object.MemberEnd(), is_again)) {
      fail("`" + std::string(name) + "` is there twice");
      return nullptr;
    }
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
    if (find_type(definition_->name) != nullptr || definition_->name == "Record" || definition_->name == ValueType::kName)
      return fail("there is a built-in type " + definition_->name);
    const Json* version = member(json, "version");
    if (version == nullptr) return false;
    if (!version->IsInt64() || version->GetInt64() < 1 || version->GetInt64() > limits::kVersionMax)
      return fail("`version` is an integer from 1 to " + std::to_string(limits::kVersionMax));
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
      if (!(type == ValueType::kName ? value_field(one, field) : built_in_field(type, field))) return false;
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

  bool built_in_field(const std::string& type, Field& field) {
    field.type = find_type(type);
    if (field.type == nullptr) return fail("there is no built-in type " + type);
    const auto specs = field.type->operations();
    return std::none_of(specs.begin(), specs.end(), [](const OperationSpec& spec) { return spec.fresh; }) ||
           fail("a " + type + " cannot be a field");
  }

  bool value_field(const Json& json, Field& field) {
    const Json* given_shape = member(json, "shape");
    const Json* initial = given_shape == nullptr ? nullptr : member(json, "initial");
    if (initial == nullptr) return false;
    Shape shape;
    Expression constant;
    if (!expressions_->parse(*given_shape, shape) || !expressions_->parse(*initial, Place::kConstant, constant))
      return fail(expressions_->problem());
    const auto value = Evaluation({}, {}, nullptr).value(constant);
    if (!value || !shape.fits(*value) || bytes_held(*value) > kHeldBytesMax)
      return fail("the initial value does not have the field's shape");
    field.values = std::make_shared<ValueType>(std::move(shape), *value);
    field.type = field.values.get();
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
    expressions_->begin(place);
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
    const bool answers = !answer->IsNull();
    expressions_->set_answers(answers);
    if (answers) {
      where_ = operation_ + ".answer";
      if (!expression(*answer, Place::kRead, body.answer.emplace())) return false;
      note_reads(*body.answer, body, true);
    }
    if (!writes(json, body)) return false;
    where_ = operation_;
    if (!answers && body.writes.empty()) return fail("it has neither an answer nor anything to write");
    // Whatever the state may refuse counts as reserving, and so is told of its own transaction's operations: all but the plain read of a field.
    const bool is_plain_read =
        body.requirements.empty() && body.writes.empty() && body.answer->op == Operator::kRead && body.touches.size() == 1;
    const OperationClass operation_class = body.writes.empty() ? OperationClass::kObserve
                                           : answers           ? OperationClass::kBoth
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
      if (!write_one(one, Place::kWrite, write)) return false;
      body.touches.push_back({write.field, write.operation, true, !write.when});
      body.writes.push_back(std::move(write));
    }
    return true;
  }

  // `place`: kWrite or kMigration.
  bool write_one(const Json& json, Place place, Write& write) {
    const Json* field = member(json, "field");
    const Json* key = member(json, "key");
    const Json* when = member(json, "when");
    const Json* arguments = list(json, "arguments", limits::kParametersMax);
    std::string name;
    if (field == nullptr || key == nullptr || when == nullptr || arguments == nullptr ||
        !text(json, "operation", limits::kNameBytesMax, name)) {
      return false;
    }
    if (!expressions_->field_of(*field, *key, write.field)) return fail(expressions_->problem());
    if (!key->IsNull() && !expression(*key, place, write.key.emplace())) return false;
    if (!when->IsNull() && !expression(*when, place, write.when.emplace())) return false;
    if (definition_->fields[write.field].values != nullptr) return update(name, *arguments, place, write);
    const DataType& type = *definition_->fields[write.field].type;
    write.operation = type.find(name);
    if (write.operation == nullptr || write.operation->result != Kind::kVoid) {
      return fail(std::string(type.name()) + " has no operation " + name + " without a result");
    }
    for (const Json& argument : arguments->GetArray()) {
      if (!expression(argument, place, write.arguments.emplace_back())) return false;
    }
    return expressions_->arguments_fit(*write.operation, write.arguments.size()) || fail(expressions_->problem());
  }

  bool update(std::string_view name, const Json& arguments, Place place, Write& write) {
    if (name != "update" || arguments.Size() != 1) return fail("a value field is changed by `update`, with its new value");
    Update& update = definition_->fields[write.field].values->add_update();
    write.operation = &update;
    if (place != Place::kMigration) return expression(arguments[0], Place::kUpdate, update.to);
    // It follows from all fields, so it is computed with the write, which the update is told.
    update.to.op = Operator::kArgument;
    return expression(arguments[0], Place::kMigration, write.arguments.emplace_back());
  }

  bool claims(const Json& json) {
    const Json* given = list(json, "commutes", limits::kClaimsMax);
    if (given == nullptr) return false;
    for (const Json& one : given->GetArray()) {
      where_ = at("commutes", definition_->claims.size());
      Claim claim{};
      const Json* when = member(one, "when");
      if (when == nullptr || !operation_in(one, "first", claim.first) || !operation_in(one, "second", claim.second)) return false;
      if (definition_->claim(claim.first, claim.second) != nullptr) return fail("there is a claim about these operations already");
      expressions_->begin(claim);
      if (!expression(*when, Place::kClaim, claim.when)) return false;
      definition_->claims.push_back(std::move(claim));
    }
    where_.clear();
    return true;
  }

  bool migrations(const Json& json) {
    if (json.FindMember("migrations") == json.MemberEnd()) return true;
    const Json* given = list(json, "migrations", limits::kMigrationsMax);
    if (given == nullptr) return false;
    for (const Json& one : given->GetArray()) {
      const std::string of = at("migrations", definition_->migrations.size());
      where_ = of;
      const Json* to = member(one, "to");
      const Json* writes = to == nullptr ? nullptr : list(one, "writes", limits::kWritesMax);
      if (writes == nullptr) return false;
      const std::int64_t after = definition_->migrations.empty() ? 1 : definition_->migrations.back().to;
      if (!to->IsInt64() || to->GetInt64() <= after || to->GetInt64() > definition_->version)
        return fail("migrations lead to later and later versions, from 2 to that of the definition");
      if (!is_shallow(one)) return fail("it is nested too deep");
      Migration migration{to->GetInt64(), text_of(one), {}};
      expressions_->begin_migration();
      for (const Json& write : writes->GetArray()) {
        where_ = at(of + ".writes", migration.writes.size());
        if (!migration_write(write, migration.writes.emplace_back())) return false;
      }
      definition_->migrations.push_back(std::move(migration));
    }
    where_.clear();
    return true;
  }

  bool migration_write(const Json& json, MigrationWrite& out) {
    const Json* over = member(json, "over");
    if (over == nullptr) return false;
    expressions_->unbind();
    if (!over->IsNull()) {
      if (!over->IsArray() || over->Size() != 2) return fail("`over` is a local and a list");
      if (!expression((*over)[1], Place::kMigration, out.list.emplace())) return false;
      if (!expressions_->bind((*over)[0], out.item)) return fail(expressions_->problem());
    }
    return write_one(json, Place::kMigration, out.write);
  }

  bool operation_in(const Json& object, const char* member_name, std::size_t& out) {
    std::string name;
    if (!text(object, member_name, limits::kNameBytesMax, name)) return false;
    const auto& names = definition_->operation_names;
    out = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return out < names.size() || fail("there is no operation " + name);
  }

  bool expression(const Json& json, Place place, Expression& out) {
    return expressions_->parse(json, place, out) || fail(expressions_->problem());
  }

  // `certain`: the expression is evaluated in any case.
  void note_reads(const Expression& expression, Body& body, bool certain) {
    if (expression.op == Operator::kRead) body.touches.push_back({expression.index, expression.operation, false, certain});
    for (std::size_t i = 0; i < expression.operands.size(); ++i)
      note_reads(expression.operands[i], body, certain && is_certain_operand(expression, i));
  }

  // A branch may not be chosen, and a list that is gone over may be empty.
  static bool is_certain_operand(const Expression& expression, std::size_t place) {
    switch (expression.op) {
      case Operator::kAnd:
      case Operator::kOr:
      case Operator::kIf:
      case Operator::kOrElse:
        return place == 0;
      case Operator::kMap:
      case Operator::kFilter:
      case Operator::kFind:
      case Operator::kSort:
      case Operator::kFold:
        return place + 1 < expression.operands.size();
      default:
        return true;
    }
  }

  std::unique_ptr<Definition> definition_;
  std::set<std::string> field_names_;
  std::string where_;
  std::string operation_;  // the place of the operation at hand
  std::string problem_;
  std::optional<ExpressionParser> expressions_;
};

}  // namespace

Parsed parse_definition(std::string_view text) { return Parser().parse(text); }

}  // namespace claret::composed

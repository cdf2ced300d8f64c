#include "adt/registry.h"

#include <array>

#include "adt/check.h"
#include "resp/command.h"
#include "structure/json_writer.h"

// Every data type, in order of id, from 1 without gaps: one line each. Each is defined in its own file.
#define CLARET_DATA_TYPES(TYPE) \
  TYPE(register_type)           \
  TYPE(counter_type)            \
  TYPE(uid_generator_type)      \
  TYPE(dict_type)               \
  TYPE(set_type)                \
  TYPE(scored_set_type)         \
  TYPE(top_k_type)              \
  TYPE(summary_bag_type)        \
  TYPE(bounded_counter_type)    \
  TYPE(hyper_log_log_type)      \
  TYPE(list_type)

namespace claret {

#define CLARET_DECLARE(type) const DataType& type();
CLARET_DATA_TYPES(CLARET_DECLARE)
#undef CLARET_DECLARE

std::span<const DataType* const> all_types() {
#define CLARET_ADDRESS(type) &type(),
  static const std::array kTypes = {CLARET_DATA_TYPES(CLARET_ADDRESS)};
#undef CLARET_ADDRESS
  return kTypes;
}

const DataType* find_type(std::uint8_t id) {
  const auto types = all_types();
  return id >= 1 && id <= types.size() ? types[id - 1] : nullptr;
}

const DataType* find_type(std::string_view name) {
  for (const DataType* type : all_types()) {
    if (type->name() == name) return type;
  }
  return nullptr;
}

const OperationSpec* DataType::find(std::string_view operation_name) const {
  for (const OperationSpec& operation : operations()) {
    if (operation.name == operation_name) return &operation;
  }
  return nullptr;
}

const OperationSpec* DataType::find(std::uint8_t operation_id) const {
  for (const OperationSpec& operation : operations()) {
    if (operation.id == operation_id) return &operation;
  }
  return nullptr;
}

namespace {

std::string_view class_name(OperationClass operation_class) {
  static constexpr std::array<std::string_view, 4> kNames = {"observe", "mutate", "both", "blind"};
  return kNames[static_cast<std::size_t>(operation_class)];
}

std::string_view relation_name(Relation relation) {
  static constexpr std::array<std::string_view, 3> kNames = {"always", "never", "depends"};
  return kNames[static_cast<std::size_t>(relation)];
}

std::string_view ruling_name(Ruling ruling) {
  static constexpr std::array<std::string_view, 4> kNames = {"always", "never", "depends", "summed"};
  return kNames[static_cast<std::size_t>(ruling)];
}

void write_operation(JsonWriter& json, const DataType& type, const OperationSpec& operation) {
  json.open('{').name("id").literal(std::to_string(operation.id));
  json.name("code").literal(std::to_string(type.id() * 256 + operation.id));
  json.name("name").text(operation.name).name("meaning").text(operation.meaning);
  json.name("class").text(class_name(operation.operation_class));
  json.name("mode").literal(std::to_string(operation.mode));
  json.name("result").text(kind_name(operation.result));
  json.name("reserves").literal(operation.reserves ? "true" : "false");
  json.name("fresh").literal(operation.fresh ? "true" : "false");
  json.name("parameters").open('[');
  for (const Parameter& parameter : operation.parameters) {
    json.open('{').name("name").text(parameter.name).name("kind").text(kind_name(parameter.kind));
    json.name("meaning").text(parameter.meaning).close('}');
  }
  json.close(']').close('}');
}

void write_type(JsonWriter& json, const DataType& type, bool is_installed = false) {
  json.open('{').name("id").literal(std::to_string(type.id()));
  json.name("name").text(type.name()).name("meaning").text(type.meaning());
  if (is_installed) json.name("installed").literal("true");
  json.name("modes").open('[');
  for (const ModeSpec& mode : type.modes()) {
    json.open('{').name("name").text(mode.name).name("meaning").text(mode.meaning).close('}');
  }
  json.close(']').name("operations").open('[');
  for (const OperationSpec& operation : type.operations()) write_operation(json, type, operation);
  json.close(']').name("rules").open('[');
  for (const CommutativityRule& rule : type.rules()) {
    json.open('{').name("first").text(rule.first).name("second").text(rule.second);
    json.name("ruling").text(ruling_name(rule.ruling())).name("when").text(rule.when).close('}');
  }
  json.close(']').name("relations").open('[');
  for (Mode first = 0; first < type.modes().size(); ++first) {
    json.open('[');
    for (Mode second = 0; second < type.modes().size(); ++second) json.text(relation_name(type.relation(first, second)));
    json.close(']');
  }
  json.close(']').name("commands").open('[');
  for (const resp::CommandSpec& command : type.commands()) {
    if (command.runner == nullptr) continue;  // it has nothing but subcommands
    json.open('{').name("name").text(command.name).name("arity").literal(std::to_string(command.arity));
    json.name("writes").literal(command.has(resp::CommandFlag::kWrite) ? "true" : "false");
    json.name("group").text(command.group).name("meaning").text(command.summary).close('}');
  }
  json.close(']').close('}');
}

}  // namespace

std::string catalogue_json(const DataType* of_records, std::span<const DataType* const> installed) {
  JsonWriter json;
  json.open('{').name("types").open('[');
  for (const DataType* type : all_types()) write_type(json, *type);
  for (const DataType* type : installed) write_type(json, *type, true);
  json.close(']');
  if (of_records != nullptr) {
    json.name("record");
    write_type(json, *of_records);
  }
  return json.close('}').take();
}

}  // namespace claret

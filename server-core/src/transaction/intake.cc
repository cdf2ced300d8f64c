#include "transaction/intake.h"

#include "adt/check.h"
#include "gate/record_operations.h"
#include "ground/utf8.h"
#include "wire/limits.h"

namespace claret {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "'";
  out += text.substr(0, limits::kLabelBytesMax);
  out += '\'';
  return out;
}

std::size_t text_bytes(const Value& value) {
  if (value.is_text()) return value.text().size();
  std::size_t bytes = 0;
  if (value.is_list()) {
    for (const Value& item : value.list()) bytes += text_bytes(item);
  }
  return bytes;
}

std::optional<Error> check_size(const std::vector<Value>& arguments) {
  std::size_t bytes = 0;
  for (const Value& argument : arguments) bytes += text_bytes(argument);
  if (bytes <= limits::kArgumentsBytesMax) return std::nullopt;
  return refuse(errors::kArgumentTooLarge,
                "the arguments have over " + std::to_string(limits::kArgumentsBytesMax) + " bytes of text together");
}

// By code, or by name ("Type.operation").
std::optional<Error> resolve(const OperationMessage& message, const composed::TypeTable& types, TakenOperation& taken) {
  if (!is_valid_utf8(message.name)) return refuse(errors::kInvalidUtf8, "the operation's name is not valid UTF-8");
  if (message.code != 0 || message.name.empty()) {
    const std::uint32_t type_id = message.code >> 8;
    taken.type = is_of_record(message) ? &record_operations() : types.find(type_id);
    if (taken.type == nullptr) return refuse(errors::kUnknownType, "no data type has the id " + std::to_string(type_id));
    taken.call.operation = taken.type->find(static_cast<std::uint8_t>(message.code & 0xFF));
    if (taken.call.operation == nullptr) {
      return refuse(errors::kUnknownOperation,
                    std::string(taken.type->name()) + " has no operation with the id " + std::to_string(message.code & 0xFF));
    }
    return std::nullopt;
  }
  const auto dot = message.name.find('.');
  const auto type_name = message.name.substr(0, dot);
  taken.type = find_operations(types, type_name);
  if (taken.type == nullptr) return refuse(errors::kUnknownType, "there is no data type " + quoted(type_name));
  const auto operation_name = dot == std::string_view::npos ? std::string_view{} : message.name.substr(dot + 1);
  taken.call.operation = taken.type->find(operation_name);
  if (taken.call.operation == nullptr) {
    return refuse(errors::kUnknownOperation, std::string(taken.type->name()) + " has no operation " + quoted(operation_name));
  }
  return std::nullopt;
}

}  // namespace

const DataType* find_operations(const composed::TypeTable& types, std::string_view type_name) {
  return type_name == record_operations().name() ? &record_operations() : types.find(type_name);
}

bool is_of_record(const OperationMessage& message) {
  if (message.code != 0 || message.name.empty()) return message.code != 0 && message.code >> 8 == record_operations().id();
  return message.name.substr(0, message.name.find('.')) == record_operations().name();
}

std::optional<Error> check_key(std::string_view key, const SlotTable* slots) {
  if (key.empty()) return refuse(errors::kInvalidKey, "a key cannot be empty");
  if (key.size() > limits::kKeyBytesMax) {
    return refuse(errors::kInvalidKey, "a key has at most " + std::to_string(limits::kKeyBytesMax) + " bytes");
  }
  if (!is_valid_utf8(key)) return refuse(errors::kInvalidUtf8, "the key is not valid UTF-8");
  if (slots == nullptr || slots->owns_all()) return std::nullopt;
  const std::uint32_t slot = slot_of(key);
  if (slots->owns(slot)) return std::nullopt;
  Error error = wrong_shard("the shard does not own the key's slot, " + std::to_string(slot));
  error.key = key;
  return error;
}

std::optional<Error> take_operation(OperationMessage& message, const composed::TypeTable& types, const SlotTable* slots,
                                    TakenOperation& taken) {
  if (auto error = check_key(message.key, slots)) return error;
  auto error = resolve(message, types, taken);
  if (!error && slots != nullptr && types.is_retired(*taken.type)) {
    error = refuse(errors::kTypeRetired, "the type " + std::string(taken.type->name()) + " has been retired");
  }
  if (!error && !message.problem.empty()) {
    const bool finite = message.problem != errors::kNotFinite;
    error = refuse(message.problem, finite ? "an argument is not allowed" : "a number must be finite");
  }
  if (!error) error = check_call(*taken.type, *taken.call.operation, message.arguments);
  // What the log holds may have come through the Redis door, which has limits of its own.
  if (!error && slots != nullptr) error = check_size(message.arguments);
  if (error) {
    error->key = message.key;
    if (taken.call.operation != nullptr) {
      error->operation = std::string(taken.type->name()) + '.' + std::string(taken.call.operation->name);
    }
    return error;
  }
  taken.call.arguments = std::move(message.arguments);
  return std::nullopt;
}

}  // namespace claret

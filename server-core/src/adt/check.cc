#include "adt/check.h"

#include <array>
#include <cmath>
#include <string>

namespace claret {

namespace {

using Code = std::string_view;
constexpr Code kFine = {};

Code check_text(const Value& value) {
  if (!value.is_text()) return errors::kWrongArgumentType;
  return value.text().size() > kTextBytesMax ? errors::kArgumentTooLarge : kFine;
}

Code check_integer(const Value& value) {
  if (value.is_integer()) return kFine;
  if (!value.is_number()) return errors::kWrongArgumentType;
  if (!std::isfinite(value.number())) return errors::kNotFinite;
  return std::abs(value.number()) >= 0x1p63 ? errors::kOutOfRange : errors::kWrongArgumentType;
}

Code check_number(Value& value) {
  if (value.is_integer()) {
    const std::int64_t integer = value.integer();
    if (integer > kExactNumberMax || integer < -kExactNumberMax) return errors::kOutOfRange;
    value = Value(static_cast<double>(integer));
  }
  if (!value.is_number()) return errors::kWrongArgumentType;
  if (!std::isfinite(value.number())) return errors::kNotFinite;
  if (value.number() == 0) value = Value(0.0);
  return kFine;
}

Code check_scalar(Value& value) {
  if (value.is_boolean() || value.is_integer()) return kFine;
  return value.is_number() ? check_number(value) : check_text(value);
}

Code check_optional(Value& value) { return value.absent() ? kFine : check_scalar(value); }

template <typename CheckItem>
Code check_list(Value& value, CheckItem check_item) {
  if (!value.is_list()) return errors::kWrongArgumentType;
  Value::List& items = value.list();
  if (items.size() > kItemsMax) return errors::kArgumentTooLarge;
  for (Value& item : items) {
    if (const Code code = check_item(item); !code.empty()) return code;
  }
  return kFine;
}

// A list of [text, value], where `check_second` checks the value.
template <typename CheckSecond>
Code check_pairs(Value& value, CheckSecond check_second) {
  return check_list(value, [&](Value& item) -> Code {
    if (!item.is_list() || item.list().size() != 2) return errors::kWrongArgumentType;
    Value::List& pair = item.list();
    if (const Code code = check_text(pair[0]); !code.empty()) return code;
    return check_second(pair[1]);
  });
}

Code check_kind(Kind kind, Value& value) {
  switch (kind) {
    case Kind::kVoid:
      return value.absent() ? kFine : errors::kWrongArgumentType;
    case Kind::kBoolean:
      return value.is_boolean() ? kFine : errors::kWrongArgumentType;
    case Kind::kInteger:
      return check_integer(value);
    case Kind::kNumber:
      return check_number(value);
    case Kind::kText:
      return check_text(value);
    case Kind::kScalar:
      return check_scalar(value);
    case Kind::kOptional:
      return check_optional(value);
    case Kind::kTexts:
      return check_list(value, check_text);
    case Kind::kScalars:
      return check_list(value, check_scalar);
    case Kind::kEntries:
      return check_pairs(value, check_scalar);
    case Kind::kScored:
      return check_pairs(value, check_integer);
    case Kind::kRanked:
      return check_pairs(value, check_number);
    case Kind::kRankedItem:
      break;  // for results only
  }
  return errors::kWrongArgumentType;
}

std::string expectation(Code code, const Parameter& parameter) {
  const std::string name = "`" + std::string(parameter.name) + "`";
  if (code == errors::kArgumentTooLarge) {
    return name + " is over " + std::to_string(kTextBytesMax) + " bytes of text or " + std::to_string(kItemsMax) + " items";
  }
  if (code == errors::kNotFinite) return name + " is not a finite number";
  if (code == errors::kOutOfRange && parameter.kind == Kind::kNumber) {
    return name + " is an integer that no number equals exactly (beyond 2^53)";
  }
  if (code == errors::kOutOfRange) return name + " is beyond 64 bits";
  return name + " must be of kind " + std::string(kind_name(parameter.kind));
}

}  // namespace

std::optional<Error> check_call(const DataType& type, const OperationSpec& operation, std::vector<Value>& arguments) {
  const auto error = [&](Code code, std::string message) {
    Error error{.code = code, .message = std::move(message)};
    error.operation = std::string(type.name()) + "." + std::string(operation.name);
    return error;
  };
  const std::span<const Parameter> parameters = operation.parameters;
  const std::size_t given = arguments.size();
  while (arguments.size() < parameters.size() && parameters[arguments.size()].kind == Kind::kOptional) {
    arguments.emplace_back();
  }
  if (arguments.size() != parameters.size()) {
    return error(errors::kWrongArgumentCount, "takes " + std::to_string(parameters.size()) +
                                                  (parameters.size() == 1 ? " argument, not " : " arguments, not ") +
                                                  std::to_string(given));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Code code = check_kind(parameters[i].kind, arguments[i]);
    if (!code.empty()) return error(code, expectation(code, parameters[i]));
  }
  return std::nullopt;
}

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, 13> kNames = {"void",  "boolean", "integer", "number", "text",   "scalar",     "optional",
                                                              "texts", "scalars", "entries", "scored", "ranked", "ranked_item"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<Refusal> check_page_size(std::int64_t items) {
  if (items >= 1 && items <= kItemsMax) return std::nullopt;
  return Refusal{errors::kOutOfRange, "asks for " + std::to_string(items) + " items; 1 to " + std::to_string(kItemsMax) + " are possible"};
}

std::optional<Refusal> check_optional_text(const Value& value, std::string_view name) {
  if (value.absent() || value.is_text()) return std::nullopt;
  return Refusal{errors::kWrongArgumentType, "`" + std::string(name) + "` must be text or absent"};
}

}  // namespace claret

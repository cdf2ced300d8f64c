// The concurrency control in effect at a shard, made of the lines of conditions.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace claret {

// clang-format off

// ---- the types of choices, such as LockKind

#define CHOICE(name, Type, ...) enum class Type : std::uint8_t {
#define VALUE(constant, ...) constant,
#define END_CHOICE };
#define FLAG(...)
#define OFF(...)
#define ON(...)
#include "ground/conditions.def"

// The words of all values, on the wire, in the configuration and in the addon.
#define CHOICE(name, Type, ...) constexpr auto words_of(Type) { return std::to_array<std::string_view>({
#define VALUE(constant, word, ...) word,
#define END_CHOICE }); }
#define FLAG(...)
#define OFF(...)
#define ON(...)
#include "ground/conditions.def"

// clang-format on

template <typename Type>
concept Choice = requires(Type value) {
  words_of(value);
};

template <Choice Type>
constexpr std::string_view name_of(Type value) {
  return words_of(value)[static_cast<std::size_t>(value)];
}

template <Choice Type>
constexpr std::optional<Type> choice_named(std::string_view word) {
  constexpr auto kWords = words_of(Type{});
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<Type>(i);
  }
  return std::nullopt;
}

struct Conditions {
#define CHOICE(name, Type, usual, ...) Type name = Type::usual;
#define VALUE(...)
#define END_CHOICE
#define FLAG(name, usual, ...) bool name = usual;
#define OFF(...)
#define ON(...)
#include "ground/conditions.def"

  bool operator==(const Conditions&) const = default;
};

struct ConditionField {
  const char* name;
  std::uint32_t number;  // in claret.proto
  bool always;  // messages have it always; otherwise only where it is not the usual one
};

// `visit(field, value, usual)` for each condition; `value` is a choice or a bool of `conditions`, which may be const.
template <typename Any>
constexpr void for_each_condition(Any& conditions, auto&& visit) {
#define CHOICE(name, Type, usual, field, always, ...) visit(ConditionField{#name, field, always}, conditions.name, Type::usual);
#define VALUE(...)
#define END_CHOICE
#define FLAG(name, usual, field, always, ...) visit(ConditionField{#name, field, always}, conditions.name, usual);
#define OFF(...)
#define ON(...)
#include "ground/conditions.def"
}

}  // namespace claret

// Value: an argument or a result of an operation; the in-memory form of the wire's `Value`.
//
// Invariants: texts are valid UTF-8 and numbers are finite (both are checked in wire/, where bytes are decoded).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace claret {

class Value {
 public:
  using List = std::vector<Value>;

  Value() = default;  // absent
  Value(bool boolean) : kind_(boolean) {}
  Value(std::int64_t integer) : kind_(integer) {}
  Value(double number) : kind_(number) {}
  Value(std::string text) : kind_(std::move(text)) {}
  Value(const char* text) : kind_(std::string(text)) {}
  Value(List list) : kind_(std::move(list)) {}

  bool absent() const { return std::holds_alternative<std::monostate>(kind_); }
  bool is_boolean() const { return std::holds_alternative<bool>(kind_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(kind_); }
  bool is_number() const { return std::holds_alternative<double>(kind_); }
  bool is_text() const { return std::holds_alternative<std::string>(kind_); }
  bool is_list() const { return std::holds_alternative<List>(kind_); }

  // REQUIRES: the value is of that kind.
  bool boolean() const { return std::get<bool>(kind_); }
  std::int64_t integer() const { return std::get<std::int64_t>(kind_); }
  double number() const { return std::get<double>(kind_); }
  const std::string& text() const { return std::get<std::string>(kind_); }
  const List& list() const { return std::get<List>(kind_); }
  List& list() { return std::get<List>(kind_); }

  bool operator==(const Value&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List> kind_;
};

}  // namespace claret

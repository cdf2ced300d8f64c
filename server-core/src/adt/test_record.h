// For tests: one record that takes calls by name, each as a transaction of its own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "adt/registry.h"

namespace claret {

class TestRecord {
 public:
  explicit TestRecord(const DataType& type) : type_(type), state_(type_.create()) {}
  explicit TestRecord(std::string_view type) : TestRecord(*find_type(type)) {}

  Call call(std::string_view operation, std::vector<Value> arguments = {}) const {
    Call call{type_.find(operation), std::move(arguments)};
    EXPECT_NE(call.operation, nullptr) << operation;
    const std::optional<Error> error = check_call(type_, *call.operation, call.arguments);
    EXPECT_FALSE(error) << operation << ": " << error->message;
    return call;
  }

  // Executes the call, commits it, and returns the result.
  Value run(std::string_view operation, std::vector<Value> arguments = {}) {
    const Call call = this->call(operation, std::move(arguments));
    const Outcome outcome = type_.execute(*state_, call, {}, context_);
    EXPECT_FALSE(outcome.refused()) << operation << ": " << outcome.refusal().message;
    commit(call, outcome.result());
    return outcome.result();
  }

  // Commits a call that was executed earlier.
  void commit(const Call& call, const Value& result) {
    if (call.operation->operation_class != OperationClass::kObserve)
      changes_.push_back({call, result, type_.before(*state_, call, result)});
    type_.commit(*state_, call, result);
  }

  // Undoes the newest change. Returns what was kept of the state before it.
  Value undo() {
    const Change newest = std::move(changes_.back());
    changes_.pop_back();
    type_.undo(*state_, newest.call, newest.result, newest.kept);
    return newest.kept;
  }

  std::string bytes() const {
    std::string bytes;
    type_.encode(*state_, bytes);
    return bytes;
  }

  // The record has these bytes from now on.
  void restore(std::string_view bytes) {
    state_ = type_.decode(bytes);
    ASSERT_NE(state_, nullptr);
  }

  // The code with which execute refuses the call, given the calls that its transaction already holds; empty if it is not refused.
  std::string_view refusal(std::string_view operation, std::vector<Value> arguments, const std::vector<Call>& own = {}) {
    const Value none;
    std::vector<Held> held;
    for (const Call& before : own) {
      EXPECT_EQ(type_.reserve(*state_, before, none, held), DataType::Reservation::kYes);
      held.push_back({&before, &none});
    }
    const Outcome outcome = type_.execute(*state_, call(operation, std::move(arguments)), held, context_);
    for (const Call& before : own) type_.release(*state_, before, none);
    return outcome.refused() ? outcome.refusal().code : std::string_view();
  }

  // May these two hold the record together?
  bool commute(const Call& first, const Call& second) const {
    switch (type_.relation(first.operation->mode, second.operation->mode)) {
      case Relation::kAlways:
        return true;
      case Relation::kNever:
        return false;
      case Relation::kDepends:
        break;
    }
    const Outcome a = type_.execute(*state_, first, {}, context_);
    const Outcome b = type_.execute(*state_, second, {}, context_);
    return type_.commutes({&first, &a.result()}, {&second, &b.result()}, *state_);
  }

  const DataType& type() const { return type_; }
  State& state() { return *state_; }

 private:
  struct Change {
    Call call;
    Value result;
    Value kept;
  };

  const DataType& type_;
  std::unique_ptr<State> state_;
  std::vector<Change> changes_;
  const Context context_{7};
};

inline Value integer(std::int64_t value) { return Value(value); }
inline Value list(std::vector<Value> items) { return Value(std::move(items)); }

}  // namespace claret

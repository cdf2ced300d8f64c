// For tests of costs: a data type that counts the calls to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "adt/registry.h"

namespace claret {

// A type of the registry that counts the calls to it.
class Counted : public DataType {
 public:
  explicit Counted(std::string_view name) : base_(*find_type(name)) {}

  mutable int relations = 0;
  mutable int pairs = 0;
  mutable int executions = 0;
  mutable int commits = 0;
  mutable int undone = 0;

  void forget() { relations = pairs = executions = commits = undone = 0; }

  std::uint8_t id() const override { return base_.id(); }
  std::string_view name() const override { return base_.name(); }
  std::string_view meaning() const override { return base_.meaning(); }
  std::span<const OperationSpec> operations() const override { return base_.operations(); }
  std::span<const ModeSpec> modes() const override { return base_.modes(); }
  std::span<const CommutativityRule> rules() const override { return base_.rules(); }
  std::unique_ptr<State> create() const override { return base_.create(); }
  Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const override {
    ++executions;
    return base_.execute(state, call, own, context);
  }
  Relation relation(Mode first, Mode second) const override {
    ++relations;
    return base_.relation(first, second);
  }
  bool commutes(const Held& first, const Held& second, const State& state) const override {
    ++pairs;
    return base_.commutes(first, second, state);
  }
  Reservation reserve(State& state, const Call& call, const Value& result, std::span<const Held> own) const override {
    return base_.reserve(state, call, result, own);
  }
  void release(State& state, const Call& call, const Value& result) const override { base_.release(state, call, result); }
  void commit(State& state, const Call& call, const Value& result) const override {
    ++commits;
    base_.commit(state, call, result);
  }
  Value before(const State& state, const Call& call, const Value& result) const override { return base_.before(state, call, result); }
  void undo(State& state, const Call& call, const Value& result, const Value& kept) const override {
    ++undone;
    base_.undo(state, call, result, kept);
  }
  void encode(const State& state, std::string& out) const override { base_.encode(state, out); }
  std::unique_ptr<State> decode(std::string_view bytes) const override { return base_.decode(bytes); }

 private:
  const DataType& base_;
};

}  // namespace claret

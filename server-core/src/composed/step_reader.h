// The reads of an evaluation, on the state of a record.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "composed/composed_type.h"

namespace claret::composed {

// Where there is no shard. No read of a field needs one.
inline const Context kNoContext{0};

// Notes each read as a step.
class StepReader final : public Reader {
 public:
  // `context`: of the shard; no read of a field needs it.
  StepReader(const FieldSet& fields, const Fields& state, const Context& context) : fields_(fields), state_(state), context_(context) {}

  Outcome read(std::size_t field, std::string_view key, const OperationSpec& operation, std::vector<Value> arguments) override {
    const DataType& type = *fields_[field].type;
    Call call{&operation, std::move(arguments)};
    if (auto error = check_call(type, operation, call.arguments)) return Refusal{error->code, fields_[field].name + ": " + error->message};
    Outcome outcome = type.execute(fields_.state(state_, field, key), call, {}, context_);
    // What a value field is depends on nothing but its place (value_type.h).
    const bool is_value = fields_[field].values != nullptr;
    if (!outcome.refused()) steps_.push_back({field, std::string(key), std::move(call), is_value ? Value() : outcome.result()});
    return outcome;
  }
  Value::List keys(std::size_t field) override {
    Value::List keys;
    if (field >= state_.fields.size()) return keys;
    for (const auto& [key, entry] : state_.fields[field]) keys.emplace_back(key);
    return keys;
  }
  ComposedType::Steps& steps() { return steps_; }

 private:
  const FieldSet& fields_;
  const Fields& state_;
  const Context& context_;
  ComposedType::Steps steps_;
};

}  // namespace claret::composed

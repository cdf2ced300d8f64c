#include "samples.h"

#include <cstdio>

namespace claret::bench {

namespace {

Value sample(Kind kind, bool observes, std::uint64_t number) {
  switch (kind) {
    case Kind::kVoid:
    case Kind::kOptional:
    case Kind::kRankedItem:
      return {};
    case Kind::kBoolean:
      return true;
    case Kind::kInteger:
      return observes ? std::int64_t{10} : static_cast<std::int64_t>(number % 1000 + 1);
    case Kind::kNumber:
      return static_cast<double>(number);
    case Kind::kText:
      return member(number);
    case Kind::kScalar:
      return static_cast<std::int64_t>(number);
    case Kind::kTexts:
    case Kind::kScalars:
      return Value::List{member(number)};
    case Kind::kEntries:
    case Kind::kScored:
    case Kind::kRanked:
      return Value::List{Value::List{member(number), static_cast<std::int64_t>(number)}};
  }
  return {};
}

std::size_t encoded_bytes(const DataType& type, const State& state) {
  std::string bytes;
  type.encode(state, bytes);
  return bytes.size();
}

}  // namespace

std::string member(std::uint64_t number) {
  char text[16];
  const int length = std::snprintf(text, sizeof text, "m%08llu", static_cast<unsigned long long>(number));
  return {text, static_cast<std::size_t>(length)};
}

Call sample_call(const OperationSpec& operation, std::uint64_t number) {
  Call call{&operation, {}};
  const bool observes = operation.operation_class == OperationClass::kObserve;
  for (const Parameter& parameter : operation.parameters) {
    call.arguments.push_back(sample(parameter.kind, observes, number));
  }
  return call;
}

bool run(const DataType& type, State& state, const Call& call) {
  const Context context{1};
  const Outcome outcome = type.execute(state, call, {}, context);
  if (outcome.refused()) return false;
  type.commit(state, call, outcome.result());
  return true;
}

const OperationSpec* growing_operation(const DataType& type) {
  for (const OperationSpec& operation : type.operations()) {
    if (operation.operation_class == OperationClass::kObserve) continue;
    const auto state = type.create();
    std::size_t bytes[3];
    bool runs = true;
    for (std::uint64_t i = 0; i < 3; ++i) {
      for (std::uint64_t j = 0; j < 8; ++j) runs = runs && run(type, *state, sample_call(operation, 8 * i + j));
      bytes[i] = encoded_bytes(type, *state);
    }
    if (runs && bytes[0] < bytes[1] && bytes[1] < bytes[2]) return &operation;
  }
  return nullptr;
}

std::unique_ptr<State> filled(const DataType& type, std::uint64_t members) {
  auto state = type.create();
  if (const OperationSpec* grow = growing_operation(type)) {
    for (std::uint64_t i = 0; i < members; ++i) run(type, *state, sample_call(*grow, i));
    return state;
  }
  for (const OperationSpec& operation : type.operations()) {
    if (operation.operation_class == OperationClass::kObserve) continue;
    for (std::uint64_t i = 0; i < members; ++i) run(type, *state, sample_call(operation, i));
    break;
  }
  return state;
}

}  // namespace claret::bench

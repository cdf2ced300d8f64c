// Random scenarios: arguments come from small pools, so that calls of different transactions meet.
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <ostream>

#include "adt/check.h"
#include "adt/laws.h"

namespace claret::laws {

namespace {

constexpr std::size_t kFillCalls = 140;  // more than a TopK keeps
constexpr int kHistoryMax = 7;
constexpr int kMoreStepsMax = 2;

using rc::gen::element;

std::vector<std::string>& named_texts() {
  static std::vector<std::string> texts;
  return texts;
}
std::vector<std::int64_t>& named_integers() {
  static std::vector<std::int64_t> integers;
  return integers;
}

std::string draw_text() {
  if (!named_texts().empty() && rarely(4)) return *rc::gen::elementOf(named_texts());
  return *element<std::string>("", "a", "b", "c", "\xc3\xa9");
}

std::int64_t draw_integer() {
  if (!named_integers().empty() && rarely(4)) return *rc::gen::elementOf(named_integers());
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  return *rc::gen::weightedOneOf<std::int64_t>({
      {12, rc::gen::inRange<std::int64_t>(-3, 5)},
      {3, rc::gen::elementOf(std::vector<std::int64_t>{kMin, kMin + 1, kMax - 1, kMax})},
      {1, rc::gen::elementOf(std::vector<std::int64_t>{kExactNumberMax, -kExactNumberMax, kExactNumberMax + 1})},
  });
}

double draw_number() { return *element(-1.5, -0.0, 0.0, 0.5, 1.0, 2.0, 1e300); }

Value draw_scalar() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return draw_number();
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
    case 3:
    case 4:
      return draw_text();
    default:
      return draw_integer();
  }
}

Value draw_optional() { return *rc::gen::inRange(0, 3) == 0 ? Value() : draw_scalar(); }

template <typename Draw>
Value draw_list(Draw draw) {
  Value::List items;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) items.push_back(draw());
  return items;
}

Value draw_argument(Kind kind) {
  switch (kind) {
    case Kind::kVoid:
    case Kind::kRankedItem:
      return Value();
    case Kind::kBoolean:
      return *rc::gen::arbitrary<bool>();
    case Kind::kInteger:
      return draw_integer();
    case Kind::kNumber:
      return draw_number();
    case Kind::kText:
      return draw_text();
    case Kind::kScalar:
      return draw_scalar();
    case Kind::kOptional:
      return draw_optional();
    case Kind::kTexts:
      return draw_list([] { return Value(draw_text()); });
    case Kind::kScalars:
      return draw_list(draw_scalar);
    case Kind::kEntries:
      return draw_list([] { return Value(Value::List{draw_text(), draw_scalar()}); });
    case Kind::kScored:
      return draw_list([] { return Value(Value::List{draw_text(), draw_integer()}); });
    case Kind::kRanked:
      return draw_list([] { return Value(Value::List{draw_text(), draw_number()}); });
  }
  return Value();
}

Call draw_any_call(const DataType& type) {
  const auto operations = type.operations();
  return draw_call(operations[*rc::gen::inRange<std::size_t>(0, operations.size())], type);
}

Call draw_change(const DataType& type) {
  std::vector<const OperationSpec*> changes;
  for (const OperationSpec& operation : type.operations()) {
    if (operation.operation_class != OperationClass::kObserve) changes.push_back(&operation);
  }
  // A composed type may do nothing but observe.
  return changes.empty() ? draw_any_call(type) : draw_call(**rc::gen::elementOf(changes), type);
}

// Another call of the same transaction, often on the same item.
Call draw_next_call(const DataType& type, const Call& before) {
  Call call = *rc::gen::arbitrary<bool>() ? draw_change(type) : draw_any_call(type);
  const bool both_name_one =
      !call.arguments.empty() && !before.arguments.empty() && call.arguments[0].is_text() && before.arguments[0].is_text();
  if (both_name_one && *rc::gen::arbitrary<bool>()) call.arguments[0] = before.arguments[0];
  return call;
}

Step draw_step(const DataType& type, const OperationSpec* first, bool leaving) {
  Step step{draw_transaction(type, first, 3), Leave::kNobody, 0};
  if (!leaving) return step;
  step.leave = *rc::gen::weightedElement<Leave>({{3, Leave::kNobody}, {3, Leave::kCommit}, {1, Leave::kAbort}});
  step.who = *rc::gen::inRange<std::size_t>(0, 4);
  return step;
}

// Fills every state in the same way: a call of each changing operation in turn, each with its own text.
void fill(const DataType& type, State& state, const Context& context) {
  for (std::size_t i = 0; i < kFillCalls; ++i) {
    const OperationSpec& operation = type.operations()[i % type.operations().size()];
    const OperationSpec& used = operation.operation_class == OperationClass::kObserve ? type.operations()[0] : operation;
    Call call{&used, {}};
    for (const Parameter& parameter : used.parameters) {
      const std::string text = "fill" + std::to_string(i);
      const auto integer = static_cast<std::int64_t>(i % 5);
      switch (parameter.kind) {
        case Kind::kText:
          call.arguments.emplace_back(text);
          break;
        case Kind::kNumber:
          call.arguments.emplace_back(static_cast<double>(integer));
          break;
        case Kind::kTexts:
        case Kind::kScalars:
          call.arguments.emplace_back(Value::List{text});
          break;
        case Kind::kEntries:
          call.arguments.emplace_back(Value::List{Value::List{text, integer}});
          break;
        default:
          call.arguments.emplace_back(integer);
      }
    }
    if (check_call(type, used, call.arguments)) continue;
    Outcome outcome = type.execute(state, call, {}, context);
    if (!outcome.refused()) type.commit(state, call, outcome.result());
  }
}

void show(std::ostream& out, const Value& value) {
  if (value.absent()) out << "absent";
  if (value.is_boolean()) out << (value.boolean() ? "true" : "false");
  if (value.is_integer()) out << value.integer();
  if (value.is_number()) out << value.number() << "f";
  if (value.is_text()) out << '"' << value.text() << '"';
  if (!value.is_list()) return;
  out << '[';
  for (const Value& item : value.list()) {
    if (&item != &value.list().front()) out << ", ";
    show(out, item);
  }
  out << ']';
}

}  // namespace

void draw_also(std::span<const Value> named) {
  for (const Value& value : named) {
    if (value.is_text()) named_texts().push_back(value.text());
    if (value.is_integer()) named_integers().push_back(value.integer());
  }
}

Transaction draw_transaction(const DataType& type, const OperationSpec* first, std::size_t calls_max) {
  Transaction transaction;
  if (first != nullptr) {
    transaction.calls.push_back(draw_call(*first, type));
  } else {
    transaction.calls.push_back(draw_any_call(type));
  }
  const int of_eight = *rc::gen::inRange(0, 8);
  const std::size_t calls = of_eight < 4 ? 1 : of_eight < 7 ? 2 : 3;
  while (transaction.calls.size() < std::min(calls, calls_max)) transaction.calls.push_back(draw_next_call(type, transaction.calls.back()));
  return transaction;
}

Call draw_call(const OperationSpec& operation, const DataType& type) {
  Call call{&operation, {}};
  for (const Parameter& parameter : operation.parameters) call.arguments.push_back(draw_argument(parameter.kind));
  const std::optional<Error> error = check_call(type, operation, call.arguments);
  // Arguments are drawn by kind, so check_call may refuse only an integer that a double cannot represent exactly.
  if (error && error->code != errors::kOutOfRange) RC_FAIL("check_call: " + error->message);
  if (error) RC_DISCARD("an integer beyond what numbers hold");
  return call;
}

Scenario draw_scenario(const DataType& type, const OperationSpec& first, const OperationSpec& second) {
  Scenario scenario{&type, rarely(12), {}, {}};
  scenario.history = draw_up_to<Call>(kHistoryMax, [&type] { return draw_change(type); });
  scenario.steps.push_back(draw_step(type, &first, false));
  scenario.steps.push_back(draw_step(type, &second, true));
  const std::vector<Step> more = draw_up_to<Step>(kMoreStepsMax, [&] {
    const OperationSpec* again = *element<const OperationSpec*>(nullptr, &first, &second);
    return draw_step(type, again, true);
  });
  scenario.steps.insert(scenario.steps.end(), more.begin(), more.end());
  return scenario;
}

std::unique_ptr<State> build_state(const Scenario& scenario) {
  const DataType& type = *scenario.type;
  const Context context{1};
  std::unique_ptr<State> state = type.create();
  if (scenario.filled) fill(type, *state, context);
  for (const Call& call : scenario.history) {
    Outcome outcome = type.execute(*state, call, {}, context);
    if (!outcome.refused()) type.commit(*state, call, outcome.result());
  }
  return state;
}

std::ostream& operator<<(std::ostream& out, const Call& call) {
  out << call.operation->name << '(';
  for (const Value& argument : call.arguments) {
    if (&argument != &call.arguments.front()) out << ", ";
    show(out, argument);
  }
  return out << ") ";
}

std::ostream& operator<<(std::ostream& out, const std::vector<Call>& calls) {
  for (const Call& call : calls) out << call;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  out << scenario.type->name() << (scenario.filled ? ", filled" : "") << "\n  history: " << scenario.history;
  for (const Step& step : scenario.steps) {
    out << "\n  comes: " << step.transaction.calls;
    if (step.leave == Leave::kCommit) out << "then holder " << step.who << " commits";
    if (step.leave == Leave::kAbort) out << "then holder " << step.who << " aborts";
  }
  return out;
}

}  // namespace claret::laws

#include "composed/value_type.h"

#include <array>
#include <atomic>
#include <utility>

#include "ground/errors.h"

namespace claret::composed {

namespace {

enum : Mode { kReads, kUpdates };

constexpr std::array kModes = {ModeSpec{"get", "reads the value"}, ModeSpec{"update", "replaces the value"}};
constexpr std::array kRules = {CommutativityRule{"get", "get", "always"}, CommutativityRule{"get", "update", "never"},
                               CommutativityRule{"update", "update", "never"}};

bool reads(const Call& call) { return call.operation->operation_class == OperationClass::kObserve; }

Refusal quarantined() {
  return {errors::kRecordQuarantined, "a change of it has failed when it was committed: a claim of the type is wrong"};
}

}  // namespace

void HeldValue::replace(Value by) {
  static std::atomic<std::uint64_t> revisions = 0;
  value = std::move(by);
  revision = revisions.fetch_add(1, std::memory_order_relaxed) + 1;
}

ValueType::ValueType(Shape shape, Value initial)
    : shape_(std::move(shape)), initial_(std::move(initial)), get_{1,      "get",       {}, Kind::kScalars, OperationClass::kObserve,
                                                                   kReads, "The value."} {}

Update& ValueType::add_update() {
  Update& update = updates_.emplace_back();
  static_cast<OperationSpec&>(update) = {2, "update", {}, Kind::kVoid, OperationClass::kMutate, kUpdates, "Replaces the value."};
  return update;
}

std::span<const ModeSpec> ValueType::modes() const { return kModes; }
std::span<const CommutativityRule> ValueType::rules() const { return kRules; }
Relation ValueType::relation(Mode first, Mode second) const {
  return first == kReads && second == kReads ? Relation::kAlways : Relation::kNever;
}
bool ValueType::commutes(const Held& first, const Held& second, const HeldValue&) const {
  return reads(*first.call) && reads(*second.call);
}

std::unique_ptr<State> ValueType::create() const {
  auto state = std::make_unique<HeldValue>();
  state->replace(initial_);
  return state;
}

std::optional<Value> ValueType::updated(const Value& old, const Call& call, std::size_t room, std::size_t& steps_left,
                                        Refusal& refusal) const {
  const std::span<const Value> all(call.arguments);
  Evaluation evaluation({all.first(all.size() - 1), &all.back()}, {}, nullptr, &old, room);
  evaluation.limit_steps(steps_left);
  auto value = evaluation.value(static_cast<const Update&>(*call.operation).to);
  steps_left = evaluation.steps_left();
  if (!value) {
    refusal = evaluation.refusal();
    return std::nullopt;
  }
  const bool fits = shape_.fits(*value);
  const std::size_t bytes = fits ? bytes_held(*value) : 0;
  // What lies above the limit already may shrink.
  if (fits && (bytes <= room * kHeldBytesMax || bytes <= bytes_held(old))) return value;
  refusal = fits ? Refusal{errors::kRecordTooLarge, "a value field holds at most " + std::to_string(kHeldBytesMax) + " bytes"}
                 : Refusal{errors::kWrongArgumentType, "the new value does not have the shape that the type's definition gives it"};
  return std::nullopt;
}

Outcome ValueType::execute(const HeldValue& state, const Call& call, std::span<const Held> own, const Context&) const {
  if (state.quarantined) return quarantined();
  if (reads(call)) return state.value;
  Refusal refusal;
  std::optional<Value> earlier;
  // Those of one transaction share them, since each of its operations computes all before it again.
  std::size_t steps_left = kStepsMax;
  for (const Held& held : own) {
    if (reads(*held.call)) continue;
    earlier = updated(earlier ? *earlier : state.value, *held.call, kRoomOfCommit, steps_left, refusal);
    if (!earlier) return refusal;
  }
  auto value = updated(earlier ? *earlier : state.value, call, 1, steps_left, refusal);
  if (!value) return refusal;
  if (!earlier) memo_ = {state.revision, call, *std::move(value)};
  return {};
}

void ValueType::commit(HeldValue& state, const Call& call, const Value&) const {
  if (reads(call) || state.quarantined) return;
  if (memo_.revision == state.revision && memo_.call.operation == call.operation && memo_.call.arguments == call.arguments) {
    memo_.revision = 0;
    return state.replace(std::move(memo_.value));
  }
  Refusal refusal;
  std::size_t steps_left = kRoomOfCommit * kStepsMax;
  if (auto value = updated(state.value, call, kRoomOfCommit, steps_left, refusal)) {
    state.replace(*std::move(value));
  } else {
    state.quarantined = true;
  }
}

Value ValueType::before(const HeldValue& state, const Call& call, const Value&) const {
  if (reads(call)) return {};
  return Value::List{state.value, state.quarantined};
}

void ValueType::undo(HeldValue& state, const Call& call, const Value&, const Value& kept) const {
  if (reads(call)) return;
  state.replace(kept.list()[0]);
  state.quarantined = kept.list()[1].boolean();
}

void ValueType::encode(const HeldValue& state, std::string& out) const {
  StateWriter writer(out);
  writer.nested(state.value);
  writer.value(Value(state.quarantined));
}

std::unique_ptr<State> ValueType::decode(std::string_view bytes) const {
  StateReader reader(bytes);
  auto state = std::make_unique<HeldValue>();
  state->replace(reader.nested());
  const Value quarantined = reader.value();
  if (!reader.complete() || !quarantined.is_boolean() || !shape_.fits(state->value) ||
      bytes_held(state->value) > kRoomOfCommit * kHeldBytesMax)
    return nullptr;
  state->quarantined = quarantined.boolean();
  return state;
}

}  // namespace claret::composed

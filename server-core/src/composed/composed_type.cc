#include "composed/composed_type.h"

#include <algorithm>
#include <utility>

#include "adt/check.h"
#include "composed/step_reader.h"
#include "ground/check.h"
#include "ground/errors.h"

namespace claret::composed {

namespace {

using Steps = ComposedType::Steps;
using Step = ComposedType::Step;

// The steps at the same place that come before, as the field's type knows them. REQUIRES: both lists outlive what is returned.
std::vector<Held> held_before(const Step& step, const std::vector<std::shared_ptr<const Steps>>& own, std::span<const Step> earlier) {
  std::vector<Held> held;
  for (const auto& steps : own) {
    for (const Step& one : *steps) {
      if (one.same_place(step)) held.push_back({&one.call, &one.result});
    }
  }
  for (const Step& one : earlier) {
    if (one.same_place(step)) held.push_back({&one.call, &one.result});
  }
  return held;
}

bool has_repeated_place(const Steps& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (std::any_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Step& one) { return one.same_place(steps[i]); }))
      return true;
  }
  return false;
}

// An upper bound of what the write adds to the bytes of its record: its key, its arguments, and a few numbers beside them.
constexpr std::size_t kStepBytes = 32;

std::size_t bytes_of(const Value& value) {
  if (value.is_text()) return kStepBytes + value.text().size();
  std::size_t bytes = kStepBytes;
  if (value.is_list()) {
    for (const Value& item : value.list()) bytes += bytes_of(item);
  }
  return bytes;
}

std::size_t bytes_of(std::string_view key, const Call& call) {
  std::size_t bytes = kStepBytes + key.size();
  for (const Value& argument : call.arguments) bytes += bytes_of(argument);
  return bytes;
}

bool fits_scalar(const Value& value) { return !value.absent() && !value.is_list(); }

template <typename Fits>
bool all_fit(const Value& value, Fits fits) {
  return value.is_list() && std::cmp_less_equal(value.list().size(), kItemsMax) &&
         std::all_of(value.list().begin(), value.list().end(), fits);
}

template <typename Fits>
bool is_pair(const Value& value, Fits fits_second) {
  return value.is_list() && value.list().size() == 2 && value.list()[0].is_text() && fits_second(value.list()[1]);
}

// As results have their kinds: more freely than arguments, since a list of scalars may have holes, and a number may be an integer.
bool fits(Kind kind, const Value& value) {
  const auto is_number = [](const Value& one) { return one.is_number() || one.is_integer(); };
  switch (kind) {
    case Kind::kVoid:
      return value.absent();
    case Kind::kBoolean:
      return value.is_boolean();
    case Kind::kInteger:
      return value.is_integer();
    case Kind::kNumber:
      return is_number(value);
    case Kind::kText:
      return value.is_text();
    case Kind::kScalar:
      return fits_scalar(value);
    case Kind::kOptional:
      return !value.is_list();
    case Kind::kTexts:
      return all_fit(value, [](const Value& one) { return one.is_text(); });
    case Kind::kScalars:
      return all_fit(value, [](const Value& one) { return !one.is_list(); });
    case Kind::kEntries:
      return all_fit(value, [](const Value& one) { return is_pair(one, fits_scalar); });
    case Kind::kScored:
      return all_fit(value, [](const Value& one) { return is_pair(one, [](const Value& score) { return score.is_integer(); }); });
    case Kind::kRanked:
      return all_fit(value, [&](const Value& one) { return is_pair(one, is_number); });
    case Kind::kRankedItem:
      return value.absent() || is_pair(value, is_number);
  }
  return false;
}

bool has_same_call(const OperationSpec& one, const OperationSpec& other) {
  const auto same_kind = [](const Parameter& a, const Parameter& b) { return a.kind == b.kind; };
  return one.name == other.name && one.result == other.result &&
         std::equal(one.parameters.begin(), one.parameters.end(), other.parameters.begin(), other.parameters.end(), same_kind);
}

}  // namespace

ComposedType::Version::Version(std::unique_ptr<const Definition> given)
    : definition(std::move(given)), fields(definition->fields), rulings(*definition), operations(definition->operations) {
  for (std::size_t place = 0; place < operations.size(); ++place) {
    operations[place].mode = rulings.mode_of(place);
  }
}

void ComposedType::adopt(std::unique_ptr<const Definition> definition) {
  auto version = std::make_unique<const Version>(std::move(definition));
  modes_differ_ = modes_differ_ || (!versions_.empty() && !version->rulings.keeps_modes_of(current().rulings));
  versions_.push_back(std::move(version));
  memo_ = {};
}

std::optional<std::string> ComposedType::can_adopt(const Definition& definition) const {
  const auto& before = this->definition().fields;
  if (definition.name != name()) return "it is the definition of another type";
  if (definition.version <= this->definition().version)
    return "version " + std::to_string(this->definition().version) + " of it is installed, so this one has to be later";
  const auto same = [](const Field& one, const Field& other) {
    return one.name == other.name && one.each == other.each && one.holds_the_same(other);
  };
  if (definition.fields.size() < before.size() || !std::equal(before.begin(), before.end(), definition.fields.begin(), same)) {
    return "a later version keeps the fields of the earlier one, in their order, and may add others behind them";
  }
  const auto& migrations = definition.migrations;
  const auto is_new = [&](const Migration& one) { return one.to > this->definition().version; };
  const auto first_new = std::find_if(migrations.begin(), migrations.end(), is_new);
  const auto& known = this->definition().migrations;
  if (!std::equal(known.begin(), known.end(), migrations.begin(), first_new,
                  [](const Migration& a, const Migration& b) { return a.text == b.text; }))
    return "a later version keeps the migrations of the earlier one, and may add others to later versions";
  // Clients that know the earlier version call operations by their places.
  const Definition& earlier = this->definition();
  for (std::size_t place = 0; place < earlier.operations.size(); ++place) {
    if (place < definition.operations.size() && has_same_call(earlier.operations[place], definition.operations[place])) continue;
    return "a later version keeps the operations of the earlier one, in their order, with the kinds of their parameters and results: " +
           std::string(earlier.operations[place].name) + " is another one now";
  }
  return std::nullopt;
}

const ComposedType::Version& ComposedType::version_of(const Call& call) const {
  const auto has_call = [&](const auto& version) {
    const auto& operations = version->operations;
    return !std::less<>()(call.operation, operations.data()) && std::less<>()(call.operation, operations.data() + operations.size());
  };
  auto found = std::find_if(versions_.rbegin(), versions_.rend() - 1, has_call);
  // What was meant for records of an earlier form is understood as the first version with the present one has it.
  while (found != versions_.rbegin() && (*found)->definition->schema() != definition().schema()) --found;
  return **found;
}

const Body& ComposedType::body_of(const Call& call) const { return version_of(call).definition->bodies[place_of(call)]; }

std::unique_ptr<State> ComposedType::create() const {
  auto state = std::make_unique<Fields>();
  fields().fill(*state);
  state->schema = definition().schema();
  return state;
}

std::unique_ptr<State> ComposedType::decode(std::string_view bytes) const {
  auto state = std::make_unique<Fields>();
  if (!fields().decode(bytes, *state) || state->schema > definition().schema()) return nullptr;
  return state;
}

// ---- steps

std::optional<Steps> ComposedType::reads(const Fields& state, const Call& call) const {
  const Body& body = body_of(call);
  StepReader reader(fields(), state, kNoContext);
  Evaluation evaluation({call.arguments}, {}, &reader, nullptr, kRoomOfCommit);
  for (const Requirement& requirement : body.requirements) {
    if (!evaluation.value(requirement.that)) return std::nullopt;
  }
  if (body.answer && !evaluation.answer(*body.answer)) return std::nullopt;
  return std::move(reader.steps());
}

bool ComposedType::read_commutes(const Call& reading, const Steps& written, const Fields& state) const {
  if (written.empty()) return true;
  const auto read = reads(state, reading);
  return read && steps_commute(*read, written, state);
}

std::optional<Step> ComposedType::step_of(const Write& write, std::vector<Value> of_update, Evaluation& evaluation,
                                          std::optional<Refusal>& refusal) const {
  const auto refused = [&](Refusal why) {
    refusal = std::move(why);
    return std::nullopt;
  };
  if (write.when) {
    const auto when = evaluation.value(*write.when);
    if (!when) return refused(evaluation.refusal());
    if (!when->is_boolean()) return refused({errors::kWrongArgumentType, "the type's definition wants true or false as a condition"});
    if (!when->boolean()) return std::nullopt;
  }
  Step step{write.field, {}, {write.operation, {}}, {}};
  if (write.key) {
    auto key = evaluation.value(*write.key);
    if (!key) return refused(evaluation.refusal());
    if (!key->is_text()) return refused({errors::kWrongArgumentType, "the type's definition wants a text as a key"});
    step.key = key->text();
  }
  if (is_update(step) && write.arguments.empty()) {
    step.call.arguments = std::move(of_update);
    return step;
  }
  for (const Expression& argument : write.arguments) {
    auto value = evaluation.value(argument);
    if (!value) return refused(evaluation.refusal());
    step.call.arguments.push_back(*std::move(value));
  }
  const Field& field = fields()[write.field];
  if (is_update(step)) {
    step.call.arguments.emplace_back();
  } else if (auto error = check_call(*field.type, *write.operation, step.call.arguments)) {
    return refused({error->code, field.name + ": " + error->message});
  }
  return step;
}

std::optional<Steps> ComposedType::evaluate_writes(const Call& call, const Value& result, Refusal& refusal) const {
  Steps steps;
  Evaluation evaluation({call.arguments, &result}, {}, nullptr);
  for (const Write& write : body_of(call).writes) {
    std::vector<Value> of_update;
    if (fields()[write.field].values != nullptr) {
      of_update = call.arguments;
      of_update.push_back(result);
    }
    std::optional<Refusal> why;
    auto step = step_of(write, std::move(of_update), evaluation, why);
    if (why) {
      refusal = *std::move(why);
      return std::nullopt;
    }
    if (step) steps.push_back(*std::move(step));
  }
  return steps;
}

std::shared_ptr<const Steps> ComposedType::possible_writes(const Call& call, const Value& result) const {
  if (memo_.operation == call.operation && memo_.result == result && memo_.arguments == call.arguments) return memo_.writes;
  Refusal refusal;
  auto steps = evaluate_writes(call, result, refusal);
  if (!steps) return nullptr;
  memo_ = {call.operation, call.arguments, result, std::make_shared<const Steps>(*std::move(steps))};
  return memo_.writes;
}

std::shared_ptr<const Steps> ComposedType::writes(const Call& call, const Value& result) const {
  auto steps = possible_writes(call, result);
  CLARET_CHECK(steps != nullptr);
  return steps != nullptr ? steps : std::make_shared<const Steps>();
}

// ---- execute

Outcome ComposedType::execute(const Fields& state, const Call& call, std::span<const Held> own, const Context& context) const {
  if (auto refusal = migrate(state)) return *std::move(refusal);
  const Body& body = body_of(call);
  StepReader reader(fields(), state, context);
  Evaluation evaluation({call.arguments}, {}, &reader);
  for (const Requirement& requirement : body.requirements) {
    const auto that = evaluation.value(requirement.that);
    if (!that) return evaluation.refusal();
    if (*that != Value(true)) return Refusal{requirement.code, requirement.message};
  }
  Value answer;
  if (body.answer) {
    auto value = evaluation.answer(*body.answer);
    if (!value) return evaluation.refusal();
    answer = *std::move(value);
    if (!fits(call.operation->result, answer)) {
      return Refusal{errors::kWrongArgumentType,
                     "the answer is not of kind " + std::string(kind_name(call.operation->result)) + ", as the type's definition has it"};
    }
  }
  if (body.writes.empty()) return answer;
  if (auto refusal = check_own(state, reader.steps(), own)) return *std::move(refusal);
  Refusal refusal;
  auto evaluated = evaluate_writes(call, answer, refusal);
  if (!evaluated) return refusal;
  const auto steps = std::make_shared<const Steps>(*std::move(evaluated));
  if (auto unfit = check_writes(state, *steps, own, context)) return *std::move(unfit);
  if (auto too_large = check_size(state, *steps)) return *std::move(too_large);
  memo_ = {call.operation, call.arguments, answer, steps};
  return answer;
}

std::optional<Refusal> ComposedType::check_own(const Fields& state, const Steps& read, std::span<const Held> own) const {
  if (read.empty()) return std::nullopt;
  for (const Held& held : own) {
    if (steps_commute(read, *writes(*held.call, *held.result), state)) continue;
    return Refusal{errors::kReadsOwnChange, "it reads what " + std::string(held.call->operation->name) +
                                                " of the same transaction changes; a transaction does not see its own changes"};
  }
  return std::nullopt;
}

std::optional<Refusal> ComposedType::check_writes(const Fields& state, const Steps& steps, std::span<const Held> own,
                                                  const Context& context) const {
  std::vector<std::shared_ptr<const Steps>> own_steps;
  for (const Held& held : own) own_steps.push_back(writes(*held.call, *held.result));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const DataType& type = *fields()[step.field].type;
    const auto held = held_before(step, own_steps, {steps.data(), i});
    Outcome outcome = type.execute(fields().state(state, step.field, step.key), step.call, held, context);
    if (!outcome.refused()) continue;
    return Refusal{outcome.refusal().code, fields()[step.field].name + ": " + outcome.refusal().message};
  }
  return std::nullopt;
}

// What a write adds is at most its arguments, its key and a few numbers. Near the limit it is tried on a copy, since it may also remove something.
std::optional<Refusal> ComposedType::check_size(const Fields& state, const Steps& steps) const {
  std::size_t bytes = 0;
  for (const Step& step : steps) bytes += is_update(step) ? kStepBytes + step.key.size() + kHeldBytesMax : bytes_of(step.key, step.call);
  if (state.measured_bytes + state.grown_bytes + bytes <= kStateBytesMax) return std::nullopt;
  std::string encoded;
  fields().encode(state, encoded);
  state.measured_bytes = encoded.size();
  state.grown_bytes = 0;
  if (state.measured_bytes + bytes <= kStateBytesMax) return std::nullopt;
  const std::unique_ptr<State> copy = decode(encoded);
  auto& after = static_cast<Fields&>(*copy);
  for (const Step& step : steps) apply(after, step);
  encoded.clear();
  fields().encode(after, encoded);
  if (encoded.size() <= std::max(kStateBytesMax, state.measured_bytes)) return std::nullopt;
  return Refusal{errors::kRecordTooLarge, "a record of a composed type holds at most " + std::to_string(kStateBytesMax) + " bytes"};
}

// ---- commutativity

bool ComposedType::steps_commute(const Steps& first, const Steps& second, const Fields& state) const {
  for (const Step& one : first) {
    for (const Step& other : second) {
      if (!one.same_place(other)) continue;
      const DataType& type = *fields()[one.field].type;
      const Relation relation = type.relation(one.call.operation->mode, other.call.operation->mode);
      if (relation == Relation::kAlways) continue;
      if (relation == Relation::kNever) return false;
      if (!type.commutes({&one.call, &one.result}, {&other.call, &other.result}, fields().state(state, one.field, one.key))) return false;
    }
  }
  return true;
}

bool ComposedType::claimed(const Held& first, const Held& second) const {
  const Version& version = version_of(*first.call);
  if (version.definition->claims.empty() || &version != &version_of(*second.call)) return false;
  const Claim* claim = version.definition->claim(place_of(*first.call), place_of(*second.call));
  if (claim == nullptr) return false;
  const auto holds = [&](const Held& a, const Held& b) {
    return Evaluation({a.call->arguments, a.result}, {b.call->arguments, b.result}, nullptr).value(claim->when) == Value(true);
  };
  // About two calls of one operation, in whichever order they are named: both have to agree.
  if (claim->first == claim->second) return holds(first, second) && holds(second, first);
  return claim->first == place_of(*first.call) ? holds(first, second) : holds(second, first);
}

bool ComposedType::commutes(const Held& first, const Held& second, const Fields& committed) const {
  if (migrate(committed)) return false;
  if (claimed(first, second)) return true;
  // Intents, and what waits, were not executed: what turns out to be refused goes with nothing until then.
  const auto first_writes = possible_writes(*first.call, *first.result);
  const auto second_writes = possible_writes(*second.call, *second.result);
  if (first_writes == nullptr || second_writes == nullptr) return false;
  if (!steps_commute(*first_writes, *second_writes, committed)) return false;
  return read_commutes(*first.call, *second_writes, committed) && read_commutes(*second.call, *first_writes, committed);
}

// ---- reservations

DataType::Reservation ComposedType::reserve(Fields& state, const Call& call, const Value& result, std::span<const Held> own) const {
  if (!call.operation->reserves || migrate(state)) return Reservation::kYes;
  const auto written = writes(call, result);
  const Steps& steps = *written;
  std::vector<std::shared_ptr<const Steps>> own_steps;
  for (const Held& held : own) own_steps.push_back(writes(*held.call, *held.result));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!step.call.operation->reserves) continue;
    const auto held = held_before(step, own_steps, {steps.data(), i});
    Fields::Entry& entry = fields().entry(state, step.field, step.key);
    if (fields()[step.field].type->reserve(*entry.state, step.call, step.result, held) == Reservation::kYes) {
      ++entry.reservations;
      continue;
    }
    fields().tidy(state, step.field, step.key);
    give_back(state, {steps.data(), i});
    return Reservation::kWait;
  }
  return Reservation::kYes;
}

void ComposedType::release(Fields& state, const Call& call, const Value& result) const {
  if (!call.operation->reserves) return;
  const auto written = writes(call, result);
  const Steps& steps = *written;
  give_back(state, steps);
}

void ComposedType::give_back(Fields& state, std::span<const Step> steps) const {
  for (const Step& step : steps) {
    if (!step.call.operation->reserves) continue;
    Fields::Entry& entry = fields().entry(state, step.field, step.key);
    fields()[step.field].type->release(*entry.state, step.call, step.result);
    --entry.reservations;
    fields().tidy(state, step.field, step.key);
  }
}

// ---- commit and undo

void ComposedType::commit(Fields& state, const Call& call, const Value& result) const {
  const bool is_migrated = !migrate(state);
  CLARET_CHECK(is_migrated);
  const auto steps = writes(call, result);
  for (const Step& step : *steps) {
    apply(state, step);
    state.grown_bytes += bytes_of(step.key, step.call);
    // As if nothing had been replaced. What is counted too much is corrected when the record is measured.
    if (is_update(step)) state.grown_bytes += bytes_held(static_cast<const HeldValue&>(fields().state(state, step.field, step.key)).value);
  }
}

void ComposedType::apply(Fields& state, const Step& step) const {
  fields()[step.field].type->commit(*fields().entry(state, step.field, step.key).state, step.call, step.result);
  fields().tidy(state, step.field, step.key);
}

Value ComposedType::before(const Fields& state, const Call& call, const Value& result) const {
  const bool is_migrated = !migrate(state);
  CLARET_CHECK(is_migrated);
  const auto written = writes(call, result);
  const Steps& steps = *written;
  if (steps.empty()) return {};
  // A write sees those before it, so the state is brought forward in a copy.
  std::unique_ptr<State> copy;
  if (has_repeated_place(steps)) {
    std::string bytes;
    fields().encode(state, bytes);
    copy = decode(bytes);
  }
  Value::List kept;
  for (const Step& step : steps) {
    const DataType& type = *fields()[step.field].type;
    const Fields& current = copy == nullptr ? state : static_cast<const Fields&>(*copy);
    kept.push_back(type.before(fields().state(current, step.field, step.key), step.call, step.result));
    if (copy != nullptr) apply(static_cast<Fields&>(*copy), step);
  }
  if (kept.size() == 1) return std::move(kept.front());
  return kept;
}

void ComposedType::undo(Fields& state, const Call& call, const Value& result, const Value& kept) const {
  const auto written = writes(call, result);
  const Steps& steps = *written;
  for (std::size_t left = steps.size(); left > 0; --left) {
    const Step& step = steps[left - 1];
    const Value& of_step = steps.size() == 1 ? kept : kept.list()[left - 1];
    fields()[step.field].type->undo(*fields().entry(state, step.field, step.key).state, step.call, step.result, of_step);
    fields().tidy(state, step.field, step.key);
  }
}

}  // namespace claret::composed

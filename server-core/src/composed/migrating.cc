// Migrations: how records of an earlier version come to the fields of the present one.
#include <algorithm>
#include <memory>
#include <utility>

#include "composed/composed_type.h"
#include "composed/step_reader.h"
#include "ground/check.h"
#include "ground/errors.h"

namespace claret::composed {

namespace {

// Of one migration of one record: each takes about a microsecond.
constexpr std::size_t kMigrationWritesMax = 65'536;

}  // namespace

std::optional<Refusal> ComposedType::migrate(const Fields& state) const {
  if (state.schema == definition().schema()) return std::nullopt;
  // Whoever looks at the record sees it as it is after this.
  auto& record = const_cast<Fields&>(state);
  // What holds nothing may as well have been made now, and no bytes tell whether it was.
  if (fields().is_blank(state)) record.schema = definition().schema();
  for (const Migration& migration : definition().migrations) {
    if (migration.to <= state.schema) continue;
    if (auto refusal = migrate(record, migration)) {
      return Refusal{errors::kRecordQuarantined,
                     "its migration to version " + std::to_string(migration.to) + " fails: " + refusal->message};
    }
    record.schema = migration.to;
  }
  return std::nullopt;
}

std::optional<Refusal> ComposedType::migrate(Fields& state, const Migration& migration) const {
  Refusal refusal;
  const auto steps = migration_steps(state, migration, refusal);
  if (!steps) return refusal;
  std::string bytes;
  fields().encode(state, bytes);
  const std::size_t bytes_before = bytes.size();
  const std::unique_ptr<State> copy = decode(bytes);
  CLARET_CHECK(copy != nullptr);
  auto& migrated = static_cast<Fields&>(*copy);
  for (const Step& step : *steps) {
    const Field& field = fields()[step.field];
    const Outcome outcome = field.type->execute(fields().state(migrated, step.field, step.key), step.call, {}, kNoContext);
    if (outcome.refused()) return Refusal{outcome.refusal().code, field.name + ": " + outcome.refusal().message};
    apply(migrated, step);
  }
  bytes.clear();
  fields().encode(migrated, bytes);
  if (bytes.size() > std::max(kStateBytesMax, bytes_before)) return Refusal{errors::kRecordTooLarge, "the record would be too large"};
  state.fields = std::move(migrated.fields);
  state.measured_bytes = bytes.size();
  state.grown_bytes = 0;
  return std::nullopt;
}

std::optional<ComposedType::Steps> ComposedType::migration_steps(const Fields& state, const Migration& migration, Refusal& refusal) const {
  StepReader reader(fields(), state, kNoContext);
  Evaluation evaluation({}, {}, &reader, nullptr, kRoomOfCommit);
  Steps steps;
  std::optional<Refusal> why;
  const auto take = [&](const Write& write) {
    if (auto step = step_of(write, {}, evaluation, why)) steps.push_back(*std::move(step));
    if (!why && steps.size() > kMigrationWritesMax)
      why = Refusal{errors::kTooManySteps, "a migration makes at most " + std::to_string(kMigrationWritesMax) + " changes of a record"};
    return !why;
  };
  const auto take_all = [&](const MigrationWrite& one) {
    if (!one.list) return take(one.write);
    const auto list = evaluation.value(*one.list);
    if (!list || !list->is_list()) {
      why = list ? Refusal{errors::kWrongArgumentType, "the type's definition wants a list"} : evaluation.refusal();
      return false;
    }
    for (const Value& item : list->list()) {
      evaluation.bind(one.item, item);
      if (!take(one.write)) return false;
    }
    return true;
  };
  for (const MigrationWrite& one : migration.writes) {
    if (take_all(one)) continue;
    refusal = *std::move(why);
    return std::nullopt;
  }
  return steps;
}

}  // namespace claret::composed

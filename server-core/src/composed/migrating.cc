// Migrations: how records of an earlier version come to the fields of the present one.
#include <utility>

#include "composed/composed_type.h"
#include "composed/step_reader.h"
#include "ground/errors.h"

namespace claret::composed {

std::optional<Refusal> ComposedType::migrate(const Fields& state) const {
  if (state.schema == definition().schema()) return std::nullopt;
  for (const Migration& migration : definition().migrations) {
    if (migration.to <= state.schema) continue;
    // Whoever looks at the record sees it as it is after this.
    auto& record = const_cast<Fields&>(state);
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
  if (auto unfit = check_writes(state, *steps, {}, kNoContext)) return unfit;
  for (const Step& step : *steps) apply(state, step);
  state.measured_bytes = kStateBytesMax;  // unknown: it is measured when it matters
  return std::nullopt;
}

std::optional<ComposedType::Steps> ComposedType::migration_steps(const Fields& state, const Migration& migration, Refusal& refusal) const {
  StepReader reader(fields(), state, kNoContext);
  Evaluation evaluation({}, {}, &reader, nullptr, kRoomOfCommit);
  Steps steps;
  std::optional<Refusal> why;
  const auto take = [&](const Write& write) {
    if (auto step = step_of(write, {}, evaluation, why)) steps.push_back(*std::move(step));
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

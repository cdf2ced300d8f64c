#include "gate/record_operations.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "adt/registry.h"
#include "gate/record_commands.h"
#include "ground/check.h"
#include "ground/errors.h"

namespace claret {

namespace {

using namespace record_operation;

constexpr std::string_view kAlways = "always";
constexpr std::string_view kIfNone = "ifNone";
constexpr std::string_view kIfAny = "ifAny";
constexpr std::string_view kIfLater = "ifLater";
constexpr std::string_view kIfSooner = "ifSooner";

constexpr std::array kExpireParameters = {
    Parameter{"at_ms", Kind::kInteger, "milliseconds since the Unix epoch, from 0; a time that has passed deletes the record"},
    Parameter{
        "when", Kind::kText,
        "always, or only if the record has none yet (ifNone), has one (ifAny), or has one that is sooner than this (ifLater), or later or "
        "none (ifSooner)"},
};

constexpr std::array kOperations = {
    OperationSpec{kDelete,
                  "delete",
                  {},
                  Kind::kBoolean,
                  OperationClass::kBoth,
                  kExclusiveMode,
                  "Deletes the record, whatever its type; answers whether it was there."},
    OperationSpec{kExists,
                  "exists",
                  {},
                  Kind::kBoolean,
                  OperationClass::kObserve,
                  kExclusiveMode,
                  "Whether the record is there. An empty list, set, dict, ranking or register is not."},
    OperationSpec{kType,
                  "type",
                  {},
                  Kind::kOptional,
                  OperationClass::kObserve,
                  kExclusiveMode,
                  "The name of the record's type; absent if the record is not there."},
    OperationSpec{kExpire, "expire", kExpireParameters, Kind::kBoolean, OperationClass::kBoth, kExclusiveMode,
                  "Sets the time at which the record is deleted; answers whether it did: the record has to be there."},
    OperationSpec{kPersist,
                  "persist",
                  {},
                  Kind::kBoolean,
                  OperationClass::kBoth,
                  kExclusiveMode,
                  "Lets the record stay; answers whether it had a time at which it would have been deleted."},
    OperationSpec{kExpiresAt,
                  "expiresAt",
                  {},
                  Kind::kOptional,
                  OperationClass::kObserve,
                  kExclusiveMode,
                  "When the record will be deleted, in milliseconds since the Unix epoch; absent if it stays, or is not there."},
};

class RecordOperations final : public DataType {
 public:
  std::uint8_t id() const override { return 0; }
  std::string_view name() const override { return "Record"; }
  std::string_view meaning() const override { return "What every record has, whatever its type."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return {}; }
  std::span<const CommutativityRule> rules() const override { return {}; }
  std::span<const resp::CommandSpec> commands() const override { return record_commands(); }
  Relation relation(Mode, Mode) const override { return Relation::kNever; }
  bool commutes(const Held&, const Held&, const State&) const override { return false; }

  std::unique_ptr<State> create() const override { return no_state(); }
  Outcome execute(const State&, const Call&, std::span<const Held>, const Context&) const override { return no_state(), Outcome(); }
  void commit(State&, const Call&, const Value&) const override { no_state(); }
  Value before(const State&, const Call&, const Value&) const override { return no_state(), Value(); }
  void undo(State&, const Call&, const Value&, const Value&) const override { no_state(); }
  void encode(const State&, std::string&) const override { no_state(); }
  std::unique_ptr<State> decode(std::string_view) const override { return no_state(); }

 private:
  static std::unique_ptr<State> no_state() {
    CLARET_CHECK(false);
    return nullptr;
  }
};

// `now`: when the record expires now; absent: it stays.
bool may_expire(std::optional<std::int64_t> now, std::int64_t at_ms, std::string_view when) {
  if (when == kIfNone) return !now;
  if (when == kIfAny) return now.has_value();
  if (when == kIfLater) return now && at_ms > *now;
  if (when == kIfSooner) return !now || at_ms < *now;
  return true;
}

std::optional<Refusal> check_expire(const Call& call) {
  const std::string& when = call.arguments[1].text();
  for (const std::string_view known : {kAlways, kIfNone, kIfAny, kIfLater, kIfSooner}) {
    if (when != known) continue;
    if (call.arguments[0].integer() >= 0) return std::nullopt;
    return Refusal{errors::kOutOfRange, "at_ms is a time since 1970"};
  }
  return Refusal{errors::kWrongArgumentType, "when is one of always, ifNone, ifAny, ifLater, ifSooner"};
}

// `record`: null if nothing is there.
Outcome answer(const Record* record, const Call& call) {
  const bool expires = record != nullptr && record->expires_at_ms != 0;
  const auto expires_at_ms = expires ? std::optional(static_cast<std::int64_t>(record->expires_at_ms)) : std::nullopt;
  switch (call.operation->id) {
    case kType:
      return record == nullptr ? Value() : Value(std::string(record->type->name()));
    case kExpire: {
      if (auto refusal = check_expire(call)) return *refusal;
      return Value(record != nullptr && may_expire(expires_at_ms, call.arguments[0].integer(), call.arguments[1].text()));
    }
    case kPersist:
      return Value(expires);
    case kExpiresAt:
      return expires ? Value(*expires_at_ms) : Value();
    default:  // delete, exists
      return Value(record != nullptr);
  }
}

}  // namespace

const DataType& record_operations() {
  static const RecordOperations operations;
  return operations;
}

bool is_vacant(const Record& record) {
  return record.last_commit == 0 || record.gone || !record.made || record.type->is_empty(*record.state);
}

bool is_type_undecided(const Record& record) {
  if (record.run() != nullptr) return record.last_commit == 0 || !record.made;
  if (is_vacant(record)) return true;
  if (record.gate == nullptr) return false;
  const auto holders = record.gate->holders();
  return std::any_of(holders.begin(), holders.end(), [](const Visit* holder) {
    return holder->party->stage != Stage::kRunning && holder->call.operation->operation_class != OperationClass::kObserve;
  });
}

Outcome execute(const Record& record, const DataType& type, const Call& call, std::span<const Held> own, const Context& context) {
  if (is_of_record(type)) return answer(is_vacant(record) ? nullptr : &record, call);
  return type.execute(*record.state, call, own, context);
}

Outcome execute_on_nothing(const State* empty, const DataType& type, const Call& call, const Context& context) {
  if (is_of_record(type)) return answer(nullptr, call);
  return type.execute(*empty, call, {}, context);
}

}  // namespace claret

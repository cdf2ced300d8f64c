// Dict: named fields, each a scalar; a call can read or write several.
//
// State: field -> scalar, in field order (by bytes). Beside it: the sums of pending increments per field.
// Results: `get` returns a scalar or absent for each requested field, `all` every field; the other operations return nothing.
//
// Why it commutes: calls on different fields are independent. On one field, removals agree, and increments add up in any order, within 64
// bits (escrow, as in Counter). The kind of a field that is being incremented can change only by a set or remove of that field. Neither
// commutes with the increment, so an integer stays an integer. A set of the values that a read has found, and a remove of fields that it has not
// found, leave its result as it is.
#include <algorithm>
#include <array>
#include <string_view>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "adt/adt.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"
#include "ground/errors.h"
#include "structure/escrow_table.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct DictState final : State {
  absl::btree_map<std::string, Value> fields;
  EscrowTable pending;

  const Value& at(const std::string& field) const {
    static const Value kAbsent;
    const auto found = fields.find(field);
    return found == fields.end() ? kAbsent : found->second;
  }

  void put_back(const std::string& field, const Value& value) {
    if (value.absent()) {
      fields.erase(field);
    } else {
      fields[field] = value;
    }
  }
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kSet = 1, kGet, kIncrementBy, kRemove, kAll };
enum Modes : Mode { kRead, kScan, kWrite, kIncrement };

constexpr std::array kModes = {
    ModeSpec{"read", "reads some fields"},
    ModeSpec{"scan", "reads every field"},
    ModeSpec{"write", "replaces or removes some fields"},
    ModeSpec{"increment", "adds to a field"},
};

constexpr std::array kSetParameters = {
    Parameter{"entries", Kind::kEntries, "[field, value] pairs; if a field is given twice, the last value counts"},
};
constexpr std::array kGetParameters = {
    Parameter{"fields", Kind::kTexts, "the names of the fields"},
};
constexpr std::array kIncrementParameters = {
    Parameter{"field", Kind::kText, "an integer field; one that does not exist counts as 0"},
    Parameter{"n", Kind::kInteger, "the amount; may be negative"},
};
constexpr std::array kRemoveParameters = {
    Parameter{"fields", Kind::kTexts, "the fields to remove; missing ones are ignored"},
};

constexpr std::array kOperations = {
    OperationSpec{kSet, "set", kSetParameters, Kind::kVoid, OperationClass::kBlind, kWrite, "Sets the given fields."},
    OperationSpec{kGet, "get", kGetParameters, Kind::kScalars, OperationClass::kObserve, kRead,
                  "The values of the fields, in the order given; absent where a field does not exist."},
    OperationSpec{kIncrementBy, "increment", kIncrementParameters, Kind::kVoid, OperationClass::kMutate, kIncrement,
                  "Adds n to a field. Refused if the field is not an integer (not_an_integer) or would leave 64 bits "
                  "(out_of_range).",
                  kReserves},
    OperationSpec{kRemove, "remove", kRemoveParameters, Kind::kVoid, OperationClass::kBlind, kWrite, "Removes the fields."},
    OperationSpec{kAll, "all", {}, Kind::kEntries, OperationClass::kObserve, kScan, "All fields with their values, sorted by field."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"set", "set", "different fields"},
    CommutativityRule{"set", "get", "different fields, or the value set is the one read"},
    CommutativityRule{"set", "increment", "different fields"},
    CommutativityRule{"set", "remove", "different fields"},
    CommutativityRule{"set", "all", "all values set are the ones read"},
    CommutativityRule{"get", "get", "always"},
    CommutativityRule{"get", "increment", "different fields"},
    CommutativityRule{"get", "remove", "different fields, or the field was not there"},
    CommutativityRule{"get", "all", "always"},
    CommutativityRule{"increment", "increment", "always; one that might leave 64 bits waits for the others"},
    CommutativityRule{"increment", "remove", "different fields"},
    CommutativityRule{"increment", "all", "never"},
    CommutativityRule{"remove", "remove", "always"},
    CommutativityRule{"remove", "all", "none of the fields is there"},
    CommutativityRule{"all", "all", "always"},
};

constexpr Relation kAlways = Relation::kAlways, kNever = Relation::kNever, kDepends = Relation::kDepends;
constexpr Relation kRelations[4][4] = {
    // read     scan     write     increment
    {kAlways, kAlways, kDepends, kDepends},  // read
    {kAlways, kAlways, kDepends, kNever},  // scan
    {kDepends, kDepends, kDepends, kDepends},  // write
    {kDepends, kNever, kDepends, kAlways},  // increment
};

constexpr std::array kJoins = {
    JoinRule{kGet, kGet, JoinHow::kFields, 0},
    JoinRule{kRemove, kRemove, JoinHow::kEqual},
    JoinRule{kAll, kAll, JoinHow::kEqual},
};

// `item`: an item of the list that is the call's argument.
const std::string& named_field(const Value& item) { return item.is_text() ? item.text() : item.list()[0].text(); }

// The fields that the call names. REQUIRES: not `all`.
std::vector<std::string_view> named_fields(const Call& call) {
  const Value& argument = call.arguments[0];
  if (argument.is_text()) return {argument.text()};
  std::vector<std::string_view> fields;
  for (const Value& item : argument.list()) fields.push_back(named_field(item));
  return fields;
}

bool disjoint(const Call& first, const Call& second) {
  const std::vector<std::string_view> fields = named_fields(first);
  const absl::flat_hash_set<std::string_view> others(fields.begin(), fields.end());
  for (const std::string_view field : named_fields(second)) {
    if (others.contains(field)) return false;
  }
  return true;
}

bool reads(const Held& held) { return held.call->operation->operation_class == OperationClass::kObserve; }

// What a read says of fields.
class Seen {
 public:
  explicit Seen(const Held& read) : results_(read.result->list()), all_(read.call->operation->id == kAll) {
    if (all_) return;
    const Value::List& asked = read.call->arguments[0].list();
    for (std::size_t i = 0; i < asked.size(); ++i) places_.emplace(asked[i].text(), i);
  }

  // Null if it says nothing of the field.
  const Value* of(std::string_view field) const {
    if (!all_) {
      const auto found = places_.find(field);
      return found == places_.end() ? nullptr : &results_[found->second];
    }
    static const Value kMissing;
    const auto is_before = [](const Value& entry, std::string_view name) { return entry.list()[0].text() < name; };
    const auto found = std::lower_bound(results_.begin(), results_.end(), field, is_before);
    return found != results_.end() && found->list()[0].text() == field ? &found->list()[1] : &kMissing;
  }

 private:
  const Value::List& results_;
  bool all_;
  absl::flat_hash_map<std::string_view, std::size_t> places_;  // looked up, never iterated
};

// Does the set or remove leave all that was read as it is?
bool agrees_with(const Call& change, const Held& read) {
  const Seen seen(read);
  const Value::List& items = change.arguments[0].list();
  return std::all_of(items.begin(), items.end(), [&](const Value& item) {
    const Value* value = seen.of(named_field(item));
    if (value == nullptr) return true;
    return change.operation->id == kRemove ? value->absent() : *value == item.list()[1];
  });
}

// The effect of a transaction's earlier calls on a field that the transaction is about to increment.
struct OwnField {
  OwnSteps steps;
  bool integer = true;

  void take(const Call& call, const std::string& field) {
    switch (call.operation->id) {
      case kSet:
        for (const Value& entry : call.arguments[0].list()) {
          if (entry.list()[0].text() != field) continue;
          const Value& value = entry.list()[1];
          integer = value.is_integer();
          steps.replace(integer ? value.integer() : 0);
        }
        break;
      case kRemove:
        for (const Value& removed : call.arguments[0].list()) {
          if (removed.text() != field) continue;
          integer = true;
          steps.replace(0);
        }
        break;
      case kIncrementBy:
        if (call.arguments[0].text() == field) steps.add(call.arguments[1].integer());
        break;
    }
  }
};

OwnField own_field(const Value& committed, const std::string& field, std::span<const Held> own) {
  OwnField result;
  result.integer = committed.absent() || committed.is_integer();
  for (const Held& held : own) result.take(*held.call, field);
  return result;
}

Escrow::Verdict judge(const DictState& state, const Call& increment, const OwnSteps& own) {
  const std::string& field = increment.arguments[0].text();
  const Value& committed = state.at(field);
  return state.pending.judge(field, committed.is_integer() ? committed.integer() : 0, increment.arguments[1].integer(), own);
}

// ---- Parts ------------------------------------------------------------------------------------------------------------

class DictParts final : public OrderedParts<std::string, Value> {
 public:
  explicit DictParts(const DictState& state) : OrderedParts(state.fields.size()), fields_(state.fields) {}

  void before(const Call& call) override {
    if (call.operation->operation_class == OperationClass::kObserve) return;
    for (const std::string_view name : named_fields(call)) {
      const std::string field(name);
      const auto found = fields_.find(field);
      note(field, found == fields_.end() ? nullptr : &found->second);
    }
  }

 private:
  void visit_behind(const std::string* passed, Visit visit) const override {
    auto next = passed == nullptr ? fields_.begin() : fields_.upper_bound(*passed);
    while (next != fields_.end() && visit(next->first, next->second)) ++next;
  }
  void write(StateWriter& writer, const std::string& field, const Value& value) const override {
    writer.text(field);
    writer.value(value);
  }

  const absl::btree_map<std::string, Value>& fields_;
};

class Dict final : public TypeOf<DictState> {
 public:
  std::uint8_t id() const override { return 4; }
  std::string_view name() const override { return "Dict"; }
  std::string_view meaning() const override { return "Named fields with values, of which one operation reads or writes several."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const JoinRule> joins() const override { return kJoins; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const DictState&) const override {
    if (first.call->operation->id == kRemove && second.call->operation->id == kRemove) return true;
    if (first.call->operation->mode == kWrite && reads(second)) return agrees_with(*first.call, second);
    if (second.call->operation->mode == kWrite && reads(first)) return agrees_with(*second.call, first);
    return disjoint(*first.call, *second.call);
  }

  Outcome execute(const DictState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    switch (call.operation->id) {
      case kGet: {
        Value::List values;
        for (const Value& field : call.arguments[0].list()) values.push_back(state.at(field.text()));
        return Value(std::move(values));
      }
      case kAll: {
        Value::List entries;
        for (const auto& [field, value] : state.fields) entries.push_back(Value::List{Value(field), value});
        return Value(std::move(entries));
      }
      case kIncrementBy:
        return check_increment(state, call, own);
      default:
        return {};
    }
  }

  Outcome check_increment(const DictState& state, const Call& call, std::span<const Held> own) const {
    const std::string& field = call.arguments[0].text();
    const OwnField before = own_field(state.at(field), field, own);
    if (!before.integer) return Refusal{errors::kNotAnInteger, "the field does not hold an integer"};
    if (judge(state, call, before.steps) == Escrow::Verdict::kOutOfRange) {
      return Refusal{errors::kOutOfRange, "the field would leave 64 bits"};
    }
    return {};
  }

  Reservation reserve(DictState& state, const Call& call, const Value&, std::span<const Held> own) const override {
    if (call.operation->id != kIncrementBy) return Reservation::kYes;
    const std::string& field = call.arguments[0].text();
    const OwnField before = own_field(state.at(field), field, own);
    if (judge(state, call, before.steps) != Escrow::Verdict::kFits) return Reservation::kWait;
    state.pending.take(field, call.arguments[1].integer());
    return Reservation::kYes;
  }

  void release(DictState& state, const Call& call, const Value&) const override {
    if (call.operation->id != kIncrementBy) return;
    state.pending.give_back(call.arguments[0].text(), call.arguments[1].integer());
  }

  void commit(DictState& state, const Call& call, const Value&) const override {
    switch (call.operation->id) {
      case kSet:
        for (const Value& entry : call.arguments[0].list()) state.fields[entry.list()[0].text()] = entry.list()[1];
        break;
      case kIncrementBy: {
        Value& value = state.fields[call.arguments[0].text()];
        value = Value((value.absent() ? 0 : value.integer()) + call.arguments[1].integer());
        break;
      }
      case kRemove:
        for (const Value& field : call.arguments[0].list()) state.fields.erase(field.text());
        break;
    }
  }

  // Of an increment the field's value. Otherwise a list with the value of each field named; where a field is named again, the list has
  // nothing, so that a long text is kept only once.
  Value before(const DictState& state, const Call& call, const Value&) const override {
    if (call.operation->operation_class == OperationClass::kObserve) return {};
    if (call.operation->id == kIncrementBy) return state.at(call.arguments[0].text());
    const Value::List& items = call.arguments[0].list();
    Value::List kept;
    kept.reserve(items.size());
    absl::flat_hash_set<std::string_view> seen;
    const bool several = items.size() > 1;
    if (several) seen.reserve(items.size());
    for (const Value& item : items) {
      const std::string& field = named_field(item);
      const bool again = several && !seen.insert(field).second;
      kept.push_back(again ? Value() : state.at(field));
    }
    return kept;
  }

  // Backwards, so that a field that is named again ends with the value kept for its first place.
  void undo(DictState& state, const Call& call, const Value&, const Value& kept) const override {
    if (call.operation->operation_class == OperationClass::kObserve) return;
    if (call.operation->id == kIncrementBy) return state.put_back(call.arguments[0].text(), kept);
    const Value::List& items = call.arguments[0].list();
    for (std::size_t i = items.size(); i-- > 0;) state.put_back(named_field(items[i]), kept.list()[i]);
  }

  // ---- Encoding: count, then (text field, value) in field order ---------------------------------------------------------

  void encode(const DictState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.fields.size());
    for (const auto& [field, value] : state.fields) {
      writer.text(field);
      writer.value(value);
    }
  }

  std::unique_ptr<StateParts> parts(const DictState& state) const override { return std::make_unique<DictParts>(state); }

  bool add_part(DictState& state, StateReader& reader) const override {
    std::vector<std::pair<std::string, Value>> fields;
    while (reader.more()) {
      std::string field = reader.text();
      Value value = reader.value();
      const std::string* before = fields.empty() ? nullptr : &fields.back().first;
      if (before == nullptr && !state.fields.empty()) before = &state.fields.rbegin()->first;
      if (value.absent() || (before != nullptr && field <= *before)) return false;
      fields.emplace_back(std::move(field), std::move(value));
    }
    if (reader.failed()) return false;
    for (auto& [field, value] : fields) state.fields.emplace_hint(state.fields.end(), std::move(field), std::move(value));
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<DictState>();
    StateReader reader(bytes);
    for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left) {
      std::string field = reader.text();
      Value value = reader.value();
      const bool in_order = state->fields.empty() || state->fields.rbegin()->first < field;
      if (!in_order || value.absent()) return nullptr;
      state->fields.emplace_hint(state->fields.end(), std::move(field), std::move(value));
    }
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& dict_type() {
  static const Dict type;
  return type;
}

}  // namespace claret

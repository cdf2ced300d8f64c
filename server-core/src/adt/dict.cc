// Dict: named fields, each a scalar; a call can read or write several.
//
// State: field -> scalar, in field order (by bytes). Beside it: the sums of pending increments per field.
// Results: `get` returns a scalar or absent for each requested field, `all` every field, `size` their number. `set`, `increment` and `remove`
// return nothing. `put`, `putIfAbsent`, `erase` and `incrementAndGet` change fields and say what that did.
//
// Why it commutes: calls on different fields are independent. On one field, removals agree, and increments add up in any order, within 64
// bits (escrow, as in Counter). The kind of a field that is being incremented can change only by a set or remove of that field. Neither
// commutes with the increment, so an integer stays an integer. A set of the values that a read has found, and a remove of fields that it has not
// found, leave its result as it is. What answers and changes goes with nothing on the same fields.
#include <algorithm>
#include <array>
#include <string_view>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "adt/adt.h"
#include "adt/dict_field.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "ground/errors.h"
#include "structure/escrow_table.h"

namespace claret {

namespace {

using namespace dict;

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

enum Modes : Mode { kRead, kScan, kWrite, kIncrement, kAnswer, kCount };

constexpr std::array kModes = {
    ModeSpec{"read", "reads some fields"},
    ModeSpec{"scan", "reads every field"},
    ModeSpec{"write", "replaces or removes some fields"},
    ModeSpec{"increment", "adds to a field"},
    ModeSpec{"answer", "changes fields, and answers what that did"},
    ModeSpec{"count", "counts the fields"},
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
constexpr std::array kPutIfAbsentParameters = {
    Parameter{"field", Kind::kText, "the name of the field"},
    Parameter{"value", Kind::kScalar, "its value, if it does not exist"},
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
    OperationSpec{kPut, "put", kSetParameters, Kind::kInteger, OperationClass::kBoth, kAnswer,
                  "Sets the given fields; answers how many did not exist."},
    OperationSpec{kPutIfAbsent, "putIfAbsent", kPutIfAbsentParameters, Kind::kBoolean, OperationClass::kBoth, kAnswer,
                  "Sets the field if it does not exist; answers whether it did so."},
    OperationSpec{kErase, "erase", kRemoveParameters, Kind::kInteger, OperationClass::kBoth, kAnswer,
                  "Removes the fields; answers how many existed."},
    OperationSpec{kIncrementAndGet, "incrementAndGet", kIncrementParameters, Kind::kInteger, OperationClass::kBoth, kAnswer,
                  "Adds n to a field and answers the sum. Refused as increment is.", kReserves},
    OperationSpec{kSize, "size", {}, Kind::kInteger, OperationClass::kObserve, kCount, "The number of fields."},
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
    CommutativityRule{"set", "put", "different fields"},
    CommutativityRule{"get", "put", "different fields"},
    CommutativityRule{"increment", "put", "different fields"},
    CommutativityRule{"remove", "put", "different fields"},
    CommutativityRule{"all", "put", "never"},
    CommutativityRule{"set", "putIfAbsent", "different fields"},
    CommutativityRule{"get", "putIfAbsent", "different fields"},
    CommutativityRule{"increment", "putIfAbsent", "different fields"},
    CommutativityRule{"remove", "putIfAbsent", "different fields"},
    CommutativityRule{"all", "putIfAbsent", "never"},
    CommutativityRule{"set", "erase", "different fields"},
    CommutativityRule{"get", "erase", "different fields"},
    CommutativityRule{"increment", "erase", "different fields"},
    CommutativityRule{"remove", "erase", "different fields"},
    CommutativityRule{"all", "erase", "never"},
    CommutativityRule{"set", "incrementAndGet", "different fields"},
    CommutativityRule{"get", "incrementAndGet", "different fields"},
    CommutativityRule{"increment", "incrementAndGet", "different fields"},
    CommutativityRule{"remove", "incrementAndGet", "different fields"},
    CommutativityRule{"all", "incrementAndGet", "never"},
    CommutativityRule{"put", "put", "different fields"},
    CommutativityRule{"put", "putIfAbsent", "different fields"},
    CommutativityRule{"put", "erase", "different fields"},
    CommutativityRule{"put", "incrementAndGet", "different fields"},
    CommutativityRule{"putIfAbsent", "putIfAbsent", "different fields"},
    CommutativityRule{"putIfAbsent", "erase", "different fields"},
    CommutativityRule{"putIfAbsent", "incrementAndGet", "different fields"},
    CommutativityRule{"erase", "erase", "different fields"},
    CommutativityRule{"erase", "incrementAndGet", "different fields"},
    CommutativityRule{"incrementAndGet", "incrementAndGet", "different fields"},
    CommutativityRule{"size", "size", "always"},
    CommutativityRule{"size", "get", "always"},
    CommutativityRule{"size", "all", "always"},
    CommutativityRule{"size", "set", "all fields set exist"},
    CommutativityRule{"size", "increment", "the field exists"},
    CommutativityRule{"size", "remove", "none of the fields exists"},
    CommutativityRule{"size", "put", "all fields set exist"},
    CommutativityRule{"size", "putIfAbsent", "the field exists"},
    CommutativityRule{"size", "erase", "none of the fields exists"},
    CommutativityRule{"size", "incrementAndGet", "the field exists"},
};

constexpr Relation kAlways = Relation::kAlways, kNever = Relation::kNever, kDepends = Relation::kDepends;
constexpr Relation kRelations[6][6] = {
    // read     scan     write     increment answer   count
    {kAlways, kAlways, kDepends, kDepends, kDepends, kAlways},  // read
    {kAlways, kAlways, kDepends, kNever, kNever, kAlways},  // scan
    {kDepends, kDepends, kDepends, kDepends, kDepends, kDepends},  // write
    {kDepends, kNever, kDepends, kAlways, kDepends, kDepends},  // increment
    {kDepends, kNever, kDepends, kDepends, kDepends, kDepends},  // answer
    {kAlways, kAlways, kDepends, kDepends, kDepends, kAlways},  // count
};

// `item`: an item of the list that is the call's argument.
const std::string& named_field(const Value& item) { return item.is_text() ? item.text() : item.list()[0].text(); }

// The fields that the call names. REQUIRES: neither `all` nor `size`.
std::vector<std::string_view> named_fields(const Call& call) {
  const Value& argument = call.arguments[0];
  if (argument.is_text()) return {argument.text()};
  std::vector<std::string_view> fields;
  for (const Value& item : argument.list()) fields.push_back(named_field(item));
  return fields;
}

bool disjoint(const Call& first, const Call& second) {
  const std::vector<std::string_view> fields = named_fields(first);
  const absl::flat_hash_set<std::string_view> others(fields.begin(), fields.end());  // never iterated
  for (const std::string_view field : named_fields(second)) {
    if (others.contains(field)) return false;
  }
  return true;
}

// Does the change bring or take a field?
bool changes_size(const Call& change, const DictState& state) {
  const bool takes = change.operation->id == kRemove || change.operation->id == kErase;
  const std::vector<std::string_view> fields = named_fields(change);
  return std::any_of(fields.begin(), fields.end(),
                     [&](std::string_view field) { return state.fields.contains(std::string(field)) == takes; });
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
  std::span<const resp::CommandSpec> commands() const override { return dict_commands(); }
  std::string_view redis_type() const override { return "hash"; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const DictState& committed) const override {
    if (first.call->operation->id == kSize) return !changes_size(*second.call, committed);
    if (second.call->operation->id == kSize) return !changes_size(*first.call, committed);
    if (first.call->operation->id == kRemove && second.call->operation->id == kRemove) return true;
    if (first.call->operation->mode == kWrite && reads(second)) return agrees_with(*first.call, second);
    if (second.call->operation->mode == kWrite && reads(first)) return agrees_with(*second.call, first);
    return disjoint(*first.call, *second.call);
  }

  bool is_empty(const DictState& state) const override { return state.fields.empty(); }

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
      case kIncrementAndGet:
        return increment_and_get(state, call, own);
      case kPut:
        return Value(count(call, [&](const std::string& field) { return !state.fields.contains(field); }));
      case kErase:
        return Value(count(call, [&](const std::string& field) { return state.fields.contains(field); }));
      case kPutIfAbsent:
        return Value(!state.fields.contains(call.arguments[0].text()));
      case kSize:
        return Value(static_cast<std::int64_t>(state.fields.size()));
      default:
        return {};
    }
  }

  // How many of the fields that the call names are so, each of them once.
  static std::int64_t count(const Call& call, const auto& is_so) {
    absl::flat_hash_set<std::string_view> counted;  // looked up, never iterated
    for (const Value& item : call.arguments[0].list()) {
      const std::string& field = named_field(item);
      if (is_so(field)) counted.insert(field);
    }
    return static_cast<std::int64_t>(counted.size());
  }

  // The sum of the committed value and the amount. The transaction's earlier calls come first when it commits, so the increment has to be possible
  // after them too; what is pending of others does not matter, because nothing else may be at the field beside it.
  Outcome increment_and_get(const DictState& state, const Call& call, std::span<const Held> own) const {
    const std::string& field = call.arguments[0].text();
    const Value& committed = state.at(field);
    const OwnField before = own_field(committed, field, own);
    if (!before.integer || !(committed.absent() || committed.is_integer())) {
      return Refusal{errors::kNotAnInteger, "the field does not hold an integer"};
    }
    const std::int64_t number = committed.absent() ? 0 : committed.integer();
    const std::int64_t n = call.arguments[1].integer();
    const OwnSteps steps{.replaced = before.steps.replaced, .sum = before.steps.sum};
    std::int64_t sum = 0;
    if (__builtin_add_overflow(number, n, &sum) || Escrow().judge(number, n, steps) == Escrow::Verdict::kOutOfRange) {
      return Refusal{errors::kOutOfRange, "the field would leave 64 bits"};
    }
    return Value(sum);
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

  void commit(DictState& state, const Call& call, const Value& result) const override {
    switch (call.operation->id) {
      case kSet:
      case kPut:
        for (const Value& entry : call.arguments[0].list()) state.fields[entry.list()[0].text()] = entry.list()[1];
        break;
      case kPutIfAbsent:
        if (result.boolean()) state.fields[call.arguments[0].text()] = call.arguments[1];
        break;
      case kIncrementBy:
      case kIncrementAndGet: {
        Value& value = state.fields[call.arguments[0].text()];
        value = Value((value.absent() ? 0 : value.integer()) + call.arguments[1].integer());
        break;
      }
      case kRemove:
      case kErase:
        for (const Value& field : call.arguments[0].list()) state.fields.erase(field.text());
        break;
    }
  }

  // Of a call that names one field, its value. Otherwise a list with the value of each field named; where a field is named again, the list has
  // nothing, so that a long text is kept only once.
  Value before(const DictState& state, const Call& call, const Value&) const override {
    if (call.operation->operation_class == OperationClass::kObserve) return {};
    if (call.arguments[0].is_text()) return state.at(call.arguments[0].text());
    const Value::List& items = call.arguments[0].list();
    Value::List kept;
    kept.reserve(items.size());
    absl::flat_hash_set<std::string_view> seen;  // never iterated
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
    if (call.arguments[0].is_text()) return state.put_back(call.arguments[0].text(), kept);
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

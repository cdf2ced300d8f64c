// Set: a set of texts (the paper, Table 2).
//
// State: the members, in order (by bytes).
// Results: `contains`, `size` and `members` read. `add` and `remove` return nothing, not even whether they changed anything, since that
// would be a read; `insert` and `erase` say how many members they changed.
//
// Why it commutes: two adds leave both members in the set in either order, two removes take both out, and an add and a remove conflict only
// on the same member. A read commutes with an add of a member that is present and with a remove of a member that is absent, since neither
// changes anything. That stays true while both hold: only `remove(x)` could give `add(x)` an effect again, and it does not commute with the
// pending `add(x)`. A page of members also commutes with every change outside of the part that it covers. An `insert` is an add and a read of
// all that it names, an `erase` a remove and a read.
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "adt/adt.h"
#include "adt/check.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "structure/text_blocks.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct SetState final : State {
  TextBlocks members;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddMember = 1, kRemoveMember, kContains, kSize, kMembers, kInsert, kErase };
enum Modes : Mode { kRead, kAdd, kRemove, kInsertMode, kEraseMode };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the members"},
    ModeSpec{"add", "adds a member"},
    ModeSpec{"remove", "removes a member"},
    ModeSpec{"insert", "adds members and counts the new ones"},
    ModeSpec{"erase", "removes members and counts them"},
};

constexpr std::array kMemberParameters = {
    Parameter{"member", Kind::kText, "the member"},
};
constexpr std::array kNamedParameters = {
    Parameter{"members", Kind::kTexts, "the members"},
};
constexpr std::array kMembersParameters = {
    Parameter{"limit", Kind::kInteger, "members at most, 1 to 1,000"},
    Parameter{"after", Kind::kOptional, "last member of the previous page; absent: start at the beginning"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddMember, "add", kMemberParameters, Kind::kVoid, OperationClass::kBlind, kAdd,
                  "Adds the member. Nothing changes if it is already there."},
    OperationSpec{kRemoveMember, "remove", kMemberParameters, Kind::kVoid, OperationClass::kBlind, kRemove,
                  "Removes the member. Nothing changes if it is not there."},
    OperationSpec{kContains, "contains", kMemberParameters, Kind::kBoolean, OperationClass::kObserve, kRead,
                  "Whether the member is there."},
    OperationSpec{kSize, "size", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The number of members."},
    OperationSpec{kMembers, "members", kMembersParameters, Kind::kTexts, OperationClass::kObserve, kRead,
                  "A page of the members, sorted by their UTF-8 bytes."},
    OperationSpec{kInsert, "insert", kNamedParameters, Kind::kInteger, OperationClass::kBoth, kInsertMode,
                  "Adds the members; answers how many were not there."},
    OperationSpec{kErase, "erase", kNamedParameters, Kind::kInteger, OperationClass::kBoth, kEraseMode,
                  "Removes the members; answers how many were there."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "always"},
    CommutativityRule{"add", "remove", "different members"},
    CommutativityRule{"add", "contains", "different members, or it is a member already"},
    CommutativityRule{"add", "size", "it is a member already"},
    CommutativityRule{"add", "members", "it is a member already, or lies outside of the page"},
    CommutativityRule{"remove", "remove", "always"},
    CommutativityRule{"remove", "contains", "different members, or it is no member"},
    CommutativityRule{"remove", "size", "it is no member"},
    CommutativityRule{"remove", "members", "it is no member, or lies outside of the page"},
    CommutativityRule{"contains", "contains", "always"},
    CommutativityRule{"contains", "size", "always"},
    CommutativityRule{"contains", "members", "always"},
    CommutativityRule{"size", "size", "always"},
    CommutativityRule{"size", "members", "always"},
    CommutativityRule{"members", "members", "always"},
    CommutativityRule{"add", "insert", "it is not among them, or is a member already"},
    CommutativityRule{"add", "erase", "it is not among them"},
    CommutativityRule{"remove", "insert", "it is not among them"},
    CommutativityRule{"remove", "erase", "it is not among them, or is no member"},
    CommutativityRule{"contains", "insert", "it is not among them, or is a member already"},
    CommutativityRule{"contains", "erase", "it is not among them, or is no member"},
    CommutativityRule{"size", "insert", "all of them are members already"},
    CommutativityRule{"size", "erase", "none of them is a member"},
    CommutativityRule{"members", "insert", "those that are new lie outside of the page"},
    CommutativityRule{"members", "erase", "those that are members lie outside of the page"},
    CommutativityRule{"insert", "insert", "all that both name are members already"},
    CommutativityRule{"insert", "erase", "different members"},
    CommutativityRule{"erase", "erase", "none that both name is a member"},
};

constexpr Relation kAlways = Relation::kAlways, kDepends = Relation::kDepends;
constexpr Relation kRelations[5][5] = {
    // read     add       remove    insert    erase
    {kAlways, kDepends, kDepends, kDepends, kDepends},  // read
    {kDepends, kAlways, kDepends, kDepends, kDepends},  // add
    {kDepends, kDepends, kAlways, kDepends, kDepends},  // remove
    {kDepends, kDepends, kDepends, kDepends, kDepends},  // insert
    {kDepends, kDepends, kDepends, kDepends, kDepends},  // erase
};

// What a change names.
std::span<const Value> named(const Call& call) {
  const Value& first = call.arguments[0];
  return first.is_list() ? std::span<const Value>(first.list()) : std::span<const Value>(&first, 1);
}

bool is_add(const Call& call) { return call.operation->mode == kAdd || call.operation->mode == kInsertMode; }

// The answer depends on each member that it names.
bool counts(const Call& call) { return call.operation->operation_class == OperationClass::kBoth; }

// Would the page change if this member appeared or disappeared? A full page ends at its last member; a page that is not full covers all
// members behind `after`.
bool in_page(const std::string& member, const Held& page) {
  const Value& after = page.call->arguments[1];
  if (!after.absent() && member <= after.text()) return false;
  const Value::List& members = page.result->list();
  const bool full = std::cmp_equal(members.size(), page.call->arguments[0].integer());
  return !full || member <= members.back().text();
}

bool change_commutes_with_read(const Held& change, const Held& read, const SetState& committed) {
  const bool adds = is_add(*change.call);
  const auto is_unseen = [&](const Value& one) {
    const std::string& member = one.text();
    if (committed.members.contains(member) == adds) return true;  // changes nothing
    switch (read.call->operation->id) {
      case kContains:
        return read.call->arguments[0].text() != member;
      case kMembers:
        return !in_page(member, read);
      default:
        return false;
    }
  };
  const auto members = named(*change.call);
  return std::all_of(members.begin(), members.end(), is_unseen);
}

bool changes_commute(const Call& first, const Call& second, const SetState& committed) {
  const bool same_way = is_add(first) == is_add(second);
  if (same_way && !counts(first) && !counts(second)) return true;
  const auto goes_twice = [&](const std::string& member) { return same_way && committed.members.contains(member) == is_add(first); };
  std::span<const Value> some = named(first), others = named(second);
  if (some.size() < others.size()) std::swap(some, others);
  absl::flat_hash_set<std::string_view> known;  // looked up, never iterated
  for (const Value& member : others) known.insert(member.text());
  return std::all_of(some.begin(), some.end(), [&](const Value& one) { return !known.contains(one.text()) || goes_twice(one.text()); });
}

// ---- Parts ------------------------------------------------------------------------------------------------------------

class SetParts final : public OrderedParts<std::string> {
 public:
  explicit SetParts(const SetState& state) : OrderedParts(state.members.size()), members_(state.members) {}

  void before(const Call& call) override {
    if (call.operation->mode == kRead) return;
    for (const Value& one : named(call)) note(one.text(), members_.contains(one.text()) ? &kThere : nullptr);
  }

 private:
  void visit_behind(const std::string* passed, Visit visit) const override {
    members_.walk_behind(passed, [&](const std::string& member) { return visit(member, {}); });
  }
  void write(StateWriter& writer, const std::string& member, const Nothing&) const override { writer.text(member); }

  const TextBlocks& members_;
};

class Set final : public TypeOf<SetState> {
 public:
  std::uint8_t id() const override { return 5; }
  std::string_view name() const override { return "Set"; }
  std::string_view meaning() const override {
    return "A set of texts. Many transactions add and remove different members at the same time.";
  }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const resp::CommandSpec> commands() const override { return set_commands(); }
  std::string_view redis_type() const override { return "set"; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const SetState& committed) const override {
    if (first.call->operation->mode == kRead) return change_commutes_with_read(second, first, committed);
    if (second.call->operation->mode == kRead) return change_commutes_with_read(first, second, committed);
    return changes_commute(*first.call, *second.call, committed);
  }

  bool is_empty(const SetState& state) const override { return state.members.empty(); }

  Outcome execute(const SetState& state, const Call& call, std::span<const Held>, const Context&) const override {
    switch (call.operation->id) {
      case kContains:
        return Value(state.members.contains(call.arguments[0].text()));
      case kSize:
        return Value(static_cast<std::int64_t>(state.members.size()));
      case kMembers:
        return page(state, call.arguments[0].integer(), call.arguments[1]);
      case kInsert:
      case kErase:
        return Value(static_cast<std::int64_t>(changed(state, call).size()));
      default:
        return {};
    }
  }

  static Outcome page(const SetState& state, std::int64_t limit, const Value& after) {
    if (auto refusal = check_page_size(limit)) return *refusal;
    if (auto refusal = check_optional_text(after, "after")) return *refusal;
    Value::List members;
    state.members.walk_behind(after.absent() ? nullptr : &after.text(), [&](const std::string& member) {
      members.emplace_back(member);
      return --limit > 0;
    });
    return Value(std::move(members));
  }

  void commit(SetState& state, const Call& call, const Value&) const override {
    if (call.operation->mode == kRead) return;
    for (const Value& member : named(call)) put(state, member, is_add(call));
  }

  static void put(SetState& state, const Value& member, bool there) {
    if (there) {
      state.members.insert(member.text());
    } else {
      state.members.erase(member.text());
    }
  }

  // The places, among the members that the change names, of those that it changes.
  static std::vector<std::size_t> changed(const SetState& state, const Call& call) {
    std::vector<std::size_t> places;
    absl::flat_hash_set<std::string_view> seen;  // looked up, never iterated
    const auto members = named(call);
    for (std::size_t place = 0; place < members.size(); ++place) {
      const std::string& member = members[place].text();
      if (state.members.contains(member) != is_add(call) && (members.size() == 1 || seen.insert(member).second)) places.push_back(place);
    }
    return places;
  }

  // Of one member: whether the call changes anything; of several, those that it changes.
  Value before(const SetState& state, const Call& call, const Value&) const override {
    if (call.operation->mode == kRead) return {};
    const std::vector<std::size_t> places = changed(state, call);
    if (named(call).size() == 1) return Value(!places.empty());
    Value::List kept;
    for (const std::size_t place : places) kept.emplace_back(static_cast<std::int64_t>(place));
    return Value(std::move(kept));
  }

  void undo(SetState& state, const Call& call, const Value&, const Value& kept) const override {
    if (call.operation->mode == kRead) return;
    if (kept == Value(true)) {
      for (const Value& member : named(call)) put(state, member, !is_add(call));
    }
    if (!kept.is_list()) return;
    for (const Value& place : kept.list()) put(state, named(call)[static_cast<std::size_t>(place.integer())], !is_add(call));
  }

  // ---- Encoding: count, then text members in order -----------------------------------------------------------------------

  void encode(const SetState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.members.size());
    state.members.walk_behind(nullptr, [&](const std::string& member) {
      writer.text(member);
      return true;
    });
  }

  std::unique_ptr<StateParts> parts(const SetState& state) const override { return std::make_unique<SetParts>(state); }

  bool add_part(SetState& state, StateReader& reader) const override {
    std::vector<std::string> members;
    while (reader.more()) {
      members.push_back(reader.text());
      const std::string* before = members.size() > 1 ? &members[members.size() - 2] : nullptr;
      if (before == nullptr) before = state.members.last();
      if (before != nullptr && members.back() <= *before) return false;
    }
    if (reader.failed()) return false;
    for (const std::string& member : members) state.members.insert(member);
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<SetState>();
    StateReader reader(bytes);
    for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left) {
      const std::string member = reader.text();
      const std::string* before = state->members.last();
      if (before != nullptr && member <= *before) return nullptr;
      state->members.insert(member);
    }
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& set_type() {
  static const Set type;
  return type;
}

}  // namespace claret

// Set: a set of texts (the paper, Table 2).
//
// State: the members, in order (by bytes).
// Results: `contains`, `size` and `members` read. `add` and `remove` return nothing, not even whether they changed anything, since that
// would be a read.
//
// Why it commutes: two adds leave both members in the set in either order, two removes take both out, and an add and a remove conflict only
// on the same member. A read commutes with an add of a member that is present and with a remove of a member that is absent, since neither
// changes anything. That stays true while both hold: only `remove(x)` could give `add(x)` an effect again, and it does not commute with the
// pending `add(x)`. A page of members also commutes with every change outside of the part that it covers.
#include <array>

#include "absl/container/btree_set.h"
#include "adt/adt.h"
#include "adt/check.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct SetState final : State {
  absl::btree_set<std::string> members;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddMember = 1, kRemoveMember, kContains, kSize, kMembers };
enum Modes : Mode { kRead, kAdd, kRemove };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the members"},
    ModeSpec{"add", "adds a member"},
    ModeSpec{"remove", "removes a member"},
};

constexpr std::array kMemberParameters = {
    Parameter{"member", Kind::kText, "the member"},
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
};

constexpr std::array kJoins = {
    JoinRule{kAddMember, kAddMember, JoinHow::kEqual}, JoinRule{kRemoveMember, kRemoveMember, JoinHow::kEqual},
    JoinRule{kContains, kContains, JoinHow::kEqual},   JoinRule{kSize, kSize, JoinHow::kEqual},
    JoinRule{kMembers, kMembers, JoinHow::kPrefix, 0},
};

constexpr Relation kAlways = Relation::kAlways, kDepends = Relation::kDepends;
constexpr Relation kRelations[3][3] = {
    // read     add       remove
    {kAlways, kDepends, kDepends},  // read
    {kDepends, kAlways, kDepends},  // add
    {kDepends, kDepends, kAlways},  // remove
};

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
  const std::string& member = change.call->arguments[0].text();
  const bool is_add = change.call->operation->id == kAddMember;
  if (committed.members.contains(member) == is_add) return true;  // changes nothing
  switch (read.call->operation->id) {
    case kContains:
      return read.call->arguments[0].text() != member;
    case kMembers:
      return !in_page(member, read);
    default:
      return false;
  }
}

// ---- Parts ------------------------------------------------------------------------------------------------------------

class SetParts final : public OrderedParts<std::string> {
 public:
  explicit SetParts(const SetState& state) : OrderedParts(state.members.size()), members_(state.members) {}

  void before(const Call& call) override {
    if (call.operation->mode == kRead) return;
    const std::string& member = call.arguments[0].text();
    note(member, members_.contains(member) ? &kThere : nullptr);
  }

 private:
  void visit_behind(const std::string* passed, Visit visit) const override {
    auto next = passed == nullptr ? members_.begin() : members_.upper_bound(*passed);
    while (next != members_.end() && visit(*next, {})) ++next;
  }
  void write(StateWriter& writer, const std::string& member, const Nothing&) const override { writer.text(member); }

  const absl::btree_set<std::string>& members_;
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
  std::span<const JoinRule> joins() const override { return kJoins; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const SetState& committed) const override {
    if (first.call->operation->mode == kRead) return change_commutes_with_read(second, first, committed);
    if (second.call->operation->mode == kRead) return change_commutes_with_read(first, second, committed);
    return first.call->arguments[0] != second.call->arguments[0];  // an add and a remove
  }

  Outcome execute(const SetState& state, const Call& call, std::span<const Held>, const Context&) const override {
    switch (call.operation->id) {
      case kContains:
        return Value(state.members.contains(call.arguments[0].text()));
      case kSize:
        return Value(static_cast<std::int64_t>(state.members.size()));
      case kMembers:
        return page(state, call.arguments[0].integer(), call.arguments[1]);
      default:
        return {};
    }
  }

  static Outcome page(const SetState& state, std::int64_t limit, const Value& after) {
    if (auto refusal = check_page_size(limit)) return *refusal;
    if (auto refusal = check_optional_text(after, "after")) return *refusal;
    Value::List members;
    auto next = after.absent() ? state.members.begin() : state.members.upper_bound(after.text());
    for (; limit > 0 && next != state.members.end(); --limit, ++next) members.emplace_back(*next);
    return Value(std::move(members));
  }

  void commit(SetState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddMember) state.members.insert(call.arguments[0].text());
    if (call.operation->id == kRemoveMember) state.members.erase(call.arguments[0].text());
  }

  // Whether the call changes anything.
  Value before(const SetState& state, const Call& call, const Value&) const override {
    if (call.operation->mode == kRead) return {};
    return Value(state.members.contains(call.arguments[0].text()) != (call.operation->id == kAddMember));
  }

  void undo(SetState& state, const Call& call, const Value&, const Value& kept) const override {
    if (kept != Value(true)) return;
    if (call.operation->id == kAddMember) state.members.erase(call.arguments[0].text());
    if (call.operation->id == kRemoveMember) state.members.insert(call.arguments[0].text());
  }

  // ---- Encoding: count, then text members in order -----------------------------------------------------------------------

  void encode(const SetState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.members.size());
    for (const std::string& member : state.members) writer.text(member);
  }

  std::unique_ptr<StateParts> parts(const SetState& state) const override { return std::make_unique<SetParts>(state); }

  bool add_part(SetState& state, StateReader& reader) const override {
    std::vector<std::string> members;
    while (reader.more()) {
      members.push_back(reader.text());
      const std::string* before = members.size() > 1 ? &members[members.size() - 2] : nullptr;
      if (before == nullptr && !state.members.empty()) before = &*state.members.rbegin();
      if (before != nullptr && members.back() <= *before) return false;
    }
    if (reader.failed()) return false;
    for (std::string& member : members) state.members.insert(state.members.end(), std::move(member));
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<SetState>();
    StateReader reader(bytes);
    for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left) {
      std::string member = reader.text();
      if (!state->members.empty() && member <= *state->members.rbegin()) return nullptr;
      state->members.insert(state->members.end(), std::move(member));
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

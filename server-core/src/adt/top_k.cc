// TopK: the 128 highest of all items that were ever added.
//
// State: up to K items with their scores, highest first; items with equal scores are ordered by their bytes.
// Results: `max`, `top` and `size` read; `add` returns nothing, not even whether the item was kept.
//
// Why it commutes: each item counts with its highest score, and the K highest items are kept. Neither maximum depends on order, and an item
// that dropped out cannot come back, since the lowest kept rank only rises. So an add that leaves the top unchanged now always will, and
// reads of the top commute with it.
#include <algorithm>
#include <array>

#include "absl/container/flat_hash_set.h"
#include "adt/adt.h"
#include "adt/check.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

constexpr std::size_t kKept = 128;  // K

struct Entry {
  std::string item;
  double score;
};

// Does (item, score) rank before the entry?
bool ranks_before(double score, std::string_view item, double entry_score, std::string_view entry_item) {
  return score != entry_score ? score > entry_score : item < entry_item;
}

Value pair(const Entry& entry) { return Value::List{Value(entry.item), Value(entry.score)}; }
Entry entry_of(const Value& value) { return {value.list()[0].text(), value.list()[1].number()}; }

struct TopKState final : State {
  std::vector<Entry> entries;  // by rank

  bool full() const { return entries.size() == kKept; }

  // The end if the item is not kept.
  std::vector<Entry>::const_iterator find(std::string_view item) const {
    return std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.item == item; });
  }

  bool contains(std::string_view item) const { return find(item) != entries.end(); }

  // Does an add of the item change anything, and which entry does it replace: that of the item, the last one if the item is new and all
  // places are taken, or none (the end)?
  struct Replaced {
    bool changes;
    std::vector<Entry>::const_iterator entry;
  };
  Replaced replaced_by(std::string_view item, double score) const {
    if (full() && ranks_before(entries.back().score, entries.back().item, score, item)) return {false, entries.end()};
    const auto old = find(item);
    if (old != entries.end()) return {old->score < score, old};
    return {true, full() ? entries.end() - 1 : entries.end()};
  }

  void add(std::string_view item, double score) {
    const Replaced replaced = replaced_by(item, score);
    if (!replaced.changes) return;
    if (replaced.entry != entries.end()) entries.erase(replaced.entry);
    put({std::string(item), score});
  }

  void put(Entry added) {
    const auto before = [&](const Entry& entry) { return ranks_before(entry.score, entry.item, added.score, added.item); };
    const auto place = std::partition_point(entries.begin(), entries.end(), before);
    entries.insert(place, std::move(added));
  }
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddItem = 1, kMax, kTop, kSize };
enum Modes : Mode { kRead, kAdd };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the highest items"},
    ModeSpec{"add", "adds an item"},
};

constexpr std::array kAddParameters = {
    Parameter{"item", Kind::kText, "the item"},
    Parameter{"score", Kind::kNumber, "its score; the highest of all scores of an item counts"},
};
constexpr std::array kTopParameters = {
    Parameter{"n", Kind::kInteger, "number of items, 1 to 1,000; there are at most 128"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddItem, "add", kAddParameters, Kind::kVoid, OperationClass::kMutate, kAdd, "Adds the item, or raises its score."},
    OperationSpec{kMax,
                  "max",
                  {},
                  Kind::kRankedItem,
                  OperationClass::kObserve,
                  kRead,
                  "The highest item with its score; absent if nothing was added."},
    OperationSpec{kTop, "top", kTopParameters, Kind::kRanked, OperationClass::kObserve, kRead,
                  "The n highest items with their scores, highest first. Equal scores are sorted by item."},
    OperationSpec{kSize, "size", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The number of items, at most 128."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "always"},
    CommutativityRule{"add", "max", "it ranks behind the highest item, or does not raise it"},
    CommutativityRule{"add", "top", "it ranks behind the n items read, or is one of them and does not rise"},
    CommutativityRule{"add", "size", "the item is kept already, or 128 items are"},
    CommutativityRule{"max", "max", "always"},
    CommutativityRule{"max", "top", "always"},
    CommutativityRule{"max", "size", "always"},
    CommutativityRule{"top", "top", "always"},
    CommutativityRule{"top", "size", "always"},
    CommutativityRule{"size", "size", "always"},
};

// Does the add leave these, the highest `asked` items, unchanged? They alone decide that: every other item ranks behind them.
bool leaves_top(const Call& add, const Value::List& top, std::size_t asked) {
  const std::string& item = add.arguments[0].text();
  const double score = add.arguments[1].number();
  for (const Value& entry : top) {
    if (entry.list()[0].text() == item) return score <= entry.list()[1].number();
  }
  if (top.size() < std::min(asked, kKept)) return false;
  const Value::List& last = top.back().list();
  return ranks_before(last[1].number(), last[0].text(), score, item);
}

bool add_commutes_with_read(const Call& add, const Held& read, const TopKState& committed) {
  switch (read.call->operation->id) {
    case kMax:
      if (read.result->absent()) return false;
      return leaves_top(add, {*read.result}, 1);
    case kTop:
      return leaves_top(add, read.result->list(), static_cast<std::size_t>(read.call->arguments[0].integer()));
    default:
      return committed.full() || committed.contains(add.arguments[0].text());
  }
}

// ---- Parts: few, but texts may be long --------------------------------------------------------------------------------

struct RanksBefore {
  bool operator()(const Entry& one, const Entry& other) const { return ranks_before(one.score, one.item, other.score, other.item); }
};

class TopKParts final : public OrderedParts<Entry, Nothing, RanksBefore> {
 public:
  explicit TopKParts(const TopKState& state) : OrderedParts(state.entries.size()), state_(state) {}

  // The item may appear or rise, and the last item may drop out.
  void before(const Call& call) override {
    if (call.operation->id != kAddItem) return;
    const std::string& item = call.arguments[0].text();
    const auto old = state_.find(item);
    if (old != state_.entries.end()) note(*old, &kThere);
    if (state_.full()) note(state_.entries.back(), &kThere);
    note({item, call.arguments[1].number()}, nullptr);
  }

  void before_undo(const Call& call, const Value& kept) override {
    if (kept.absent()) return;
    note(*state_.find(call.arguments[0].text()), &kThere);
    if (!kept.list().empty()) note(entry_of(kept), nullptr);
  }

 private:
  void visit_behind(const Entry* passed, Visit visit) const override {
    const auto is_passed = [&](const Entry& entry) { return passed != nullptr && !RanksBefore()(*passed, entry); };
    auto next = std::partition_point(state_.entries.begin(), state_.entries.end(), is_passed);
    while (next != state_.entries.end() && visit(*next, {})) ++next;
  }
  void write(StateWriter& writer, const Entry& entry, const Nothing&) const override {
    writer.text(entry.item);
    writer.number(entry.score);
  }

  const TopKState& state_;
};

class TopK final : public TypeOf<TopKState> {
 public:
  std::uint8_t id() const override { return 7; }
  std::string_view name() const override { return "TopK"; }
  std::string_view meaning() const override { return "The 128 highest of all items ever added, each with its highest score."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }

  Relation relation(Mode first, Mode second) const override { return first == second ? Relation::kAlways : Relation::kDepends; }

 protected:
  bool commutes(const Held& first, const Held& second, const TopKState& committed) const override {
    if (first.call->operation->id == kAddItem) return add_commutes_with_read(*first.call, second, committed);
    return add_commutes_with_read(*second.call, first, committed);
  }

  Outcome execute(const TopKState& state, const Call& call, std::span<const Held>, const Context&) const override {
    switch (call.operation->id) {
      case kMax:
        return state.entries.empty() ? Value() : pair(state.entries.front());
      case kTop:
        return top(state, call.arguments[0].integer());
      case kSize:
        return Value(static_cast<std::int64_t>(state.entries.size()));
      default:
        return {};
    }
  }

  static Outcome top(const TopKState& state, std::int64_t n) {
    if (auto refusal = check_page_size(n)) return *refusal;
    Value::List top;
    for (const Entry& entry : state.entries) {
      if (std::cmp_equal(top.size(), n)) break;
      top.push_back(pair(entry));
    }
    return Value(std::move(top));
  }

  void commit(TopKState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddItem) state.add(call.arguments[0].text(), call.arguments[1].number());
  }

  // The entry that the add replaces, an empty list if there is none; absent if the add changes nothing.
  Value before(const TopKState& state, const Call& call, const Value&) const override {
    if (call.operation->id != kAddItem) return {};
    const auto [changes, entry] = state.replaced_by(call.arguments[0].text(), call.arguments[1].number());
    if (!changes) return {};
    return entry == state.entries.end() ? Value(Value::List{}) : pair(*entry);
  }

  void undo(TopKState& state, const Call& call, const Value&, const Value& kept) const override {
    if (kept.absent()) return;
    state.entries.erase(state.find(call.arguments[0].text()));
    if (!kept.list().empty()) state.put(entry_of(kept));
  }

  // ---- Encoding: count, then (text item, number score) by rank -----------------------------------------------------------

  void encode(const TopKState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.entries.size());
    for (const Entry& entry : state.entries) {
      writer.text(entry.item);
      writer.number(entry.score);
    }
  }

  std::unique_ptr<StateParts> parts(const TopKState& state) const override { return std::make_unique<TopKParts>(state); }

  bool add_part(TopKState& state, StateReader& reader) const override {
    std::vector<Entry> entries = state.entries;  // few
    while (reader.more() && entries.size() <= kKept) {
      Entry entry{reader.text(), reader.number()};
      const bool in_order = entries.empty() || ranks_before(entries.back().score, entries.back().item, entry.score, entry.item);
      const bool is_there = std::any_of(entries.begin(), entries.end(), [&](const Entry& one) { return one.item == entry.item; });
      if (!in_order || is_there) return false;
      entries.push_back(std::move(entry));
    }
    if (!reader.complete() || entries.size() > kKept) return false;
    state.entries = std::move(entries);
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<TopKState>();
    StateReader reader(bytes);
    const std::uint64_t count = reader.count();
    if (count > kKept) return nullptr;
    absl::flat_hash_set<std::string> seen;  // never iterated
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
      Entry entry{reader.text(), reader.number()};
      if (i > 0) {
        const Entry& last = state->entries.back();
        if (!ranks_before(last.score, last.item, entry.score, entry.item)) return nullptr;
      }
      if (!seen.insert(entry.item).second) return nullptr;
      state->entries.push_back(std::move(entry));
    }
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& top_k_type() {
  static const TopK type;
  return type;
}

}  // namespace claret

// ScoredSet: items, each with an integer score, ranked by score, ascending; items with equal scores are ranked by their bytes.
//
// State: item -> score, and the ranking. Beside it: the sums of pending increments per item, and the number of pending adds and removes.
// Results: `score`, `rank`, `range`, `rangeByScore` and `size` read; the other operations return nothing.
//
// Why it commutes: changes of different items do. On one item, adds of equal scores and removes agree, and increments add up (escrow, as in
// Counter). A read depends only on a part of the ranking, and commutes with adds and removes outside of it. Such an answer stays valid: an
// item's position can change only by calls on that item, and of these, only calls that leave the item where both holders need it commute
// with the pending call. Several increments may move an item where none of them would alone: so an increment commutes with a read if the
// item stays outside of what was read, whichever of its pending increments commit. After an add or a remove of its own transaction, an increment
// starts from another score than the committed one; it does not commute with a range then.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "adt/adt.h"
#include "adt/check.h"
#include "adt/ordered_parts.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "ground/errors.h"
#include "structure/escrow_table.h"
#include "structure/ranked_set.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct ScoredSetState final : State {
  RankedSet ranking;
  EscrowTable pending;
  std::uint32_t replacing = 0;  // pending adds and removes
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddItem = 1, kIncrementBy, kRemoveItem, kScore, kRank, kRange, kRangeByScore, kSize };
enum Modes : Mode { kRead, kAdd, kIncrement, kRemove };

constexpr std::array kModes = {
    ModeSpec{"read", "reads scores or the ranking"},
    ModeSpec{"add", "gives an item a score"},
    ModeSpec{"increment", "adds to an item's score"},
    ModeSpec{"remove", "removes an item"},
};

constexpr std::array kItemParameters = {
    Parameter{"item", Kind::kText, "the item"},
};
constexpr std::array kAddParameters = {
    Parameter{"item", Kind::kText, "the item"},
    Parameter{"score", Kind::kInteger, "the new score"},
};
constexpr std::array kIncrementParameters = {
    Parameter{"item", Kind::kText, "the item; a missing one is added with 0 first"},
    Parameter{"n", Kind::kInteger, "the amount; may be negative"},
};
constexpr std::array kRangeParameters = {
    Parameter{"start", Kind::kInteger, "first rank, from 0; negative ranks count from the end, -1 is the last"},
    Parameter{"stop", Kind::kInteger, "last rank, inclusive; negative ranks count from the end"},
};
constexpr std::array kRangeByScoreParameters = {
    Parameter{"min", Kind::kInteger, "lowest score"},
    Parameter{"max", Kind::kInteger, "highest score, inclusive"},
    Parameter{"limit", Kind::kInteger, "members at most, 1 to 1,000"},
    Parameter{"after", Kind::kOptional,
              "last item of the previous page, whose score is min; absent: start with the first item of that score"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddItem, "add", kAddParameters, Kind::kVoid, OperationClass::kBlind, kAdd,
                  "Sets the item's score, and adds the item if needed."},
    OperationSpec{kIncrementBy, "increment", kIncrementParameters, Kind::kVoid, OperationClass::kMutate, kIncrement,
                  "Adds n to the item's score. Refused (out_of_range) if it would leave 64 bits.", kReserves},
    OperationSpec{kRemoveItem, "remove", kItemParameters, Kind::kVoid, OperationClass::kBlind, kRemove,
                  "Removes the item. Nothing changes if it is not there."},
    OperationSpec{kScore, "score", kItemParameters, Kind::kOptional, OperationClass::kObserve, kRead,
                  "The item's score, an integer; absent if the item is not there."},
    OperationSpec{kRank, "rank", kItemParameters, Kind::kOptional, OperationClass::kObserve, kRead,
                  "The item's rank, from 0 for the lowest score; absent if the item is not there."},
    OperationSpec{kRange, "range", kRangeParameters, Kind::kScored, OperationClass::kObserve, kRead,
                  "The items of a range of ranks with their scores, lowest first; at most 1,000."},
    OperationSpec{kRangeByScore, "rangeByScore", kRangeByScoreParameters, Kind::kScored, OperationClass::kObserve, kRead,
                  "A page of the items with a score from min to max, lowest first."},
    OperationSpec{kSize, "size", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The number of items."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::string_view kAlwaysRule = "always";
constexpr std::string_view kDifferentItems = "different items";
constexpr std::string_view kAddBeside = "the add changes nothing, or moves the item outside of what was read";
constexpr std::string_view kIncrementBeside =
    "the item stands outside of what was read, whichever pending increments commit, and no add or remove is pending";
constexpr std::string_view kRemoveBeside = "the item is not there, or stands outside of what was read";

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "different items, or equal scores"},
    CommutativityRule{"add", "increment", kDifferentItems},
    CommutativityRule{"add", "remove", kDifferentItems},
    CommutativityRule{"add", "score", "different items, or the add changes nothing"},
    CommutativityRule{"add", "rank",
                      "different items and the one asked for is not there, or the add changes nothing, or moves the item "
                      "behind the one asked for"},
    CommutativityRule{"add", "range", kAddBeside},
    CommutativityRule{"add", "rangeByScore", kAddBeside},
    CommutativityRule{"add", "size", "the item is there already"},
    CommutativityRule{"increment", "increment", "always; one that might leave 64 bits waits for the others"},
    CommutativityRule{"increment", "remove", kDifferentItems},
    CommutativityRule{"increment", "score", kDifferentItems},
    CommutativityRule{"increment", "rank",
                      "different items and the one asked for is not there, or the item stands behind it, whichever pending "
                      "increments commit, and no add or remove is pending"},
    CommutativityRule{"increment", "range", kIncrementBeside},
    CommutativityRule{"increment", "rangeByScore", kIncrementBeside},
    CommutativityRule{"increment", "size", "the item is there already"},
    CommutativityRule{"remove", "remove", kAlwaysRule},
    CommutativityRule{"remove", "score", "different items, or the item is not there"},
    CommutativityRule{"remove", "rank", "the item is not there, or different items and the one asked for is not there or stands before it"},
    CommutativityRule{"remove", "range", kRemoveBeside},
    CommutativityRule{"remove", "rangeByScore", kRemoveBeside},
    CommutativityRule{"remove", "size", "the item is not there"},
    CommutativityRule{"score", "score", kAlwaysRule},
    CommutativityRule{"score", "rank", kAlwaysRule},
    CommutativityRule{"score", "range", kAlwaysRule},
    CommutativityRule{"score", "rangeByScore", kAlwaysRule},
    CommutativityRule{"score", "size", kAlwaysRule},
    CommutativityRule{"rank", "rank", kAlwaysRule},
    CommutativityRule{"rank", "range", kAlwaysRule},
    CommutativityRule{"rank", "rangeByScore", kAlwaysRule},
    CommutativityRule{"rank", "size", kAlwaysRule},
    CommutativityRule{"range", "range", kAlwaysRule},
    CommutativityRule{"range", "rangeByScore", kAlwaysRule},
    CommutativityRule{"range", "size", kAlwaysRule},
    CommutativityRule{"rangeByScore", "rangeByScore", kAlwaysRule},
    CommutativityRule{"rangeByScore", "size", kAlwaysRule},
    CommutativityRule{"size", "size", kAlwaysRule},
};

struct Position {
  std::int64_t score;
  std::string_view item;

  auto operator<=>(const Position&) const = default;
};

Position position(const Value& entry) { return {entry.list()[1].integer(), entry.list()[0].text()}; }

// Where a position is in relation to the part of the ranking on which the result of a read depends. An item that appears or disappears
// within that part may change the result.
enum class Side : std::uint8_t { kBefore, kWithin, kBehind };

// Nothing depends on what is behind the last rank counted from the beginning, or before the first rank counted from the end.
Side side_of_range(const Held& range, const Position& position_) {
  const std::int64_t start = range.call->arguments[0].integer();
  const std::int64_t stop = range.call->arguments[1].integer();
  const Value::List& entries = range.result->list();
  if ((start < 0) != (stop < 0)) return Side::kWithin;
  if (stop < start) return Side::kBehind;
  const std::int64_t wanted = std::min(stop - start, kItemsMax - 1) + 1;
  if (std::cmp_less(entries.size(), wanted)) return Side::kWithin;
  if (start < 0) return stop - start < kItemsMax && position_ < position(entries.front()) ? Side::kBefore : Side::kWithin;
  return position_ > position(entries.back()) ? Side::kBehind : Side::kWithin;
}

Side side_of_range_by_score(const Held& range, const Position& position_) {
  const std::vector<Value>& arguments = range.call->arguments;
  const std::int64_t min = arguments[0].integer();
  if (position_.score < min) return Side::kBefore;
  if (position_.score > arguments[1].integer()) return Side::kBehind;
  const Value& after = arguments[3];
  if (!after.absent() && position_.score == min && position_.item <= after.text()) return Side::kBefore;
  const Value::List& entries = range.result->list();
  const bool page_is_full = !std::cmp_less(entries.size(), arguments[2].integer());
  return page_is_full && position_ > position(entries.back()) ? Side::kBehind : Side::kWithin;
}

Side side_of(const Held& read, const Position& position_, const ScoredSetState& committed) {
  switch (read.call->operation->id) {
    case kRange:
      return side_of_range(read, position_);
    case kRangeByScore:
      return side_of_range_by_score(read, position_);
    default: {  // rank
      const std::string& item = read.call->arguments[0].text();
      const std::optional<std::int64_t> score = committed.ranking.score(item);
      return score.has_value() && position_ <= Position{*score, item} ? Side::kWithin : Side::kBehind;
    }
  }
}

bool covers(const Held& read, const Position& position_, const ScoredSetState& committed) {
  return side_of(read, position_, committed) == Side::kWithin;
}

std::int64_t within_64_bits(absl::int128 number) {
  using Limits = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<absl::int128>(number, Limits::min(), Limits::max()));
}

// Does the item stand on one side of what was read, whichever of its increments commit?
bool stays_beside(const Held& read, const Call& increment, std::int64_t score, const ScoredSetState& committed) {
  if (committed.replacing > 0) return false;
  const std::string& item = increment.arguments[0].text();
  const std::int64_t n = increment.arguments[1].integer();
  const Escrow pending = committed.pending.of(item);
  const Side lowest = side_of(read, {within_64_bits(pending.worst(score) + std::min<std::int64_t>(n, 0)), item}, committed);
  const Side highest = side_of(read, {within_64_bits(pending.best(score) + std::max<std::int64_t>(n, 0)), item}, committed);
  return lowest == highest && lowest != Side::kWithin;
}

bool change_commutes_with_read(const Held& change, const Held& read, const ScoredSetState& committed) {
  const std::vector<Value>& arguments = change.call->arguments;
  const std::string& item = arguments[0].text();
  const std::uint8_t id = change.call->operation->id;
  const std::optional<std::int64_t> old_score = committed.ranking.score(item);
  if (id == kAddItem && old_score == arguments[1].integer()) return true;  // changes nothing
  if (id == kRemoveItem && !old_score) return true;

  const std::uint8_t read_id = read.call->operation->id;
  if (read_id == kSize) return id != kRemoveItem && old_score.has_value();
  if (read_id == kScore) return read.call->arguments[0].text() != item;
  if (read_id == kRank && read.call->arguments[0].text() == item) return false;
  if (read_id == kRank && read.result->absent()) return true;
  if (id == kIncrementBy) return stays_beside(read, *change.call, old_score.value_or(0), committed);
  if (old_score && covers(read, {*old_score, item}, committed)) return false;
  return id == kRemoveItem || !covers(read, {arguments[1].integer(), item}, committed);
}

bool replaces(const Call& call) { return call.operation->id == kAddItem || call.operation->id == kRemoveItem; }

// The effect of a transaction's earlier calls on the score of an item that the transaction is about to increment.
OwnSteps own_steps(const std::string& item, std::span<const Held> own) {
  OwnSteps steps;
  for (const Held& held : own) {
    const std::vector<Value>& arguments = held.call->arguments;
    if (held.call->operation->mode == kRead || arguments[0].text() != item) continue;
    switch (held.call->operation->id) {
      case kAddItem:
        steps.replace(arguments[1].integer());
        break;
      case kRemoveItem:
        steps.replace(0);
        break;
      default:
        steps.add(arguments[1].integer());
    }
  }
  return steps;
}

Escrow::Verdict judge(const ScoredSetState& state, const Call& increment, std::span<const Held> own) {
  const std::string& item = increment.arguments[0].text();
  return state.pending.judge(item, state.ranking.score(item).value_or(0), increment.arguments[1].integer(), own_steps(item, own));
}

// ---- Parts ------------------------------------------------------------------------------------------------------------

struct RanksBefore {
  bool operator()(const RankedSet::Entry& one, const RankedSet::Entry& other) const {
    return one.score != other.score ? one.score < other.score : one.item < other.item;
  }
};

class ScoredSetParts final : public OrderedParts<RankedSet::Entry, Nothing, RanksBefore> {
 public:
  explicit ScoredSetParts(const ScoredSetState& state) : OrderedParts(state.ranking.size()), ranking_(state.ranking) {}

  void before(const Call& call) override {
    if (call.operation->mode == kRead) return;
    const std::string& item = call.arguments[0].text();
    const std::optional<std::int64_t> score = ranking_.score(item);
    if (score) note({*score, item}, &kThere);
    if (call.operation->id == kAddItem) note({call.arguments[1].integer(), item}, nullptr);
    if (call.operation->id == kIncrementBy) note({score.value_or(0) + call.arguments[1].integer(), item}, nullptr);
  }

  void before_undo(const Call& call, const Value& kept) override {
    if (call.operation->mode == kRead) return;
    const std::string& item = call.arguments[0].text();
    const std::optional<std::int64_t> score = ranking_.score(item);
    if (score) note({*score, item}, &kThere);
    if (!kept.absent()) note({kept.integer(), item}, nullptr);
  }

 private:
  void visit_behind(const RankedSet::Entry* passed, Visit visit) const override {
    std::size_t rank = 0;
    if (passed != nullptr) {
      rank = ranking_.count_before(passed->score, passed->item) + (ranking_.score(passed->item) == passed->score ? 1 : 0);
    }
    ranking_.visit_from(rank, [&](const RankedSet::Entry& entry) { return visit(entry, {}); });
  }
  void write(StateWriter& writer, const RankedSet::Entry& entry, const Nothing&) const override {
    writer.text(entry.item);
    writer.integer(entry.score);
  }

  const RankedSet& ranking_;
};

class ScoredSet final : public TypeOf<ScoredSetState> {
 public:
  std::uint8_t id() const override { return 6; }
  std::string_view name() const override { return "ScoredSet"; }
  std::string_view meaning() const override { return "Items ranked by an integer score, lowest first."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const resp::CommandSpec> commands() const override { return scored_set_commands(); }
  std::string_view redis_type() const override { return "zset"; }

  Relation relation(Mode first, Mode second) const override {
    return first == second && first != kAdd ? Relation::kAlways : Relation::kDepends;
  }

 protected:
  bool commutes(const Held& first, const Held& second, const ScoredSetState& committed) const override {
    if (first.call->operation->mode == kRead) return change_commutes_with_read(second, first, committed);
    if (second.call->operation->mode == kRead) return change_commutes_with_read(first, second, committed);
    const std::vector<Value>& a = first.call->arguments;
    const std::vector<Value>& b = second.call->arguments;
    const bool both_add = first.call->operation->id == kAddItem && second.call->operation->id == kAddItem;
    return a[0] != b[0] || (both_add && a[1] == b[1]);
  }

  bool is_empty(const ScoredSetState& state) const override { return state.ranking.size() == 0; }

  Outcome execute(const ScoredSetState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    const RankedSet& ranking = state.ranking;
    switch (call.operation->id) {
      case kIncrementBy:
        if (judge(state, call, own) != Escrow::Verdict::kOutOfRange) return {};
        return Refusal{errors::kOutOfRange, "the score would leave 64 bits"};
      case kScore: {
        const std::optional<std::int64_t> score = ranking.score(call.arguments[0].text());
        return score ? Value(*score) : Value();
      }
      case kRank: {
        const std::string& item = call.arguments[0].text();
        const std::optional<std::int64_t> score = ranking.score(item);
        return score ? Value(static_cast<std::int64_t>(ranking.count_before(*score, item))) : Value();
      }
      case kRange:
        return range(ranking, call.arguments[0].integer(), call.arguments[1].integer());
      case kRangeByScore:
        return range_by_score(ranking, call.arguments);
      case kSize:
        return Value(static_cast<std::int64_t>(ranking.size()));
      default:
        return {};
    }
  }

  static Value pair(const RankedSet::Entry& entry) { return Value::List{Value(entry.item), Value(entry.score)}; }

  static Value range(const RankedSet& ranking, std::int64_t start, std::int64_t stop) {
    const auto size = static_cast<std::int64_t>(ranking.size());
    const std::int64_t first = start < 0 ? std::max<std::int64_t>(0, size + start) : start;
    const std::int64_t last = std::min(stop < 0 ? size + stop : stop, size - 1);
    Value::List entries;
    if (first > last) return entries;
    const std::int64_t count = std::min(last - first + 1, kItemsMax);
    ranking.visit_from(static_cast<std::size_t>(first), [&](const RankedSet::Entry& entry) {
      entries.push_back(pair(entry));
      return std::cmp_less(entries.size(), count);
    });
    return entries;
  }

  static Outcome range_by_score(const RankedSet& ranking, const std::vector<Value>& arguments) {
    const std::int64_t min = arguments[0].integer();
    const std::int64_t max = arguments[1].integer();
    const std::int64_t limit = arguments[2].integer();
    const Value& after = arguments[3];
    if (auto refusal = check_page_size(limit)) return *refusal;
    if (auto refusal = check_optional_text(after, "after")) return *refusal;
    std::size_t rank = ranking.count_before(min, after.absent() ? std::string_view() : after.text());
    if (!after.absent() && ranking.score(after.text()) == min) ++rank;
    Value::List entries;
    ranking.visit_from(rank, [&](const RankedSet::Entry& entry) {
      if (entry.score > max) return false;
      entries.push_back(pair(entry));
      return std::cmp_less(entries.size(), limit);
    });
    return Value(std::move(entries));
  }

  Reservation reserve(ScoredSetState& state, const Call& call, const Value&, std::span<const Held> own) const override {
    if (replaces(call)) ++state.replacing;
    if (call.operation->id != kIncrementBy) return Reservation::kYes;
    if (judge(state, call, own) != Escrow::Verdict::kFits) return Reservation::kWait;
    state.pending.take(call.arguments[0].text(), call.arguments[1].integer());
    return Reservation::kYes;
  }

  void release(ScoredSetState& state, const Call& call, const Value&) const override {
    if (replaces(call)) --state.replacing;
    if (call.operation->id != kIncrementBy) return;
    state.pending.give_back(call.arguments[0].text(), call.arguments[1].integer());
  }

  void commit(ScoredSetState& state, const Call& call, const Value&) const override {
    switch (call.operation->id) {
      case kAddItem:
        state.ranking.set(call.arguments[0].text(), call.arguments[1].integer());
        break;
      case kIncrementBy: {
        const std::string& item = call.arguments[0].text();
        state.ranking.set(item, state.ranking.score(item).value_or(0) + call.arguments[1].integer());
        break;
      }
      case kRemoveItem:
        state.ranking.erase(call.arguments[0].text());
        break;
    }
  }

  // The item's score.
  Value before(const ScoredSetState& state, const Call& call, const Value&) const override {
    if (call.operation->mode == kRead) return {};
    const std::optional<std::int64_t> score = state.ranking.score(call.arguments[0].text());
    return score ? Value(*score) : Value();
  }

  void undo(ScoredSetState& state, const Call& call, const Value&, const Value& kept) const override {
    if (call.operation->mode == kRead) return;
    if (kept.absent()) {
      state.ranking.erase(call.arguments[0].text());
    } else {
      state.ranking.set(call.arguments[0].text(), kept.integer());
    }
  }

  // ---- Encoding: count, then (text item, integer score) by rank ----------------------------------------------------------

  void encode(const ScoredSetState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.ranking.size());
    state.ranking.visit_from(0, [&](const RankedSet::Entry& entry) {
      writer.text(entry.item);
      writer.integer(entry.score);
      return true;
    });
  }

  std::unique_ptr<StateParts> parts(const ScoredSetState& state) const override { return std::make_unique<ScoredSetParts>(state); }

  bool add_part(ScoredSetState& state, StateReader& reader) const override {
    std::vector<std::pair<std::string, std::int64_t>> entries;
    absl::flat_hash_set<std::string_view> seen;  // looked up, never iterated
    while (reader.more()) {
      std::string item = reader.text();
      const std::int64_t score = reader.integer();
      if (state.ranking.score(item)) return false;
      entries.emplace_back(std::move(item), score);
    }
    for (const auto& [item, score] : entries) {
      if (!seen.insert(item).second) return false;
    }
    if (reader.failed()) return false;
    for (const auto& [item, score] : entries) state.ranking.set(item, score);
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<ScoredSetState>();
    StateReader reader(bytes);
    const std::uint64_t count = reader.count();
    for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
      const std::string item = reader.text();
      state->ranking.set(item, reader.integer());
    }
    if (!reader.complete() || state->ranking.size() != count) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& scored_set_type() {
  static const ScoredSet type;
  return type;
}

}  // namespace claret

// List: a sequence of scalars, quick at both ends and by index; a queue, a stack, or the latest of something.
//
// State: the elements, in order. A list whose last element is gone is an empty record.
// Results: `append` and `prepend` add at an end and answer nothing; `pushBack` and `pushFront` do the same and answer the length. What adds at
// the front puts each value in front of the one before it: of a, b, c, c stands first. Pops answer what they remove. `range`, `at`, `length`
// and `positionOf` read. Elements are equal only if their kinds are: 1, 1.0 and "1" differ.
//
// Why it commutes: the two ends are independent as long as nobody has met the other end on its way. An append and a prepend always go
// together, and so do an append and a popFront that finds all it asks for: producers and consumers of a queue pass each other. Two appends do
// not, since their order would show, unless all their values are equal. A read of the first elements does not notice what happens behind
// them, and indices that count from the back do not notice the front (list_footprint.h). What edits the list in between goes with nothing.
#include <algorithm>
#include <string>

#include "adt/adt.h"
#include "adt/list_footprint.h"
#include "adt/list_items.h"
#include "adt/list_operations.h"
#include "adt/list_parts.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "ground/errors.h"

namespace claret {

namespace {

using namespace list;

Refusal out_of_range(std::string message) { return {errors::kOutOfRange, std::move(message)}; }

// An operation that counts from an end would mean other elements at its commit than those that it was executed on.
std::optional<Refusal> check_own(End end, std::span<const Held> own) {
  const auto moves = [&](const Held& held) {
    const Call& call = *held.call;
    if (pushes(call)) return end_of(call) == end;
    return pops(call) || call.operation->mode == kEdit;
  };
  if (std::none_of(own.begin(), own.end(), moves)) return std::nullopt;
  return out_of_range("the transaction has already moved the elements that this counts");
}

class List final : public TypeOf<ListState> {
 public:
  std::uint8_t id() const override { return 11; }
  std::string_view name() const override { return "List"; }
  std::string_view meaning() const override {
    return "A sequence of values. Some transactions add at one end while others take from the other end.";
  }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const resp::CommandSpec> commands() const override { return list_commands(); }
  std::string_view redis_type() const override { return "list"; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const ListState& committed) const override {
    return Footprint(first, committed).commutes_with(Footprint(second, committed), committed);
  }

  // ---- Execute ----------------------------------------------------------------------------------------------------------

  bool is_empty(const ListState& state) const override { return state.elements.empty(); }

  Outcome execute(const ListState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    const auto length = static_cast<std::int64_t>(state.size());
    if (pushes(call)) return push(call, length);
    if (pops(call)) return pop(state, call, own);
    switch (call.operation->id) {
      case kSetAt:
        return check_set_at(call.arguments[0].integer(), state.size(), own);
      case kInsert:
        if (length == 0) return Value(std::int64_t{0});
        return Value(place_of_insert(state, call) ? length + 1 : -1);
      case kRemoveEqual:
        return Value(static_cast<std::int64_t>(places_to_remove(state, call).size()));
      case kRange: {
        const Section section = section_of(call.arguments[0].integer(), call.arguments[1].integer(), state.size());
        const auto begin = state.elements.begin() + static_cast<std::ptrdiff_t>(section.begin);
        return Value(Value::List(begin, begin + std::min(static_cast<std::int64_t>(section.size()), kElementsMax)));
      }
      case kAt: {
        const auto place = place_of(call.arguments[0].integer(), state.size());
        return place ? state.elements[*place] : Value();
      }
      case kLength:
        return Value(length);
      case kPositionOf:
        return positions(state, call);
      default:
        return {};
    }
  }

  static Outcome push(const Call& call, std::int64_t length) {
    if (call.operation->result == Kind::kVoid) return {};
    if (length == 0 && pushes_if_present(call)) return Value(std::int64_t{0});
    return Value(length + static_cast<std::int64_t>(call.arguments[0].list().size()));
  }

  static Outcome pop(const ListState& state, const Call& call, std::span<const Held> own) {
    const std::int64_t count = call.arguments[0].integer();
    if (count < 1 || count > kElementsMax) {
      return out_of_range("asks for " + std::to_string(count) + " elements; 1 to " + std::to_string(kElementsMax) + " are possible");
    }
    if (auto refusal = check_own(end_of(call), own)) return *refusal;
    const auto taken = std::min(count, static_cast<std::int64_t>(state.size()));
    if (end_of(call) == End::kBack) return Value(Value::List(state.elements.rbegin(), state.elements.rbegin() + taken));
    return Value(Value::List(state.elements.begin(), state.elements.begin() + taken));
  }

  static Outcome check_set_at(std::int64_t index, std::size_t size, std::span<const Held> own) {
    if (auto refusal = check_own(index < 0 ? End::kBack : End::kFront, own)) return *refusal;
    if (place_of(index, size)) return {};
    return out_of_range("there is no element " + std::to_string(index) + " of " + std::to_string(size));
  }

  static Outcome positions(const ListState& state, const Call& call) {
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
      const Value& value = call.arguments[i];
      const std::string name(kPositionOfParameters[i].name);
      if (!value.absent() && !value.is_integer()) return Refusal{errors::kWrongArgumentType, "`" + name + "` must be an integer or absent"};
      if (i > 1 && !value.absent() && value.integer() < 0) return out_of_range("`" + name + "` is negative");
    }
    const Search search(call, state.size());
    if (search.rank == 0) return out_of_range("`rank` is 0; 1 is the first match, -1 the last one");
    std::uint64_t skipped = (search.rank < 0 ? from_back(search.rank) : static_cast<std::uint64_t>(search.rank)) - 1;
    Value::List found;
    for (std::size_t i = 0; i < search.looked_at && found.size() < search.wanted; ++i) {
      const std::size_t place = search.rank < 0 ? state.size() - 1 - i : i;
      if (state.elements[place] != call.arguments[0]) continue;
      if (skipped > 0) {
        --skipped;
      } else {
        found.emplace_back(static_cast<std::int64_t>(place));
      }
    }
    return Value(std::move(found));
  }

  // ---- Commit and undo --------------------------------------------------------------------------------------------------

  // What a transaction's earlier calls have left may differ from what the call was executed on: a pop never removes more than it has answered.
  void commit(ListState& state, const Call& call, const Value& result) const override {
    if (pushes(call) && adds(call, result)) return add(state, end_of(call), call.arguments[0].list());
    if (pops(call)) return drop(state, end_of(call), popped(state, result));
    switch (call.operation->id) {
      case kSetAt:
        if (const auto place = place_of(call.arguments[0].integer(), state.size())) state.elements[*place] = call.arguments[1];
        return;
      case kInsert:
        if (const auto place = place_of_insert(state, call)) state.elements.insert(at(state, *place), call.arguments[1]);
        return;
      case kRemoveEqual:
        return remove_places(state.elements, places_to_remove(state, call));
      case kTrim: {
        const Section kept = trimmed_to(call, state.size());
        drop(state, End::kBack, state.size() - kept.end);
        return drop(state, End::kFront, kept.begin);
      }
    }
  }

  static std::size_t popped(const ListState& state, const Value& result) { return std::min(result.list().size(), state.size()); }

  static std::deque<Value>::iterator at(ListState& state, std::size_t place) {
    return state.elements.begin() + static_cast<std::ptrdiff_t>(place);
  }

  // At the front, the last value becomes the first element.
  static void add(ListState& state, End end, const Value::List& values) {
    if (end == End::kBack) {
      state.elements.insert(state.elements.end(), values.begin(), values.end());
    } else {
      state.elements.insert(state.elements.begin(), values.rbegin(), values.rend());
      state.first_number -= static_cast<std::int64_t>(values.size());
    }
  }

  static void drop(ListState& state, End end, std::size_t count) {
    if (end == End::kBack) {
      state.elements.erase(at(state, state.size() - count), state.elements.end());
    } else {
      state.elements.erase(state.elements.begin(), at(state, count));
      state.first_number += static_cast<std::int64_t>(count);
    }
  }

  // The elements as a pop from that end answers them, the outermost first.
  static Value::List outermost(const ListState& state, End end, std::size_t count) {
    const auto number = static_cast<std::ptrdiff_t>(count);
    if (end == End::kBack) return {state.elements.rbegin(), state.elements.rbegin() + number};
    return {state.elements.begin(), state.elements.begin() + number};
  }

  static void put_back_at(ListState& state, End end, const Value::List& outermost) {
    add(state, end, {outermost.rbegin(), outermost.rend()});
  }

  // Of a pop, what it removes, unless that is its result; of a setAt, the element; of an insert, its place; of a removeEqual, the places: one,
  // or a list of several; of a trim, the elements that it removes from each end. Absent if nothing else is needed.
  Value before(const ListState& state, const Call& call, const Value& result) const override {
    switch (call.operation->id) {
      case kPopFront:
      case kPopBack: {
        Value removed(outermost(state, end_of(call), popped(state, result)));
        return removed == result ? Value() : removed;
      }
      case kSetAt: {
        const auto place = place_of(call.arguments[0].integer(), state.size());
        return place ? state.elements[*place] : Value();
      }
      case kInsert: {
        const auto place = place_of_insert(state, call);
        return place ? Value(static_cast<std::int64_t>(*place)) : Value();
      }
      case kRemoveEqual:
        return as_value(places_to_remove(state, call));
      case kTrim: {
        const Section kept = trimmed_to(call, state.size());
        if (kept.size() == state.size()) return {};
        return Value::List{outermost(state, End::kFront, kept.begin), outermost(state, End::kBack, state.size() - kept.end)};
      }
      default:
        return {};
    }
  }

  static Value as_value(const std::vector<std::size_t>& places) {
    if (places.empty()) return {};
    if (places.size() == 1) return Value(static_cast<std::int64_t>(places[0]));
    Value::List kept;
    for (const std::size_t place : places) kept.emplace_back(static_cast<std::int64_t>(place));
    return Value(std::move(kept));
  }

  void undo(ListState& state, const Call& call, const Value& result, const Value& kept) const override {
    if (pushes(call) && adds(call, result)) return drop(state, end_of(call), call.arguments[0].list().size());
    if (pops(call)) return put_back_at(state, end_of(call), kept.is_list() ? kept.list() : result.list());
    if (kept.absent()) return;
    switch (call.operation->id) {
      case kSetAt:
        if (const auto place = place_of(call.arguments[0].integer(), state.size())) state.elements[*place] = kept;
        return;
      case kInsert:
        state.elements.erase(at(state, static_cast<std::size_t>(kept.integer())));
        return;
      case kRemoveEqual:
        return put_back(state.elements, ListParts::kept_places(kept), call.arguments[1]);
      case kTrim:
        put_back_at(state, End::kFront, kept.list()[0].list());
        return put_back_at(state, End::kBack, kept.list()[1].list());
    }
  }

  // ---- Encoding: count, then values in order ------------------------------------------------------------------------------

  void encode(const ListState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.size());
    for (const Value& element : state.elements) writer.value(element);
  }

  std::unique_ptr<StateParts> parts(const ListState& state) const override { return std::make_unique<ListParts>(state); }

  bool add_part(ListState& state, StateReader& reader) const override {
    Value::List elements;
    while (reader.more()) {
      elements.push_back(reader.value());
      if (elements.back().absent()) return false;
    }
    if (reader.failed()) return false;
    add(state, End::kBack, elements);
    return true;
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<ListState>();
    StateReader reader(bytes);
    for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left) {
      state->elements.push_back(reader.value());
      if (state->elements.back().absent()) return nullptr;
    }
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& list_type() {
  static const List type;
  return type;
}

}  // namespace claret

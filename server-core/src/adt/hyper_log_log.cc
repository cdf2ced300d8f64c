// HyperLogLog: the approximate number of distinct texts added, in at most 16 KiB.
//
// State: 16,384 registers. A text's hash picks one register and may raise it to a rank (structure/distinct_sketch.h). The texts are not
// kept.
// Results: `count` returns the estimate, with a standard error of 0.8 %. `add` returns nothing, not even whether the text was new.
//
// Why it commutes: a register keeps its maximum rank, and a maximum does not depend on order or repetition. No register ever falls, so an
// add that raises no register now never will, and `count` commutes with it. Under load this is the common case: a text that was counted
// already changes nothing.
#include <array>

#include "adt/adt.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "structure/distinct_sketch.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct HyperLogLogState final : State {
  DistinctSketch sketch;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddText = 1, kCount };
enum Modes : Mode { kRead, kAdd };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the estimate"},
    ModeSpec{"add", "adds a text"},
};

constexpr std::array kAddParameters = {
    Parameter{"text", Kind::kText, "the text"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddText, "add", kAddParameters, Kind::kVoid, OperationClass::kMutate, kAdd,
                  "Adds the text. Nothing changes if it was added before."},
    OperationSpec{kCount,
                  "count",
                  {},
                  Kind::kInteger,
                  OperationClass::kObserve,
                  kRead,
                  "The approximate number of distinct texts added; the standard error is 0.8 %."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "always"},
    CommutativityRule{"add", "count", "the text raises no register, as when it was added before"},
    CommutativityRule{"count", "count", "always"},
};

DistinctSketch::Mark mark_of(const Call& add) { return DistinctSketch::mark_of(add.arguments[0].text()); }

class HyperLogLog final : public TypeOf<HyperLogLogState> {
 public:
  std::uint8_t id() const override { return 10; }
  std::string_view name() const override { return "HyperLogLog"; }
  std::string_view meaning() const override { return "Counts distinct texts approximately, in 16 KiB at most."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const resp::CommandSpec> commands() const override { return hyper_log_log_commands(); }

  Relation relation(Mode first, Mode second) const override { return first == second ? Relation::kAlways : Relation::kDepends; }

 protected:
  // REQUIRES: one is an add, the other a count.
  bool commutes(const Held& first, const Held& second, const HyperLogLogState& committed) const override {
    const Call& add = first.call->operation->id == kAddText ? *first.call : *second.call;
    const DistinctSketch::Mark mark = mark_of(add);
    return mark.rank <= committed.sketch.rank(mark.index);
  }

  Outcome execute(const HyperLogLogState& state, const Call& call, std::span<const Held>, const Context&) const override {
    if (call.operation->id == kAddText) return {};
    return Value(state.sketch.estimate());
  }

  void commit(HyperLogLogState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddText) state.sketch.add(mark_of(call));
  }

  // The rank of the text's register.
  Value before(const HyperLogLogState& state, const Call& call, const Value&) const override {
    if (call.operation->id != kAddText) return {};
    return Value(std::int64_t{state.sketch.rank(mark_of(call).index)});
  }

  void undo(HyperLogLogState& state, const Call& call, const Value&, const Value& kept) const override {
    if (call.operation->id == kAddText) state.sketch.lower(mark_of(call).index, static_cast<std::uint8_t>(kept.integer()));
  }

  // ---- Encoding: count, then (count index, count rank) of each register that is not 0, by index ------------------------

  void encode(const HyperLogLogState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.count(state.sketch.used());
    state.sketch.visit([&](const DistinctSketch::Mark& mark) {
      writer.count(mark.index);
      writer.count(mark.rank);
    });
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<HyperLogLogState>();
    StateReader reader(bytes);
    const std::uint64_t used = reader.count();
    if (used > DistinctSketch::kRegisters) return nullptr;
    std::uint64_t next = 0;  // the smallest index that may follow
    for (std::uint64_t i = 0; i < used && !reader.failed(); ++i) {
      const std::uint64_t index = reader.count();
      const std::uint64_t rank = reader.count();
      if (index < next || index >= DistinctSketch::kRegisters || rank < 1 || rank > DistinctSketch::kRankMax) return nullptr;
      state->sketch.add({static_cast<std::uint16_t>(index), static_cast<std::uint8_t>(rank)});
      next = index + 1;
    }
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& hyper_log_log_type() {
  static const HyperLogLog type;
  return type;
}

}  // namespace claret

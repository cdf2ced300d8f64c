// SummaryBag: statistics of the integers that were added; the integers themselves are not kept.
//
// State: count, sum, sum of squares, minimum and maximum of all integers added.
// Results: `count`, `mean`, `min`, `max` and `variance` read; `add` returns nothing.
//
// Why it commutes: sums, minimum and maximum do not depend on order, as long as they are exact. Sums of doubles are not ((a + b) + c rounds
// differently from a + (b + c)), so integers are kept, in 128 and 192 bits: 2^63 additions of 2^53, and of its square, fit. A `min`
// commutes with every add that is not below it, and continues to, since nothing ever raises the minimum.
#include <algorithm>
#include <array>

#include "adt/adt.h"
#include "adt/check.h"
#include "adt/state_codec.h"
#include "ground/errors.h"
#include "structure/wide_integer.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct SummaryBagState final : State {
  std::int64_t count = 0;
  std::uint64_t sum_low = 0;  // in two halves: an int128 would be aligned to 16 bytes
  std::int64_t sum_high = 0;
  WideInteger squares;
  std::int64_t min = 0;  // 0 while the count is 0
  std::int64_t max = 0;

  absl::int128 sum() const { return absl::MakeInt128(sum_high, sum_low); }
  void set_sum(absl::int128 sum) {
    sum_low = absl::Int128Low64(sum);
    sum_high = absl::Int128High64(sum);
  }

  void add(std::int64_t x) {
    min = count == 0 ? x : std::min(min, x);
    max = count == 0 ? x : std::max(max, x);
    ++count;
    set_sum(sum() + x);
    squares = squares + WideInteger(absl::int128(x) * x);
  }

  // The extreme that x is to replace; absent if there is none.
  Value replaced_by(std::int64_t x) const {
    if (count == 0 || (x >= min && x <= max)) return {};
    return Value(x < min ? min : max);
  }

  // The inverse of `add`; `kept` is what it replaced. The sums are exact, so nothing of x is left in them.
  void take_back(std::int64_t x, const Value& kept) {
    --count;
    set_sum(sum() - x);
    squares = squares - WideInteger(absl::int128(x) * x);
    if (count == 0) {
      min = max = 0;
    } else if (!kept.absent()) {
      (kept.integer() > x ? min : max) = kept.integer();
    }
  }

  // REQUIRES: count > 0. Whole and fractional part are computed separately, so that nothing is lost before the single rounding.
  double mean() const { return static_cast<double>(sum() / count) + fraction(); }

  // REQUIRES: count > 0. Computed around the whole part m of the mean: the sum of (x - m)^2 is an exact integer and as
  // small as the result, so nothing cancels.
  double variance() const {
    const WideInteger m(sum() / count);
    const WideInteger n{absl::int128(count)};
    const WideInteger deviations = squares - (m * WideInteger(sum()) + m * WideInteger(sum())) + n * m * m;
    return std::max(0.0, deviations.to_number() / static_cast<double>(count) - fraction() * fraction());
  }

 private:
  double fraction() const { return static_cast<double>(sum() % count) / static_cast<double>(count); }
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kAddTo = 1, kCount, kMean, kMin, kMax, kVariance };
enum Modes : Mode { kRead, kExtreme, kAdd };

constexpr std::array kModes = {
    ModeSpec{"read", "reads count, mean or variance"},
    ModeSpec{"extreme", "reads min or max"},
    ModeSpec{"add", "adds an integer"},
};

constexpr std::array kAddParameters = {
    Parameter{"x", Kind::kInteger, "from -2^53 to 2^53"},
};

constexpr std::array kOperations = {
    OperationSpec{kAddTo, "add", kAddParameters, Kind::kVoid, OperationClass::kMutate, kAdd, "Adds x. Refused (out_of_range) beyond 2^53."},
    OperationSpec{kCount, "count", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The number of integers added."},
    OperationSpec{kMean, "mean", {}, Kind::kOptional, OperationClass::kObserve, kRead, "The mean, a number; absent if there are none."},
    OperationSpec{
        kMin, "min", {}, Kind::kOptional, OperationClass::kObserve, kExtreme, "The smallest, an integer; absent if there are none."},
    OperationSpec{
        kMax, "max", {}, Kind::kOptional, OperationClass::kObserve, kExtreme, "The largest, an integer; absent if there are none."},
    OperationSpec{kVariance,
                  "variance",
                  {},
                  Kind::kOptional,
                  OperationClass::kObserve,
                  kRead,
                  "The population variance, a number; absent if there are none."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"add", "add", "always"},
    CommutativityRule{"add", "count", "never"},
    CommutativityRule{"add", "mean", "never"},
    CommutativityRule{"add", "min", "x is not below the least"},
    CommutativityRule{"add", "max", "x is not above the greatest"},
    CommutativityRule{"add", "variance", "never"},
    CommutativityRule{"count", "count", "always"},
    CommutativityRule{"count", "mean", "always"},
    CommutativityRule{"count", "min", "always"},
    CommutativityRule{"count", "max", "always"},
    CommutativityRule{"count", "variance", "always"},
    CommutativityRule{"mean", "mean", "always"},
    CommutativityRule{"mean", "min", "always"},
    CommutativityRule{"mean", "max", "always"},
    CommutativityRule{"mean", "variance", "always"},
    CommutativityRule{"min", "min", "always"},
    CommutativityRule{"min", "max", "always"},
    CommutativityRule{"min", "variance", "always"},
    CommutativityRule{"max", "max", "always"},
    CommutativityRule{"max", "variance", "always"},
    CommutativityRule{"variance", "variance", "always"},
};

constexpr Relation kAlways = Relation::kAlways, kNever = Relation::kNever, kDepends = Relation::kDepends;
constexpr Relation kRelations[3][3] = {
    // read     extreme    add
    {kAlways, kAlways, kNever},  // read
    {kAlways, kAlways, kDepends},  // extreme
    {kNever, kDepends, kAlways},  // add
};

bool add_commutes_with_extreme(const Call& add, const Held& extreme) {
  if (extreme.result->absent()) return false;
  const std::int64_t x = add.arguments[0].integer();
  const std::int64_t read = extreme.result->integer();
  return extreme.call->operation->id == kMin ? x >= read : x <= read;
}

class SummaryBag final : public TypeOf<SummaryBagState> {
 public:
  std::uint8_t id() const override { return 8; }
  std::string_view name() const override { return "SummaryBag"; }
  std::string_view meaning() const override {
    return "Statistics of integers: count, mean, min, max and variance. The integers are not kept.";
  }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }

  Relation relation(Mode first, Mode second) const override { return kRelations[first][second]; }

 protected:
  bool commutes(const Held& first, const Held& second, const SummaryBagState&) const override {
    if (first.call->operation->id == kAddTo) return add_commutes_with_extreme(*first.call, second);
    return add_commutes_with_extreme(*second.call, first);
  }

  Outcome execute(const SummaryBagState& state, const Call& call, std::span<const Held>, const Context&) const override {
    switch (call.operation->id) {
      case kAddTo: {
        const std::int64_t x = call.arguments[0].integer();
        if (x >= -kExactNumberMax && x <= kExactNumberMax) return {};
        return Refusal{errors::kOutOfRange, "x is beyond 2^53"};
      }
      case kCount:
        return Value(state.count);
      case kMean:
        return state.count == 0 ? Value() : Value(state.mean());
      case kMin:
        return state.count == 0 ? Value() : Value(state.min);
      case kMax:
        return state.count == 0 ? Value() : Value(state.max);
      default:
        return state.count == 0 ? Value() : Value(state.variance());
    }
  }

  void commit(SummaryBagState& state, const Call& call, const Value&) const override {
    if (call.operation->id == kAddTo) state.add(call.arguments[0].integer());
  }

  Value before(const SummaryBagState& state, const Call& call, const Value&) const override {
    return call.operation->id == kAddTo ? state.replaced_by(call.arguments[0].integer()) : Value();
  }

  void undo(SummaryBagState& state, const Call& call, const Value&, const Value& kept) const override {
    if (call.operation->id == kAddTo) state.take_back(call.arguments[0].integer(), kept);
  }

  // ---- Encoding: integers: count, sum (low, high), squares (3, low first), min, max ---------------------------------------

  void encode(const SummaryBagState& state, std::string& out) const override {
    StateWriter writer(out);
    writer.integer(state.count);
    writer.integer(static_cast<std::int64_t>(state.sum_low));
    writer.integer(state.sum_high);
    for (const std::uint64_t limb : state.squares.limbs()) writer.integer(static_cast<std::int64_t>(limb));
    writer.integer(state.min);
    writer.integer(state.max);
  }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<SummaryBagState>();
    StateReader reader(bytes);
    state->count = reader.integer();
    const auto low = static_cast<std::uint64_t>(reader.integer());
    state->set_sum(absl::MakeInt128(reader.integer(), low));
    WideInteger::Limbs limbs;
    for (std::uint64_t& limb : limbs) limb = static_cast<std::uint64_t>(reader.integer());
    state->squares = WideInteger(limbs);
    state->min = reader.integer();
    state->max = reader.integer();
    if (!reader.complete() || !plausible(*state)) return nullptr;
    return state;
  }

 private:
  static bool plausible(const SummaryBagState& state) {
    if (state.count == 0) return state.sum() == 0 && state.squares == WideInteger() && state.min == 0 && state.max == 0;
    return state.count > 0 && -kExactNumberMax <= state.min && state.min <= state.max && state.max <= kExactNumberMax &&
           state.sum() >= absl::int128(state.min) * state.count && state.sum() <= absl::int128(state.max) * state.count &&
           !state.squares.negative();
  }
};

}  // namespace

const DataType& summary_bag_type() {
  static const SummaryBag type;
  return type;
}

}  // namespace claret

// The laws of undo. Transactions are applied to a state ahead of their commits, one above the other, and taken back. Each is executed as a
// whole on the state without its own changes; then its changes are applied.
#include <rapidcheck.h>

#include <optional>
#include <ostream>

#include "adt/laws.h"

namespace claret::laws {

struct AheadStep {
  enum class What : std::uint8_t { kApply, kUndo, kWalk, kPart };
  What what;
  Transaction upper;  // is applied
  std::size_t bytes;  // of a part of each walk
};

struct Ahead {
  Scenario before;
  Transaction holder;  // holds its reservations all the time
  std::vector<AheadStep> steps;
  Transaction newcomer;  // asks for reservations at the end
};

struct Pile {
  Scenario before;
  std::vector<Transaction> uppers;
  std::size_t out;  // the one to be taken out; modulo their number
};

std::ostream& operator<<(std::ostream& out, const Ahead& ahead) {
  out << ahead.before << "\n  holds: " << ahead.holder.calls;
  for (const AheadStep& step : ahead.steps) {
    switch (step.what) {
      case AheadStep::What::kApply:
        out << "\n  applied: " << step.upper.calls;
        break;
      case AheadStep::What::kUndo:
        out << "\n  the newest operation is undone";
        break;
      case AheadStep::What::kWalk:
        out << "\n  a walk begins";
        break;
      case AheadStep::What::kPart:
        out << "\n  each walk yields a part of " << step.bytes << " bytes";
    }
  }
  return out << "\n  at the end comes: " << ahead.newcomer.calls;
}

std::ostream& operator<<(std::ostream& out, const Pile& pile) {
  out << pile.before;
  for (const Transaction& upper : pile.uppers) out << "\n  applied: " << upper.calls;
  return out << "\n  taken out: " << pile.out;
}

namespace {

constexpr int kStepsMax = 12;
constexpr int kUppersMax = 5;
constexpr std::size_t kCallsMax = 3;

Scenario draw_before(const DataType& type) {
  const OperationSpec& any = type.operations().front();
  Scenario before = draw_scenario(type, any, any);
  before.steps.clear();
  return before;
}

Transaction draw_upper(const DataType& type) { return draw_transaction(type, nullptr, kCallsMax); }

Ahead draw_ahead(const DataType& type) {
  Ahead ahead{draw_before(type), draw_transaction(type, nullptr, kCallsMax), {}, {}};
  ahead.steps = draw_up_to<AheadStep>(kStepsMax, [&type] {
    using What = AheadStep::What;
    const What what = *rc::gen::weightedElement<What>({{4, What::kApply}, {3, What::kUndo}, {1, What::kWalk}, {2, What::kPart}});
    return AheadStep{what, draw_upper(type), *rc::gen::inRange<std::size_t>(1, 200)};
  });
  ahead.newcomer = draw_transaction(type, nullptr, kCallsMax);
  return ahead;
}

Pile draw_pile(const DataType& type) {
  return {draw_before(type), draw_up_to<Transaction>(kUppersMax, [&type] { return draw_upper(type); }),
          *rc::gen::inRange<std::size_t>(0, kUppersMax)};
}

std::string name_of(const Call& call) { return std::string(call.operation->name); }

std::string bytes_of(const DataType& type, const State& state) {
  std::string bytes;
  type.encode(state, bytes);
  return bytes;
}

// Executes all calls and takes their reservations. Null if one is refused or would have to wait; then the transaction holds nothing.
class Admitted {
 public:
  static std::optional<Admitted> to(const DataType& type, State& state, const Transaction& transaction, const Context& context) {
    Admitted admitted(type, transaction);
    for (const Call& call : transaction.calls) {
      const std::vector<Held> own = admitted.held();
      Outcome outcome = type.execute(state, call, own, context);
      if (!outcome.refused() && type.reserve(state, call, outcome.result(), own) == DataType::Reservation::kYes) {
        admitted.results.push_back(outcome.take_result());
        continue;
      }
      admitted.release(state);
      return std::nullopt;
    }
    return admitted;
  }

  void release(State& state) const {
    for (const Held& one : held()) type_.release(state, *one.call, *one.result);
  }

  std::vector<Value> results{};

 private:
  Admitted(const DataType& type, const Transaction& transaction) : type_(type), calls_(transaction.calls) {}

  std::vector<Held> held() const {
    std::vector<Held> held;
    for (std::size_t i = 0; i < results.size(); ++i) held.push_back({&calls_[i], &results[i]});
    return held;
  }

  const DataType& type_;
  const std::vector<Call>& calls_;
};

using Results = std::optional<std::vector<Value>>;  // null: not admitted

// A state, and what was applied to it.
class Tip {
 public:
  Tip(const DataType& type, std::unique_ptr<State> state, UndoTally& tally)
      : type_(type), state_(std::move(state)), can_grow_(type.parts(*state_) != nullptr), tally_(tally) {}

  // Applies the transaction if it is admitted.
  Results apply(const Transaction& transaction) {
    const std::optional<Admitted> admitted = Admitted::to(type_, *state_, transaction, context_);
    if (!admitted) return std::nullopt;
    admitted->release(*state_);
    for (std::size_t i = 0; i < transaction.calls.size(); ++i) {
      const Call& call = transaction.calls[i];
      for (Walk& walk : walks_) walk.parts->before(call);
      std::string bytes_before = bytes();
      Value kept = type_.before(*state_, call, admitted->results[i]);
      if (can_grow_ && kept == Value(bytes_before)) RC_FAIL("undo: all of a state that can grow is kept");
      type_.commit(*state_, call, admitted->results[i]);
      applied_.push_back({&call, admitted->results[i], std::move(kept), std::move(bytes_before)});
    }
    return admitted->results;
  }

  std::size_t applied() const { return applied_.size(); }

  // Undoes operations, the newest first, until so many are left.
  void undo_to(std::size_t left) {
    for (; applied_.size() > left; applied_.pop_back()) {
      const Applied& newest = applied_.back();
      for (Walk& walk : walks_) walk.parts->before_undo(*newest.call, newest.kept);
      const bool changed = bytes() != newest.bytes_before;
      type_.undo(*state_, *newest.call, newest.result, newest.kept);
      if (bytes() != newest.bytes_before) RC_FAIL("undo: other bytes than before " + name_of(*newest.call));
      tally_.undone += changed ? 1 : 0;
      tally_.undone_in_walk += changed && !walks_.empty() ? 1 : 0;
    }
  }

  void begin_walk() {
    if (auto parts = type_.parts(*state_)) walks_.push_back({std::move(parts), bytes(), {}});
  }

  void take_parts(std::size_t bytes_wanted) {
    std::erase_if(walks_, [&](Walk& walk) {
      if (walk.parts->next(bytes_wanted, walk.bytes)) return false;
      if (walk.bytes != walk.expected) RC_FAIL("undo: a walk yields other bytes than the state had when it began");
      return true;
    });
  }

  bool walked() const { return !walks_.empty(); }
  std::string bytes() const { return bytes_of(type_, *state_); }
  State& state() { return *state_; }
  const Context& context() const { return context_; }

 private:
  struct Walk {
    std::unique_ptr<StateParts> parts;
    std::string expected;
    std::string bytes;
  };
  struct Applied {
    const Call* call;
    Value result;
    Value kept;
    std::string bytes_before;
  };

  const DataType& type_;
  std::unique_ptr<State> state_;
  const bool can_grow_;
  UndoTally& tally_;
  const Context context_{1};
  std::vector<Applied> applied_;
  std::vector<Walk> walks_;
};

// Equal but for what is fresh.
bool agree(const Transaction& transaction, const Results& some, const Results& others) {
  if (!some || !others) return !some && !others;
  for (std::size_t i = 0; i < transaction.calls.size(); ++i) {
    if (!transaction.calls[i].operation->fresh && (*some)[i] != (*others)[i]) return false;
  }
  return true;
}

void check_undo(const Ahead& ahead, UndoTally& tally) {
  const DataType& type = *ahead.before.type;
  Tip tip(type, build_state(ahead.before), tally);
  const bool holds = Admitted::to(type, tip.state(), ahead.holder, tip.context()).has_value();
  for (const AheadStep& step : ahead.steps) {
    switch (step.what) {
      case AheadStep::What::kApply:
        tip.apply(step.upper);
        break;
      case AheadStep::What::kUndo:
        if (tip.applied() > 0) tip.undo_to(tip.applied() - 1);
        break;
      case AheadStep::What::kWalk:
        tip.begin_walk();
        break;
      case AheadStep::What::kPart:
        tip.take_parts(step.bytes);
    }
  }
  tip.undo_to(0);
  while (tip.walked()) tip.take_parts(1);

  Tip twin(type, build_state(ahead.before), tally);
  if (holds) Admitted::to(type, twin.state(), ahead.holder, twin.context());
  if (!agree(ahead.newcomer, tip.apply(ahead.newcomer), twin.apply(ahead.newcomer))) RC_FAIL("undo: another reservation");
}

void check_take_out(const Pile& pile, UndoTally& tally) {
  if (pile.uppers.empty()) return;
  const DataType& type = *pile.before.type;
  const std::size_t out = pile.out % pile.uppers.size();
  Tip tip(type, build_state(pile.before), tally);
  Tip twin(type, build_state(pile.before), tally);
  std::vector<const Transaction*> above;
  std::size_t below = 0;  // operations
  for (std::size_t i = 0; i < pile.uppers.size(); ++i) {
    const Transaction& upper = pile.uppers[i];
    if (i == out) below = tip.applied();
    if (!tip.apply(upper)) continue;
    if (i < out) twin.apply(upper);
    if (i > out) above.push_back(&upper);
  }
  tip.undo_to(below);
  for (const Transaction* upper : above) {
    ++tally.above;
    const Results results = tip.apply(*upper);
    if (!agree(*upper, results, twin.apply(*upper))) RC_FAIL("taken out: other results above");
  }
  if (tip.bytes() != twin.bytes()) RC_FAIL("taken out: other bytes");
}

template <typename Draw, typename Check>
std::string find_ahead(std::string_view what, const DataType& type, const Effort& effort, Draw draw, Check check) {
  const auto cases = rc::gen::exec([&] { return draw(type); });
  return find_failure(std::string(type.name()) + ": " + std::string(what), effort,
                      [&] { check(*rc::gen::resize(rc::kNominalSize, cases)); });
}

}  // namespace

std::string find_undo_counterexample(const DataType& type, const Effort& effort, UndoTally& tally) {
  return find_ahead("undo", type, effort, draw_ahead, [&](const Ahead& ahead) { check_undo(ahead, tally); });
}

std::string find_take_out_counterexample(const DataType& type, const Effort& effort, UndoTally& tally) {
  return find_ahead("taken out", type, effort, draw_pile, [&](const Pile& pile) { check_take_out(pile, tally); });
}

}  // namespace claret::laws

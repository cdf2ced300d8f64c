// The laws catch the faults that they are meant for: each type here has one plausible mistake.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>

#include "absl/numeric/int128.h"
#include "adt/laws.h"
#include "adt/registry.h"

namespace claret::laws {
namespace {

// A type of the registry, with parts replaced by a test.
class Altered : public DataType {
 public:
  explicit Altered(std::string_view name) : base_(*find_type(name)) {}

  std::function<Relation(Mode, Mode)> alter_relation;
  std::function<bool(const Held&, const Held&, const State&)> alter_commutes;
  std::function<Value(const State&, const Call&, const Value&)> alter_before;
  std::function<void(State&, const Call&, const Value&, const Value&)> alter_undo;
  std::function<std::unique_ptr<StateParts>(const State&)> alter_parts;
  bool reserves = true;

  std::uint8_t id() const override { return base_.id(); }
  std::string_view name() const override { return base_.name(); }
  std::string_view meaning() const override { return base_.meaning(); }
  std::span<const OperationSpec> operations() const override { return base_.operations(); }
  std::span<const ModeSpec> modes() const override { return base_.modes(); }
  std::span<const CommutativityRule> rules() const override { return base_.rules(); }
  std::unique_ptr<State> create() const override { return base_.create(); }
  Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const override {
    return base_.execute(state, call, own, context);
  }
  Relation relation(Mode first, Mode second) const override {
    return alter_relation ? alter_relation(first, second) : base_.relation(first, second);
  }
  bool commutes(const Held& first, const Held& second, const State& state) const override {
    return alter_commutes ? alter_commutes(first, second, state) : base_.commutes(first, second, state);
  }
  Reservation reserve(State& state, const Call& call, const Value& result, std::span<const Held> own) const override {
    return reserves ? base_.reserve(state, call, result, own) : Reservation::kYes;
  }
  void release(State& state, const Call& call, const Value& result) const override {
    if (reserves) base_.release(state, call, result);
  }
  void commit(State& state, const Call& call, const Value& result) const override { base_.commit(state, call, result); }
  Value before(const State& state, const Call& call, const Value& result) const override {
    return alter_before ? alter_before(state, call, result) : base_.before(state, call, result);
  }
  void undo(State& state, const Call& call, const Value& result, const Value& kept) const override {
    return alter_undo ? alter_undo(state, call, result, kept) : base_.undo(state, call, result, kept);
  }
  std::unique_ptr<StateParts> parts(const State& state) const override { return alter_parts ? alter_parts(state) : base_.parts(state); }
  void encode(const State& state, std::string& out) const override { base_.encode(state, out); }
  std::unique_ptr<State> decode(std::string_view bytes) const override { return base_.decode(bytes); }

  const DataType& base() const { return base_; }

 private:
  const DataType& base_;
};

constexpr int kTimesMax = 1000;  // times RapidCheck's 100; the search ends with the first counterexample

void expect_found(std::string_view by, const std::string& counterexample) {
  EXPECT_NE(counterexample.find(by), std::string::npos) << "found: " << counterexample;
  std::cout << counterexample << std::endl;
}

void expect_caught(const DataType& type, std::string_view first, std::string_view second, std::string_view by) {
  Tally tally;
  expect_found(by, find_counterexample(type, *type.find(first), *type.find(second), {kTimesMax}, tally));
}

// Puts the call of operation `a` first. Returns whether the two calls are of `a` and `b`.
bool is_pair(const Held*& first, const Held*& second, std::string_view a, std::string_view b) {
  if (first->call->operation->name != a) std::swap(first, second);
  return first->call->operation->name == a && second->call->operation->name == b;
}

// Overrides `commutes` for one pair of operations.
void alter_pair(Altered& type, std::string_view a, std::string_view b, std::function<bool(const Held&, const Held&, const State&)> answer) {
  type.alter_commutes = [&type, a, b, answer](const Held& x, const Held& y, const State& state) {
    const Held* first = &x;
    const Held* second = &y;
    if (is_pair(first, second, a, b)) return answer(*first, *second, state);
    return type.base().commutes(x, y, state);
  };
}

TEST(LawsCatch, ASetWhoseAddsAndRemovesAlwaysCommute) {
  Altered set("Set");
  alter_pair(set, "add", "remove", [](const Held&, const Held&, const State&) { return true; });
  expect_caught(set, "add", "remove", "one end");
}

TEST(LawsCatch, ASetWhoseSizeIgnoresAdds) {
  Altered set("Set");
  alter_pair(set, "size", "add", [](const Held&, const Held&, const State&) { return true; });
  expect_caught(set, "size", "add", "promise: another result of size");
}

TEST(LawsCatch, ATopKThatComparesOnlyWithTheHighest) {
  Altered top_k("TopK");
  alter_pair(top_k, "add", "top", [](const Held& add, const Held& top, const State&) {
    const Value::List& entries = top.result->list();
    return !entries.empty() && add.call->arguments[1].number() < entries[0].list()[1].number();
  });
  expect_caught(top_k, "top", "add", "promise: another result of top");
}

TEST(LawsCatch, ACounterWithoutEscrow) {
  Altered counter("Counter");
  counter.reserves = false;
  expect_caught(counter, "add", "add", "promise: add was granted, and is now refused");
}

TEST(LawsCatch, ADictThatLetsIncrementsPassSets) {
  Altered dict("Dict");
  alter_pair(dict, "increment", "set", [](const Held&, const Held&, const State&) { return true; });
  expect_caught(dict, "increment", "set", "Dict: increment, set");  // by the law that the first counterexample breaks
}

TEST(LawsCatch, ARegisterThatTreatsAFailedCompareAndSetAsARead) {
  Altered registers("Register");
  alter_pair(registers, "compareAndSet", "set", [](const Held& compare, const Held&, const State&) { return !compare.result->boolean(); });
  expect_caught(registers, "compareAndSet", "set", "promise: another result of compareAndSet");
}

// Each increment alone leaves the item's rank unchanged, but two together may not; no pair of holders shows it.
TEST(LawsCatch, AScoredSetThatJudgesIncrementsOneByOne) {
  Altered scored("ScoredSet");
  alter_pair(scored, "increment", "rank", [&scored](const Held& increment, const Held& rank, const State& state) {
    std::string bytes;
    scored.encode(state, bytes);
    const std::unique_ptr<State> after = scored.decode(bytes);
    // Nothing is reserved yet: a call that would leave the range is not committed, not even tentatively.
    if (scored.reserve(*after, *increment.call, *increment.result, {}) == DataType::Reservation::kWait) return false;
    scored.release(*after, *increment.call, *increment.result);
    scored.commit(*after, *increment.call, *increment.result);
    return scored.execute(*after, *rank.call, {}, Context{1}).result() == *rank.result;
  });
  expect_caught(scored, "rank", "increment", "promise: another result of rank");
}

// Right for transactions of one call: an item behind the ranked item stays behind if it only rises. But a transaction may first remove the
// item (which commutes, since it is behind), and then its increment starts from 0.
TEST(LawsCatch, AScoredSetThatForgetsTransactionsOfSeveralCalls) {
  Altered scored("ScoredSet");
  alter_pair(scored, "increment", "rank", [&scored](const Held& increment, const Held& rank, const State& state) {
    if (rank.result->absent() || increment.call->arguments[1].integer() < 0) return false;
    Call ask = *rank.call;
    ask.arguments[0] = increment.call->arguments[0];
    const Value other = scored.execute(state, ask, {}, Context{1}).result();
    return other.is_integer() && other.integer() > rank.result->integer();
  });
  expect_caught(scored, "rank", "remove", "promise: another result of rank");
}

TEST(LawsCatch, ACommutesThatAnswersOneWayRound) {
  Altered set("Set");
  set.alter_commutes = [&set](const Held& first, const Held& second, const State& state) {
    return first.call->operation->name == "add" && set.base().commutes(first, second, state);
  };
  expect_caught(set, "size", "add", "symmetry of commutes");
}

TEST(LawsCatch, ARelationThatAnswersOneWayRound) {
  Altered counter("Counter");
  counter.alter_relation = [](Mode first, Mode second) { return first <= second ? Relation::kAlways : Relation::kNever; };
  expect_caught(counter, "value", "add", "symmetry of relation");
}

TEST(LawsCatch, ARelationThatContradictsTheRuleInWords) {
  Altered counter("Counter");
  counter.alter_relation = [](Mode, Mode) { return Relation::kNever; };
  expect_caught(counter, "add", "add", "words: always");
}

// Escrow's amounts judged in pairs: right for every pair of holders, in every history. Three decrements on 2 break it.
bool amounts_go_together(const Held& x, const Held& y, std::int64_t value) {
  const auto amount = [](const Held& held) { return absl::int128(held.call->arguments[0].integer()); };
  const auto is_raise = [](const Held& held) { return held.call->operation->name == "increment"; };
  const auto missed = [](const Held& held) { return *held.result == Value(false); };
  if (x.call->arguments.empty() || y.call->arguments.empty()) {  // `value` reads
    const Held& other = x.call->arguments.empty() ? y : x;
    return other.call->arguments.empty() || missed(other);
  }
  if (is_raise(x) && is_raise(y)) return value + amount(x) + amount(y) <= std::numeric_limits<std::int64_t>::max();
  if (is_raise(x) && missed(y)) return value + amount(x) < amount(y);
  if (is_raise(y) && missed(x)) return value + amount(y) < amount(x);
  if (is_raise(x) || is_raise(y) || missed(x) || missed(y)) return true;
  return amount(x) + amount(y) <= value;
}

TEST(LawsCatch, ATypeWhosePairsCommuteButWhoseTriplesDoNot) {
  Altered stock("BoundedCounter");
  stock.reserves = false;
  stock.alter_relation = [](Mode, Mode) { return Relation::kDepends; };
  stock.alter_commutes = [&stock](const Held& x, const Held& y, const State& state) {
    const Call ask{stock.find("value"), {}};
    return amounts_go_together(x, y, stock.execute(state, ask, {}, Context{1}).result().integer());
  };
  TogetherTally together;
  EXPECT_EQ(find_gate_counterexample(stock, {.parties_max = 2, .calls_max = 1, .natives = false}, {20}, together), "");
  EXPECT_GT(together[2], 0u);
  expect_found("promise: ", find_gate_counterexample(stock, {.parties_max = 5, .calls_max = 1}, {kTimesMax}, together));
}

TEST(LawsCatch, AWrongTableAtTheRealGate) {
  Altered set("Set");
  alter_pair(set, "size", "add", [](const Held&, const Held&, const State&) { return true; });
  TogetherTally together;
  expect_found("promise: another result of size", find_gate_counterexample(set, {}, {kTimesMax}, together));
}

TEST(LawsCatch, AReservationThatIsNotDeclared) {
  class Unsaid final : public Altered {
   public:
    Unsaid() : Altered("Counter"), specs_(base().operations().begin(), base().operations().end()) {
      for (OperationSpec& spec : specs_) spec.reserves = false;
    }
    std::span<const OperationSpec> operations() const override { return specs_; }

   private:
    std::vector<OperationSpec> specs_;
  };
  const Unsaid counter;
  expect_caught(counter, "add", "add", "reserves: add does not say so");
}

void expect_undo_caught(const DataType& type, std::string_view by) {
  UndoTally tally;
  expect_found(by, find_undo_counterexample(type, {kTimesMax}, tally));
}

TEST(LawsCatch, AnUndoThatForgetsAField) {
  Altered dict("Dict");
  dict.alter_undo = [&dict](State& state, const Call& call, const Value& result, const Value& kept) {
    if (!kept.is_list() || kept.list().empty()) return dict.base().undo(state, call, result, kept);
    Call fewer = call;
    Value::List names = call.arguments[0].list();
    names.pop_back();
    fewer.arguments[0] = names;
    dict.base().undo(state, fewer, result, kept);
  };
  expect_undo_caught(dict, "undo: other bytes than before");
}

TEST(LawsCatch, AnUndoThatRestoresFieldsForwards) {
  Altered dict("Dict");
  dict.alter_undo = [&dict](State& state, const Call& call, const Value& result, const Value& kept) {
    if (!kept.is_list()) return dict.base().undo(state, call, result, kept);
    const auto backwards = [](const Value& list) { return Value::List(list.list().rbegin(), list.list().rend()); };
    dict.base().undo(state, {call.operation, {backwards(call.arguments[0])}}, result, backwards(kept));
  };
  expect_undo_caught(dict, "undo: other bytes than before");
}

TEST(LawsCatch, AnUndoOfWhatDidNothing) {
  Altered registers("Register");
  Altered stock("BoundedCounter");
  for (Altered* type : {&registers, &stock}) {
    type->alter_undo = [type](State& state, const Call& call, const Value& result, const Value& kept) {
      type->base().undo(state, call, result == Value(false) ? Value(true) : result, kept);
    };
    expect_undo_caught(*type, "undo: other bytes than before");
  }
  Altered set("Set");
  set.alter_before = [](const State&, const Call&, const Value&) { return Value(true); };
  expect_undo_caught(set, "undo: other bytes than before");
}

TEST(LawsCatch, AnUndoThatForgetsWhatWasReplaced) {
  for (const char* name : {"Register", "ScoredSet", "SummaryBag"}) {
    Altered type(name);
    type.alter_before = [](const State&, const Call&, const Value&) { return Value(); };
    expect_undo_caught(type, "undo: other bytes than before");
  }
  Altered top_k("TopK");
  top_k.alter_before = [&top_k](const State& state, const Call& call, const Value& result) {
    return top_k.base().before(state, call, result).absent() ? Value() : Value(Value::List{});
  };
  expect_undo_caught(top_k, "undo: other bytes than before");
  Altered sketch("HyperLogLog");
  sketch.alter_before = [](const State&, const Call&, const Value&) { return Value(std::int64_t{0}); };
  expect_undo_caught(sketch, "undo: other bytes than before");
}

TEST(LawsCatch, AnUndoThatKeepsAllOfALargeState) {
  Altered set("Set");
  set.alter_before = [&set](const State& state, const Call&, const Value&) {
    std::string bytes;
    set.encode(state, bytes);
    return Value(bytes);
  };
  expect_undo_caught(set, "undo: all of a state that can grow is kept");
}

TEST(LawsCatch, AnUndoThatGivesBackAReservation) {
  Altered counter("Counter");
  counter.alter_undo = [&counter](State& state, const Call& call, const Value& result, const Value& kept) {
    counter.base().undo(state, call, result, kept);
    counter.base().release(state, call, result);
  };
  expect_undo_caught(counter, "undo: another reservation");
}

TEST(LawsCatch, AnUndoThatReservesAgain) {
  Altered counter("Counter");
  counter.alter_undo = [&counter](State& state, const Call& call, const Value& result, const Value& kept) {
    counter.base().undo(state, call, result, kept);
    counter.base().reserve(state, call, result);
  };
  UndoTally tally;
  expect_found("taken out: other results above", find_take_out_counterexample(counter, {kTimesMax}, tally));
}

// Of a member of an epoch nobody knows yet when it takes effect: whoever holds a record beside it has to commute with it.
TEST(LawsCatch, AMemberBesideATransactionThatItDoesNotCommuteWith) {
  Altered set("Set");
  alter_pair(set, "add", "remove", [](const Held&, const Held&, const State&) { return true; });
  MemberTally tally;
  expect_found("than in the order of commits", find_member_counterexample(set, {kTimesMax}, tally));
}

TEST(LawsCatch, AMemberWhoseReservationIsNotKept) {
  Altered stock("BoundedCounter");
  stock.reserves = false;
  MemberTally tally;
  expect_found("in the order of commits", find_member_counterexample(stock, {kTimesMax}, tally));
}

TEST(LawsCatch, MembersWhoseTurnsComeInTheOrderOfTheirVotes) {
  MemberTally tally;
  expect_found("than in the order of commits",
               find_member_counterexample(*find_type("Register"), {kTimesMax}, tally, {.turns_by_votes = true}));
}

// Hears of changes as the parts of the type do, and of undone ones as altered.
class AlteredParts final : public StateParts {
 public:
  AlteredParts(std::unique_ptr<StateParts> base, bool told) : base_(std::move(base)), told_(told) {}

  bool next(std::size_t bytes_wanted, std::string& out) override { return base_->next(bytes_wanted, out); }
  void before(const Call& call) override { base_->before(call); }
  void before_undo(const Call& call, const Value&) override {
    // What was increased by as much as there is room for cannot be increased by it once more.
    if (told_ && !is_huge(call)) base_->before(call);
  }

 private:
  static bool is_huge(const Call& call) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [](const Value& value) { return value.is_integer() && (value.integer() > kHuge || value.integer() < -kHuge); });
  }
  static constexpr std::int64_t kHuge = std::int64_t{1} << 32;

  std::unique_ptr<StateParts> base_;
  bool told_;
};

TEST(LawsCatch, PartsThatAreNotToldOfAnUndo) {
  for (const char* name : {"Dict", "Set", "ScoredSet", "TopK"}) {
    Altered type(name);
    type.alter_parts = [&type](const State& state) { return std::make_unique<AlteredParts>(type.base().parts(state), false); };
    expect_undo_caught(type, "undo: a walk yields other bytes");
  }
}

TEST(LawsCatch, PartsThatTakeAnUndoForAnotherCall) {
  for (const char* name : {"ScoredSet", "TopK"}) {
    Altered type(name);
    type.alter_parts = [&type](const State& state) { return std::make_unique<AlteredParts>(type.base().parts(state), true); };
    expect_undo_caught(type, "undo: a walk yields other bytes");
  }
}

}  // namespace
}  // namespace claret::laws

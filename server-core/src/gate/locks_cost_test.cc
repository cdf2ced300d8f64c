// The cost of admissions and releases, counted in calls to the data type: independent of the numbers of holders and waiters.
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "adt/registry.h"
#include "gate/locks.h"

namespace claret {
namespace {

// A type of the registry that counts the calls to it.
class Counted : public DataType {
 public:
  explicit Counted(std::string_view name) : base_(*find_type(name)) {}

  mutable int relations = 0;
  mutable int pairs = 0;
  mutable int executions = 0;

  std::uint8_t id() const override { return base_.id(); }
  std::string_view name() const override { return base_.name(); }
  std::string_view meaning() const override { return base_.meaning(); }
  std::span<const OperationSpec> operations() const override { return base_.operations(); }
  std::span<const ModeSpec> modes() const override { return base_.modes(); }
  std::span<const CommutativityRule> rules() const override { return base_.rules(); }
  std::unique_ptr<State> create() const override { return base_.create(); }
  Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const override {
    ++executions;
    return base_.execute(state, call, own, context);
  }
  Relation relation(Mode first, Mode second) const override {
    ++relations;
    return base_.relation(first, second);
  }
  bool commutes(const Held& first, const Held& second, const State& state) const override {
    ++pairs;
    return base_.commutes(first, second, state);
  }
  Reservation reserve(State& state, const Call& call, const Value& result, std::span<const Held> own) const override {
    return base_.reserve(state, call, result, own);
  }
  void release(State& state, const Call& call, const Value& result) const override { base_.release(state, call, result); }
  void commit(State& state, const Call& call, const Value& result) const override { base_.commit(state, call, result); }
  Value before(const State& state, const Call& call, const Value& result) const override { return base_.before(state, call, result); }
  void undo(State& state, const Call& call, const Value& result, const Value& kept) const override {
    base_.undo(state, call, result, kept);
  }
  void encode(const State& state, std::string& out) const override { base_.encode(state, out); }
  std::unique_ptr<State> decode(std::string_view bytes) const override { return base_.decode(bytes); }

 private:
  const DataType& base_;
};

struct Guest : Party {
  std::unique_ptr<GateRequest> asked;
};

class Costs : public ::testing::Test {
 protected:
  // A transaction requests an operation on the record, `times` times.
  Guest& ask(std::string_view operation, std::vector<Value> arguments, int times = 1) {
    Guest& guest = guests_.emplace_back();
    guest.priority = guests_.size();
    guest.asked = std::make_unique<GateRequest>();
    GateRequest* request = guest.asked.get();
    request->party = &guest;
    request->number = 1;
    Record& record = records_.find_or_create("key", type);
    for (int i = 0; i < times; ++i) {
      records_.pin(record);
      Visit& visit = guest.visit(record);
      visit.type = &type;
      visit.request_number = 1;
      visit.call = {type.find(operation), arguments};
      request->visits.push_back(&visit);
    }
    Refusal refusal;
    const Visit* refused = nullptr;
    locks_.acquire(*request, 0, refusal, refused);
    return guest;
  }
  bool granted(const Guest& guest) const { return guest.asked->ungranted == 0; }
  void end(Guest& guest) {
    locks_.release(guest);
    locks_.settle(0);
  }
  void forget() { type.relations = type.pairs = type.executions = 0; }

  Counted type{"Counter"};
  Counters counters_;
  Context context_{1};
  Records records_;
  std::deque<Guest> guests_;
  Locks locks_{records_, counters_, context_, {LockRule{LockKind::kAbstract}, true, 1000}};
};

TEST_F(Costs, AdmissionDoesNotDependOnTheNumberOfHoldersThatAlwaysCommute) {
  ask("add", {Value(std::int64_t{1})});
  forget();
  ask("add", {Value(std::int64_t{1})});
  const int with_one = type.relations;
  for (int i = 0; i < 1000; ++i) ask("add", {Value(std::int64_t{1})});
  forget();
  EXPECT_TRUE(granted(ask("add", {Value(std::int64_t{1})})));
  EXPECT_EQ(type.relations, with_one);
  EXPECT_EQ(type.pairs, 0);
}

TEST_F(Costs, AReleaseThatAdmitsNoWaiterCostsOneQuestionAndNotOnePerWaiter) {
  Guest& one = ask("value", {});
  Guest& other = ask("value", {});
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(granted(ask("add", {Value(std::int64_t{1})})));
  forget();
  end(one);
  EXPECT_LE(type.relations, 4);
  EXPECT_EQ(type.executions, 0);
  forget();
  end(other);
  EXPECT_EQ(type.executions, 1000) << "each waiter is admitted once";
  EXPECT_LE(type.relations, 4 * 1000);
  for (std::size_t i = 2; i < guests_.size(); ++i) ASSERT_TRUE(granted(guests_[i])) << i;
}

TEST_F(Costs, WaitersOfTwoModesAreNotTriedForEachOther) {
  Guest& one = ask("value", {});
  for (int i = 0; i < 500; ++i) {
    ask("add", {Value(std::int64_t{1})});
    ask("value", {});
  }
  forget();
  end(one);
  EXPECT_LE(type.relations, 4 * 1000);
}

TEST_F(Costs, ATransactionsOwnOperationsAreNotScannedForEachOfThem) {
  EXPECT_TRUE(granted(ask("value", {}, 4000)));
  forget();
  EXPECT_TRUE(granted(ask("value", {}, 4000)));
  EXPECT_LE(type.relations, 4000);
}

}  // namespace
}  // namespace claret

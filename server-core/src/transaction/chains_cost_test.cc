// The cost of long runs, counted in calls to the data type.
#include <gtest/gtest.h>

#include "gate/test_counted.h"
#include "transaction/chains.h"
#include "transaction/deduplication.h"
#include "transaction/warranties.h"

namespace claret {
namespace {

constexpr int kLong = 1024;

class CostsOfChains : public ::testing::Test, public MemberKeeper, public AttemptKeeper {
 protected:
  struct Operation {
    const Counted& type;
    std::string key;
    std::string_view name;
    std::vector<Value> arguments;
  };

  void come(std::vector<Operation> operations) {
    next_ = std::move(operations);
    MemberMessage message{.chain = 1, .n = ++n_};
    chains_.take(coordinator_, message, 0);
  }
  void withdraw(std::uint64_t n) { chains_.withdraw(coordinator_, {1, n, ++withdrawals_}); }
  void word(std::vector<std::uint64_t> members) { chains_.word(coordinator_, {1, std::move(members), n_ + kLong}); }
  Record& record(std::string_view key) { return *records_.find(key); }
  static std::vector<Value> number(std::int64_t n) { return {Value(n)}; }

  Counters counters_;
  Checkpoint checkpoint_;
  Records records_;
  SlotCopy copy_;
  Past past_{{}};
  Effects effects_{checkpoint_, copy_, records_, past_, false};

 private:
  std::unique_ptr<Member> begin_member(Coordinator&, MemberMessage&, double, std::optional<Error>&) override {
    auto member = std::make_unique<Member>(*this);
    for (Operation& operation : next_) {
      Record& record = records_.find_or_create(operation.key, operation.type);
      records_.pin(record);
      Visit& visit = member->visit(record);
      visit.type = &operation.type;
      visit.call = {operation.type.find(operation.name), std::move(operation.arguments)};
    }
    return member;
  }
  void member_committed(Member&, Timestamp, std::uint64_t) override {}
  void put_in_doubt(Attempt&, std::string_view) override {}
  void granted(Request&) override {}
  void refused(Request&, const Refusal&, const Visit&) override {}
  void moved(Request&) override {}
  void tell_wound(Attempt&, std::uint64_t, bool, bool) override {}
  void abort(Attempt&, const Error&) override {}
  void deny(Attempt&) override {}

  Context context_{1};
  SlotTable slots_{{}};
  Locks locks_{records_, counters_, context_, {LockRule{LockKind::kAbstract}, true, 1000}};
  Journal journal_{false};
  ShardClock clock_{0, journal_};
  Deduplication deduplication_;
  Doubts doubts_;
  Outcomes outcomes_{clock_, journal_, checkpoint_, doubts_};
  AttemptLog log_{journal_, checkpoint_, deduplication_, counters_, clock_};
  Boards boards_{{records_, journal_, clock_, context_, slots_, locks_}, [](Coordinator&) {}};
  Warranties warranties_{{records_, locks_, journal_, clock_, counters_}, {}, [](Coordinator&) {}};
  Chains chains_{
      {locks_, journal_, clock_, effects_, log_, outcomes_, counters_, context_, boards_, warranties_}, *this, [](Coordinator&) {}};
  Coordinator coordinator_;
  std::vector<Operation> next_;
  std::uint64_t n_ = 0;
  std::uint64_t withdrawals_ = 0;
};

// Many members on one record.
class CostsOfALongRun : public CostsOfChains {
 protected:
  CostsOfALongRun() {
    for (int n = 1; n <= kLong; ++n) come("add", number(1));
    type.forget();
  }

  void come(std::string_view operation, std::vector<Value> arguments) {
    CostsOfChains::come({{type, "key", operation, std::move(arguments)}});
  }

  Counted type{"Counter"};
};

TEST_F(CostsOfALongRun, WithdrawingTheLowestUndoesAllAndExecutesTheOthersOnce) {
  withdraw(1);
  EXPECT_EQ(type.undone, kLong);
  EXPECT_EQ(type.executions, kLong - 1);
  EXPECT_EQ(type.commits, kLong - 1);
  EXPECT_EQ(type.relations + type.pairs, 0) << "nobody else holds the record";
}

TEST_F(CostsOfALongRun, WithdrawingTheNewestUndoesIt) {
  withdraw(kLong);
  EXPECT_EQ(type.undone, 1);
  EXPECT_EQ(type.executions + type.commits, 0);
}

TEST_F(CostsOfALongRun, CommittingCallsNothing) {
  word({1, 2, 3});
  EXPECT_EQ(type.undone + type.executions + type.commits + type.relations + type.pairs, 0) << "all is applied already";
}

TEST_F(CostsOfALongRun, EnteringExecutesTheNewcomer) {
  word({1});
  come("value", {});
  EXPECT_EQ(type.executions, 1);
  EXPECT_EQ(type.undone + type.commits, 0);
}

TEST_F(CostsOfALongRun, WithdrawingAnObserverExecutesNothing) {
  word({1});
  come("value", {});
  type.forget();
  withdraw(kLong + 1);
  EXPECT_EQ(type.undone + type.executions + type.commits, 0);
}

TEST_F(CostsOfALongRun, LookingAtTheCommittedStateExecutesNothing) {
  effects_.on_committed(record("key"), [] {});
  EXPECT_EQ(type.undone, kLong);
  EXPECT_EQ(type.commits, kLong);
  EXPECT_EQ(type.executions, 0);
}

// Many members that are refused one after the other; each has seen and changed a counter too.
class CostsOfRefusalsInARow : public CostsOfChains {
 protected:
  static constexpr int kRefused = 300;

  // The second takes from what the first has filled; and so on.
  void come_in_a_row(bool from_one_stock) {
    const auto stock_of = [&](int n) { return from_one_stock ? "stock" : "stock" + std::to_string(n); };
    come({{stock, stock_of(0), "increment", number(kRefused)}});
    for (int n = 1; n <= kRefused; ++n) {
      std::vector<Operation> operations{{counter, "y", "value", {}}, {counter, "y", "add", number(1)}};
      operations.push_back({stock, stock_of(n - 1), "decrement", number(1)});
      if (!from_one_stock) operations.push_back({stock, stock_of(n), "increment", number(1)});
      come(std::move(operations));
    }
    come({{counter, "y", "value", {}}});
    stock.forget();
    counter.forget();
  }
  void expect_that_each_is_executed_at_most_once() {
    EXPECT_EQ(counters_.totals.aborts[errors::kDenied], static_cast<std::uint64_t>(kRefused));
    EXPECT_EQ(counters_.totals.answered_again, 1u) << "the last one";
    EXPECT_LE(stock.executions, 2 * kRefused + 1);
    EXPECT_LE(counter.executions, 2 * kRefused + 1);
    EXPECT_LE(stock.undone, 4 * kRefused + 1);
    EXPECT_LE(counter.undone, 2 * kRefused + 1);
  }

  Counted stock{"BoundedCounter"};
  Counted counter{"Counter"};
};

TEST_F(CostsOfRefusalsInARow, AreThoseOfOnePassIfOneRecordRefusesAll) {
  come_in_a_row(true);
  withdraw(1);
  expect_that_each_is_executed_at_most_once();
}

TEST_F(CostsOfRefusalsInARow, AreThoseOfOnePassIfEachLeadsToTheNext) {
  come_in_a_row(false);
  withdraw(1);
  expect_that_each_is_executed_at_most_once();
}

TEST_F(CostsOfRefusalsInARow, AreNothingOnRecordsThatTheyOnlySaw) {
  come({{stock, "stock", "increment", number(kRefused)}});
  for (int n = 1; n <= kRefused; ++n) come({{stock, "stock", "decrement", number(1)}, {counter, "y", "value", {}}});
  come({{counter, "y", "value", {}}});
  stock.forget();
  counter.forget();
  withdraw(1);
  EXPECT_EQ(counter.executions + counter.undone, 0);
  EXPECT_EQ(record("y").run()->entries.size(), 1u);
  word({kRefused + 2});
  EXPECT_EQ(record("y").run(), nullptr);
}

}  // namespace
}  // namespace claret

// The cost of a long run, counted in calls to the data type.
#include <gtest/gtest.h>

#include "gate/test_counted.h"
#include "transaction/chains.h"
#include "transaction/deduplication.h"

namespace claret {
namespace {

constexpr int kLong = 1024;

class CostsOfALongRun : public ::testing::Test, public MemberKeeper, public AttemptKeeper {
 protected:
  CostsOfALongRun() {
    for (int n = 1; n <= kLong; ++n) come("add", {Value(std::int64_t{1})});
    type.forget();
  }

  void come(std::string_view operation, std::vector<Value> arguments) {
    next_ = {type.find(operation), std::move(arguments)};
    MemberMessage message{.chain = 1, .n = ++n_};
    chains_.take(coordinator_, message, 0);
  }
  void withdraw(std::uint64_t n) { chains_.withdraw(coordinator_, {1, n, ++withdrawals_}); }
  void word(std::vector<std::uint64_t> members) { chains_.word(coordinator_, {1, std::move(members), n_ + kLong}); }
  Record& record() { return *records_.find("key"); }

  Counted type{"Counter"};
  Checkpoint checkpoint_;
  Effects effects_{checkpoint_};

 private:
  std::unique_ptr<Member> begin_member(Coordinator&, MemberMessage&, double, std::optional<Error>&) override {
    auto member = std::make_unique<Member>(*this);
    Record& record = records_.find_or_create("key", type);
    records_.pin(record);
    Visit& visit = member->visit(record);
    visit.type = &type;
    visit.call = next_;
    return member;
  }
  void member_committed(Member&, Timestamp, std::uint64_t) override {}
  void granted(Request&) override {}
  void refused(Request&, const Refusal&, const Visit&) override {}
  void moved(Request&) override {}
  void tell_wound(Attempt&, std::uint64_t, bool, bool) override {}
  void abort(Attempt&, const Error&) override {}
  void deny(Attempt&) override {}

  Counters counters_;
  Context context_{1};
  ShardPlace place_;
  Records records_;
  Locks locks_{records_, counters_, context_, {LockRule{LockKind::kAbstract}, true, 1000}};
  Journal journal_{false};
  ShardClock clock_{0, journal_};
  Deduplication deduplication_;
  Doubts doubts_;
  Outcomes outcomes_{clock_, journal_, checkpoint_, doubts_};
  AttemptLog log_{journal_, checkpoint_, deduplication_, counters_, clock_};
  Boards boards_{{records_, journal_, clock_, context_, place_}, [](Coordinator&) {}};
  Chains chains_{{locks_, journal_, clock_, effects_, log_, outcomes_, counters_, context_, boards_}, {}, *this, [](Coordinator&) {}};
  Coordinator coordinator_;
  Call next_;
  std::uint64_t n_ = 0;
  std::uint64_t withdrawals_ = 0;
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
  effects_.on_committed(record(), [] {});
  EXPECT_EQ(type.undone, kLong);
  EXPECT_EQ(type.commits, kLong);
  EXPECT_EQ(type.executions, 0);
}

}  // namespace
}  // namespace claret

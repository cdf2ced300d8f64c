// The cost of admissions and releases, counted in calls to the data type: independent of the numbers of holders and waiters.
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "gate/locks.h"
#include "gate/test_counted.h"

namespace claret {
namespace {

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

  Counted type{"Counter"};
  Counters counters_;
  Context context_{1};
  Records records_;
  std::deque<Guest> guests_;
  Locks locks_{records_, counters_, context_, {LockRule{LockKind::kAbstract}, true, 1000}};
};

TEST_F(Costs, AdmissionDoesNotDependOnTheNumberOfHoldersThatAlwaysCommute) {
  ask("add", {Value(std::int64_t{1})});
  type.forget();
  ask("add", {Value(std::int64_t{1})});
  const int with_one = type.relations;
  for (int i = 0; i < 1000; ++i) ask("add", {Value(std::int64_t{1})});
  type.forget();
  EXPECT_TRUE(granted(ask("add", {Value(std::int64_t{1})})));
  EXPECT_EQ(type.relations, with_one);
  EXPECT_EQ(type.pairs, 0);
}

TEST_F(Costs, AReleaseThatAdmitsNoWaiterCostsOneQuestionAndNotOnePerWaiter) {
  Guest& one = ask("value", {});
  Guest& other = ask("value", {});
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(granted(ask("add", {Value(std::int64_t{1})})));
  type.forget();
  end(one);
  EXPECT_LE(type.relations, 4);
  EXPECT_EQ(type.executions, 0);
  type.forget();
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
  type.forget();
  end(one);
  EXPECT_LE(type.relations, 4 * 1000);
}

TEST_F(Costs, ATransactionsOwnOperationsAreNotScannedForEachOfThem) {
  EXPECT_TRUE(granted(ask("value", {}, 4000)));
  type.forget();
  EXPECT_TRUE(granted(ask("value", {}, 4000)));
  EXPECT_LE(type.relations, 4000);
}

}  // namespace
}  // namespace claret

// Members of epochs at records of which something is promised.
#include <gtest/gtest.h>

#include "transaction/test_epochs.h"
#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

// A shard that promises, and a client to which it has promised the result of an operation.
struct Promised : Cluster {
  explicit Promised(const Op& promised) : Cluster(1) {
    shard(0).set_conditions({.warranties = WarrantyPolicy::kAuto}, world.now());
    EXPECT_EQ(granted(holder, 1, promised), 1u);
  }
  bool is_recalled() {
    holder.read();
    return holder.warranties.is_recalled(1);
  }
  // The client relies on its promise as late as it may.
  void expect_awaits_its_end(const Op& change) {
    const Sent sent(*this, 2, {{change}});
    run(5);
    EXPECT_FALSE(sent.answered(0));
    EXPECT_TRUE(is_recalled());
    const Timestamp used = holder.warranties.standing.until - 1;
    holder.used(used).give_back(1).send();
    run(10);
    EXPECT_GT(sent.committed_at(0), used);
  }
  TestClient holder{world, 1, TestClient::Numbered{.warranties = true}, 0};
};

TEST(EpochsBesideWarranties, AMemberIsNotListedBeforeTheEndOfOneThatItWouldViolate) {
  Promised(reg_get("r")).expect_awaits_its_end(reg_set("r", 1));
}

// The promise is heeded when the reservation is taken.
TEST(EpochsBesideWarranties, AMemberThatReservesIsNotListedBeforeTheEndOfOneThatItWouldViolate) {
  Promised(value("c")).expect_awaits_its_end(add("c"));
}

TEST(EpochsBesideWarranties, AMemberThatTheStateRefusesRecallsNone) {
  Promised cluster({"purse", "BoundedCounter.value", {}});
  const Sent sent(cluster, 2, {{{"purse", "BoundedCounter.decrement", {Value(std::int64_t{1})}}}});
  cluster.run(5);
  EXPECT_EQ(sent.error(0), errors::kBelowBound);
  EXPECT_FALSE(cluster.is_recalled());
}

TEST(EpochsBesideWarranties, AMemberThatChangesNothingInThisStateIsListed) {
  Promised cluster({"purse", "BoundedCounter.value", {}});
  const Sent sent(cluster, 2, {{{"purse", "BoundedCounter.tryDecrement", {Value(std::int64_t{1})}}}});
  cluster.run(5);
  ASSERT_NE(sent.committed_at(0), 0u);
  EXPECT_EQ(sent.reply(0)->results, (std::vector<Value>{Value(false)}));
  EXPECT_FALSE(cluster.is_recalled());
}

}  // namespace
}  // namespace claret::testing

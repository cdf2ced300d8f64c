// What operators see of the warranties of a record.
#include "transaction/listed_warranties.h"

#include <gtest/gtest.h>

#include <cmath>

#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

class ListedWarranties : public ::testing::Test {
 protected:
  Shard& shard() { return *shard_.world.shards[0]; }
  std::vector<ListedWarranty> list(const std::string& key) { return shard().list_warranties(key, shard_.world.now()); }

  WarrantingShard shard_;
  TestClient holder_ = shard_.client();
  TestClient other_ = shard_.client();
};

TEST_F(ListedWarranties, AreThoseOfTheRecordWithTheirHolders) {
  ASSERT_NE(granted(holder_, 1, {"s", "Set.contains", {Value("a")}}), 0u);
  shard_.world.tick(5);
  ASSERT_NE(granted(holder_, 2, set_size("s")), 0u);
  ASSERT_NE(granted(other_, 1, set_size("s")), 0u);
  ASSERT_NE(granted(other_, 2, value("c")), 0u);
  other_.give_back(1, 12).send();
  shard_.world.tick(20);
  const std::vector<ListedWarranty> listed = list("s");
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].warranty->call.arguments, std::vector<Value>{Value("a")});
  EXPECT_EQ(listed[0].age_ms, 25);
  EXPECT_EQ(listed[1].warranty->call.operation->name, "size");
  EXPECT_EQ(listed[1].age_ms, 20);
  EXPECT_EQ(listed[1].granted, 2u);
  EXPECT_EQ(listed[1].uses, 12u);
  ASSERT_EQ(listed[1].holders.size(), 1u) << "the other session has returned it";
  EXPECT_EQ(listed[1].holders[0].session, "test");
  EXPECT_EQ(listed[1].holders[0].silent_ms, 20);
  EXPECT_TRUE(std::isinf(listed[1].holders[0].lapses_in_ms));
  EXPECT_TRUE(list("nothing").empty());
}

TEST_F(ListedWarranties, SayWhoIsWaitedForAndUntilWhen) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  shard_.world.tick(100);
  other_.run(1, {add("c")});
  shard_.world.tick(50);
  const std::vector<ListedWarranty> listed = list("c");
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_TRUE(listed[0].warranty->recalled);
  EXPECT_EQ(listed[0].recalled_ago_ms, 50);
  EXPECT_EQ(listed[0].ends_in_ms, kTermMs - 150);
  EXPECT_EQ(listed[0].holders.at(0).lapses_in_ms, kTermMs - 150);
  holder_.hang_up();
  EXPECT_TRUE(list("c").at(0).holders.at(0).lost);
  EXPECT_EQ(list("c").at(0).holders.at(0).session, "test");
}

TEST_F(ListedWarranties, NameEachSessionThatHasOne) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  ASSERT_EQ(granted(holder_, 2, value("c")), 0u) << "it has one";
  ASSERT_NE(granted(other_, 1, value("c")), 0u);
  const std::vector<ListedWarranty> listed = list("c");
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].granted, 2u);
  ASSERT_EQ(listed[0].holders.size(), 2u);
  EXPECT_EQ(listed[0].holders[0].grants, 1u);
  EXPECT_EQ(listed[0].holders[1].grants, 1u);
}

TEST_F(ListedWarranties, AreRecalledOnDemandAndEndWhenTheyAreReturned) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  ASSERT_NE(granted(holder_, 2, set_size("s")), 0u);
  shard().recall_warranties("c", shard_.world.now());
  shard_.world.tick(0);
  holder_.read();
  ASSERT_EQ(holder_.warranties.recalls.size(), 1u) << "not that of another record";
  EXPECT_EQ(holder_.warranties.recalls[0].grant, 1u);
  EXPECT_TRUE(list("c").at(0).warranty->recalled);
  holder_.give_back(1).send();
  EXPECT_TRUE(list("c").empty());
  shard().recall_warranties("nothing", shard_.world.now());
  EXPECT_NE(other_.run(1, {add("c")}).committed_at, 0u);
}

}  // namespace
}  // namespace claret::testing

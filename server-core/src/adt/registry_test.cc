#include "adt/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace claret {
namespace {

TEST(Registry, ListsTheTypesByAscendingId) {
  std::string names;
  for (const DataType* type : all_types()) names += std::to_string(type->id()) + std::string(type->name()) + " ";
  EXPECT_EQ(names, "1Register 2Counter 3UIdGenerator 4Dict 5Set 6ScoredSet 7TopK 8SummaryBag 9BoundedCounter 10HyperLogLog 11List ");
}

TEST(Registry, FindsTypesByNameAndId) {
  for (const DataType* type : all_types()) {
    EXPECT_EQ(find_type(type->id()), type);
    EXPECT_EQ(find_type(type->name()), type);
  }
  EXPECT_EQ(find_type("Nothing"), nullptr);
  EXPECT_EQ(find_type(std::uint8_t{0}), nullptr);
}

TEST(Registry, FindsOperationsByNameAndId) {
  for (const DataType* type : all_types()) {
    EXPECT_EQ(type->find("nothing"), nullptr);
    EXPECT_EQ(type->find(std::uint8_t{0}), nullptr);
    std::uint8_t id = 0;
    for (const OperationSpec& operation : type->operations()) {
      EXPECT_EQ(operation.id, ++id) << type->name();
      EXPECT_EQ(type->find(operation.id), &operation);
      EXPECT_EQ(type->find(operation.name), &operation);
      EXPECT_LT(operation.mode, type->modes().size());
    }
    EXPECT_LE(type->modes().size(), kModesMax);
  }
}

TEST(Registry, EveryModeIsUsed) {
  for (const DataType* type : all_types()) {
    std::set<Mode> used;
    for (const OperationSpec& operation : type->operations()) used.insert(operation.mode);
    EXPECT_EQ(used.size(), type->modes().size()) << type->name();
  }
}

TEST(Catalogue, DescribesACounterInFull) {
  const std::string json = catalogue_json();
  const std::string counter = R"({"id":2,"name":"Counter","meaning":"A 64-bit integer to which many transactions add at the same time.",)"
                              R"("modes":[{"name":"read","meaning":"reads the value"},{"name":"add","meaning":"adds to the value"}],)"
                              R"("operations":[{"id":1,"code":513,"name":"add",)"
                              R"("meaning":"Adds n. Refused (out_of_range) if the value would leave 64 bits.",)"
                              R"("class":"mutate","mode":1,"result":"void","reserves":true,)"
                              R"("fresh":false,"parameters":[{"name":"n","kind":"integer","meaning":"the amount; may be negative"}]},)"
                              R"({"id":2,"code":514,"name":"value","meaning":"The value; 0 at first.",)"
                              R"("class":"observe","mode":0,"result":"integer","reserves":false,)"
                              R"("fresh":false,"parameters":[]}],)"
                              R"("rules":[{"first":"add","second":"add","ruling":"summed",)"
                              R"("when":"always; one that might leave 64 bits waits for the others"},)"
                              R"({"first":"add","second":"value","ruling":"never","when":"never"},)"
                              R"({"first":"value","second":"value","ruling":"always","when":"always"}],)"
                              R"("relations":[["always","never"],["never","always"]],)"
                              R"("commands":[]})";
  EXPECT_NE(json.find(counter), std::string::npos) << json;
  EXPECT_TRUE(json.starts_with(R"({"types":[{"id":1,"name":"Register")"));
}

TEST(Catalogue, IsTheSameEachTime) { EXPECT_EQ(catalogue_json(), catalogue_json()); }

}  // namespace
}  // namespace claret

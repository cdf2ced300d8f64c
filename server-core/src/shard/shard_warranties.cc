// Shard, continued: the warranties of one record, for operators.
#include "shard/shard.h"

namespace claret {

std::vector<ListedWarranty> Shard::list_warranties(std::string_view key, const Now& now) {
  const Record* record = engine_.ground.records.find(key);
  return record == nullptr ? std::vector<ListedWarranty>{} : claret::list_warranties(*record, now.monotonic_ms);
}

void Shard::recall_warranties(std::string_view key, const Now& now) {
  begin(now);
  if (Record* record = engine_.ground.records.find(key)) engine_.warranties.recall_all(*record);
}

}  // namespace claret

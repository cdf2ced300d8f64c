// The warranties that stand on one record, for operators and for telemetry: read off the record's gate.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gate/gate.h"

namespace claret {

// A session that has a warranty, perhaps by several grants: it asked for the result several times at once.
struct ListedHolder {
  std::string session;  // its name
  std::uint64_t grants = 0;
  bool lost = false;
  double silent_ms = 0;  // since its last frame; unknown of one that is lost
  double lapses_in_ms = std::numeric_limits<double>::infinity();  // of its last grant; infinity: they are not recalled, and it is not lost
};

struct ListedWarranty {
  const Warranty* warranty = nullptr;  // valid until the shard is called again
  double age_ms = 0;
  double recalled_ago_ms = 0;  // if it is recalled
  double ends_in_ms = std::numeric_limits<double>::infinity();  // at the latest; infinity until it is recalled
  std::uint64_t granted = 0;  // how many grants there were
  std::uint64_t uses = 0;  // operations that it has answered, as told with the grants that were returned
  std::vector<ListedHolder> holders;  // in the order of their first grants
};

// The oldest first.
std::vector<ListedWarranty> list_warranties(const Record& record, double now_ms);

}  // namespace claret

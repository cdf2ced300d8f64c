#include "transaction/listed_warranties.h"

#include <algorithm>

#include "transaction/coordinator.h"
#include "transaction/warranties.h"

namespace claret {

namespace {

ListedGrant listed(const Grant& grant, double now_ms) {
  const bool lost = grant.session == nullptr;
  return {.session = lost ? grant.lost_name : grant.session->name,
          .lost = lost,
          .silent_ms = lost ? 0 : now_ms - grant.session->last_heard_ms,
          .lapses_in_ms = std::max(0.0, grant.lapses_ms - now_ms)};
}

}  // namespace

std::vector<ListedWarranty> list_warranties(const Record& record, double now_ms) {
  std::vector<ListedWarranty> list;
  if (record.gate == nullptr) return list;
  for (const Warranty* one : record.gate->warranties()) {
    const auto& warranty = static_cast<const StandingWarranty&>(*one);
    ListedWarranty row{.warranty = one, .age_ms = now_ms - warranty.issued_ms, .granted = warranty.granted, .uses = warranty.uses};
    if (warranty.recalled) {
      row.recalled_ago_ms = now_ms - warranty.recalled_ms;
      row.ends_in_ms = std::max(0.0, warranty.ends_by_ms - now_ms);
    }
    for (const auto& grant : warranty.grants) row.grants.push_back(listed(*grant, now_ms));
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace claret

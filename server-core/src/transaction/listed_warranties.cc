#include "transaction/listed_warranties.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <utility>

#include "transaction/coordinator.h"
#include "transaction/warranties.h"

namespace claret {

namespace {

ListedHolder listed(const Grant& grant, double now_ms) {
  const bool lost = grant.session == nullptr;
  return {.session = lost ? grant.lost_name : grant.session->name,
          .grants = 1,
          .lost = lost,
          .silent_ms = lost ? 0 : now_ms - grant.session->last_heard_ms,
          .lapses_in_ms = std::max(0.0, grant.lapses_ms - now_ms)};
}

// The grants of one session are told together; those of lost sessions by their names.
std::vector<ListedHolder> holders_of(const StandingWarranty& warranty, double now_ms) {
  std::vector<ListedHolder> holders;
  absl::flat_hash_map<std::pair<const Coordinator*, std::string>, std::size_t> known;  // looked up, never iterated
  for (const auto& grant : warranty.grants) {
    const auto [place, is_new] = known.try_emplace({grant->session, grant->lost_name}, holders.size());
    if (is_new) {
      holders.push_back(listed(*grant, now_ms));
      continue;
    }
    ListedHolder& holder = holders[place->second];
    ++holder.grants;
    const double lapses_in_ms = std::max(0.0, grant->lapses_ms - now_ms);
    holder.lapses_in_ms = std::max(holder.lapses_in_ms, lapses_in_ms);
  }
  return holders;
}

}  // namespace

std::vector<ListedWarranty> list_warranties(const Record& record, double now_ms) {
  std::vector<ListedWarranty> list;
  if (record.gate == nullptr) return list;
  for (const Warranty* one : record.gate->warranties()) {
    const auto& warranty = static_cast<const StandingWarranty&>(*one);
    ListedWarranty row{.warranty = one,
                       .age_ms = now_ms - warranty.issued_ms,
                       .granted = warranty.granted,
                       .uses = warranty.uses,
                       .holders = holders_of(warranty, now_ms)};
    if (warranty.recalled) {
      row.recalled_ago_ms = now_ms - warranty.recalled_ms;
      row.ends_in_ms = std::max(0.0, warranty.ends_by_ms - now_ms);
    }
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace claret

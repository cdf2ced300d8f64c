// EscrowTable: an Escrow for each named number that has pending additions; the others cost nothing.
//
// Never iterated, so no hash order gets out. Thread safety: none needed.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "structure/escrow.h"

namespace claret {

class EscrowTable {
 public:
  Escrow::Verdict judge(const std::string& name, std::int64_t committed, std::int64_t n, const OwnSteps& own) const {
    const auto found = pending_.find(name);
    return (found == pending_.end() ? Escrow() : found->second).judge(committed, n, own);
  }

  void take(const std::string& name, std::int64_t n) {
    if (n != 0) pending_[name].take(n);
  }

  // REQUIRES: taken before, once for each giving back.
  void give_back(const std::string& name, std::int64_t n) {
    if (n == 0) return;
    const auto found = pending_.find(name);
    found->second.give_back(n);
    if (found->second.idle()) pending_.erase(found);
  }

 private:
  absl::flat_hash_map<std::string, Escrow> pending_;
};

}  // namespace claret

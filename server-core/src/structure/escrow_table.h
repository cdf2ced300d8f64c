// EscrowTable: an Escrow for each named number with pending additions. Other numbers cost nothing, and an empty table is a null pointer.
//
// Never iterated, so no hash order becomes visible. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "ground/check.h"
#include "structure/escrow.h"

namespace claret {

class EscrowTable {
 public:
  Escrow::Verdict judge(const std::string& name, std::int64_t committed, std::int64_t n, const OwnSteps& own) const {
    return of(name).judge(committed, n, own);
  }

  // What is pending for the number.
  Escrow of(const std::string& name) const {
    if (pending_ == nullptr) return {};
    const auto found = pending_->find(name);
    return found == pending_->end() ? Escrow() : found->second;
  }

  void take(const std::string& name, std::int64_t n) {
    if (n == 0) return;
    if (pending_ == nullptr) pending_ = std::make_unique<Pending>();
    (*pending_)[name].take(n);
  }

  // REQUIRES: a matching take for each call.
  void give_back(const std::string& name, std::int64_t n) {
    if (n == 0) return;
    CLARET_CHECK(pending_ != nullptr && pending_->contains(name));
    const auto found = pending_->find(name);
    found->second.give_back(n);
    if (found->second.idle()) pending_->erase(found);
    if (pending_->empty()) pending_.reset();
  }

 private:
  using Pending = absl::flat_hash_map<std::string, Escrow>;
  std::unique_ptr<Pending> pending_;  // null while empty
};

}  // namespace claret

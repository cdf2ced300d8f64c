// Run: what one chain has executed on a record ahead of its commits (docs/decisions/0028-forecasts-and-chains.md).
//
// The entries are in order of execution, which is the order of the commits to come: those at the front commit, those at the back are undone.
// The entries of one party stand together, and all of them were executed before the first of them took effect. While a record has a run its
// state is the *tip*: the committed state and, on top of it, the effects of the entries. Nobody else holds the record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "adt/value.h"
#include "gate/visit.h"
#include "structure/block_pool.h"

namespace claret {

struct Run : Pooled<Run> {
  struct Entry {
    Visit* visit;
    Value kept;  // what undoing its effect needs (DataType::undo)
  };

  explicit Run(std::uint64_t its_owner) : owner(its_owner) {}

  // The index of the first entry of the party; entries.size() if it has none. Searched from the back.
  std::size_t first_of(const Party& party) const {
    std::size_t end = entries.size();
    while (end > 0 && entries[end - 1].visit->party != &party) --end;
    if (end == 0) return entries.size();
    while (end > 0 && entries[end - 1].visit->party == &party) --end;
    return end;
  }

  std::uint64_t owner;  // the number of a chain
  std::deque<Entry, BlockAllocator<Entry>> entries;
};

}  // namespace claret

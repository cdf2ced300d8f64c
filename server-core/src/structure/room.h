// A hash table keeps the capacity of its greatest size. This returns the memory once hardly any entries are left, so that a record or table
// does not keep it forever.
#pragma once

#include <cstddef>

namespace claret {

// A call moves at most this many items, so that no call takes long.
inline constexpr std::size_t kMovedMax = 1024;
inline constexpr std::size_t kRoomPerItem = 64;

// To be called after an erasure from an Abseil table. Invalidates its iterators. Costs a comparison unless there is memory to return.
template <typename Table>
void give_back_room(Table& table) {
  const std::size_t size = table.size();
  const bool ample = size == 0 ? table.capacity() > 1 : size <= kMovedMax && table.capacity() >= kRoomPerItem * size;
  if (ample) table.rehash(0);
}

}  // namespace claret

// A hash table keeps the room of the most that was ever in it. This gives it back once hardly anything is left: what a
// record or a table once held at its height does not stay reserved for good.
#pragma once

#include <cstddef>

namespace claret {

// More is not moved at once: no call runs long.
inline constexpr std::size_t kMovedMax = 1024;
inline constexpr std::size_t kRoomPerItem = 64;

// To be called after an erasure, of an Abseil table. Invalidates its iterators. Costs a comparison unless there is something to give.
template <typename Table>
void give_back_room(Table& table) {
  const std::size_t size = table.size();
  const bool ample = size == 0 ? table.capacity() > 1 : size <= kMovedMax && table.capacity() >= kRoomPerItem * size;
  if (ample) table.rehash(0);
}

}  // namespace claret

// Memory for what comes and goes with every operation: blocks that were given back are handed out again, without a trip
// through the allocator of the process.
//
// Which address an object gets is of no consequence anywhere. Blocks are kept per thread, at most kBlocksKeptMax of each
// size; they stay the process's. With AddressSanitizer nothing is kept, so that it sees each use after an end.
// Thread safety: a block is given back by the thread that took it.
#pragma once

#include <cstddef>

namespace claret {

void* take_block(std::size_t bytes);
void give_block(void* block, std::size_t bytes);

// Derive from it to have one's objects made in blocks. The most derived type is what is made and deleted.
template <typename T>
struct Pooled {
  static void* operator new(std::size_t bytes) { return take_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) { give_block(block, bytes); }
};

// For the containers of such objects.
template <typename T>
struct BlockAllocator {
  using value_type = T;
  BlockAllocator() = default;
  template <typename U>
  BlockAllocator(const BlockAllocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(take_block(count * sizeof(T))); }
  void deallocate(T* items, std::size_t count) { give_block(items, count * sizeof(T)); }
  friend bool operator==(const BlockAllocator&, const BlockAllocator&) { return true; }
};

}  // namespace claret

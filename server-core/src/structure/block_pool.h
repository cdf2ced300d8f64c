// Memory for objects that are created and destroyed with every operation: freed blocks are reused without a call to the process's
// allocator.
//
// No behaviour depends on the addresses of objects. Free blocks are kept per thread, at most kBlocksKeptMax of each size, and are not
// returned to the allocator. With AddressSanitizer no blocks are kept, so that it detects uses after free. Thread safety: a block must be
// given back by the thread that took it.
#pragma once

#include <cstddef>

namespace claret {

void* take_block(std::size_t bytes);
void give_block(void* block, std::size_t bytes);

// A class that derives from Pooled<itself> has its objects allocated in blocks. The most derived type must be created and deleted.
template <typename T>
struct Pooled {
  static void* operator new(std::size_t bytes) { return take_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) { give_block(block, bytes); }
};

// Allocator for containers of such objects.
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

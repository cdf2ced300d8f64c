#include "allocations.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocated = 0;
constexpr std::size_t kAllocatorBytes = 8;

void release(void* block) {
  if (block != nullptr) allocated -= malloc_usable_size(block) + kAllocatorBytes;
  std::free(block);
}

}  // namespace

std::size_t claret::bench::allocated_bytes() { return allocated; }

void* operator new(std::size_t bytes) {
  void* block = std::malloc(bytes);
  if (block == nullptr) std::abort();
  allocated += malloc_usable_size(block) + kAllocatorBytes;
  return block;
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }

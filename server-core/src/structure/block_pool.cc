#include "structure/block_pool.h"

#include <array>
#include <new>

namespace claret {

namespace {

constexpr std::size_t kStepBytes = 64;
constexpr std::size_t kSizes = 16;  // up to 1 KiB; larger ones are not kept

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kBlocksKeptMax = 0;
#else
constexpr std::size_t kBlocksKeptMax = 4096;
#endif

// A free block stores the pointer to the next one.
struct Kept {
  Kept* next;
};

struct Size {
  Kept* first = nullptr;
  std::size_t count = 0;
};

thread_local constinit std::array<Size, kSizes> kept{};

constexpr std::size_t size_index(std::size_t bytes) { return (bytes - 1) / kStepBytes; }

}  // namespace

void* take_block(std::size_t bytes) {
  const std::size_t index = size_index(bytes);
  if (index >= kSizes) return ::operator new(bytes);
  Size& size = kept[index];
  if (size.first == nullptr) return ::operator new((index + 1) * kStepBytes);
  Kept* block = size.first;
  size.first = block->next;
  --size.count;
  return block;
}

void give_block(void* block, std::size_t bytes) {
  const std::size_t index = size_index(bytes);
  if (index >= kSizes || kept[index].count >= kBlocksKeptMax) {
    ::operator delete(block);
    return;
  }
  Size& size = kept[index];
  size.first = ::new (block) Kept{size.first};
  ++size.count;
}

}  // namespace claret

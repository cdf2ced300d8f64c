// Counts every allocation of this process: allocations.cc replaces operator new.
#pragma once

#include <cstddef>

namespace claret::bench {

// Bytes allocated now: usable bytes, plus the eight that the allocator keeps before each block.
std::size_t allocated_bytes();

}  // namespace claret::bench

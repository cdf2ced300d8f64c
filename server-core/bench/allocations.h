// Every allocation of this process is counted: allocations.cc replaces operator new.
#pragma once

#include <cstddef>

namespace claret::bench {

// What is allocated now: usable bytes, and the eight that the allocator keeps before each block.
std::size_t allocated_bytes();

}  // namespace claret::bench

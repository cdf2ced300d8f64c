#include "structure/block_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace claret {
namespace {

TEST(BlockPool, HandsOutBlocksThatDoNotOverlap) {
  for (int round = 0; round < 2; ++round) {  // the second round reuses blocks that were given back
    for (const std::size_t bytes : {1, 64, 65, 1024, 1025, 5000}) {
      std::vector<unsigned char*> blocks;
      for (int i = 0; i < 5000; ++i) {
        blocks.push_back(static_cast<unsigned char*>(take_block(bytes)));
        std::memset(blocks.back(), i & 0xFF, bytes);
      }
      for (int i = 0; i < 5000; ++i) {
        EXPECT_EQ(blocks[i][0], i & 0xFF);
        EXPECT_EQ(blocks[i][bytes - 1], i & 0xFF);
        give_block(blocks[i], bytes);
      }
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(BlockPool, ReusesABlockThatWasGivenBack) {
  void* block = take_block(100);
  give_block(block, 100);
  void* again = take_block(70);  // of the same size class
  EXPECT_EQ(again, block);
  give_block(again, 70);
}
#endif

}  // namespace
}  // namespace claret

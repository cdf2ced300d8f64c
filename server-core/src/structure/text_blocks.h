// A set of texts in order, in blocks: ordered between blocks, searched by hash within one.
//
// A balanced tree of texts touches a node on each of its floors, and compares texts on all of them. Here a directory of numbers leads to the one block
// that may have the text: eight bytes for each block, of the text with which it begins. In the block, one byte of each text's hash is searched for, and as
// a rule one text is compared. A block sorts itself when somebody walks over it, and stays sorted as long as texts are added in order. Measured beside
// absl::btree_set: docs/decisions/0025-hash-tables.md.
//
// Invariants: a block has between 1 and kBlockMax texts, but the first may have none if it is the only one; all of them are before the `least` of
// the next block. The order of hashes shows nowhere. A call moves at most kBlockMax texts, and 16 bytes for each block. Not thread-safe.
#pragma once

#include <absl/functional/function_ref.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claret {

class TextBlocks {
 public:
  static constexpr std::size_t kBlockMax = 128;

  std::size_t size() const { return first_.texts.size() + (others_ == nullptr ? 0 : others_->size); }
  bool empty() const { return first_.texts.empty(); }
  bool contains(std::string_view text) const;
  // Null: there is none. Valid until the next change or walk.
  const std::string* last() const;

  // False if it is there already.
  bool insert(std::string_view text);
  // False if it is not there.
  bool erase(std::string_view text);

  // Calls each(text) for the texts behind `passed` (null: for all), in order, as long as it returns true. The texts stay where they are until the next
  // change or walk.
  void walk_behind(const std::string* passed, absl::FunctionRef<bool(const std::string&)> each) const;

 private:
  static constexpr std::size_t kBlockSmall = kBlockMax / 4;

  struct Block {
    std::vector<std::string> texts;
    std::vector<std::uint8_t> tags;  // a byte of the hash of each text
    bool sorted = true;

    bool is_full() const { return texts.size() == kBlockMax; }
    std::optional<std::size_t> find(std::string_view text, std::uint8_t tag) const;
    void add(std::string_view text, std::uint8_t tag);
    void remove(std::size_t place);
    // Takes the texts of the block that follows.
    void append(Block& next);
    void sort();
  };

  // A block behind the first. No text of it is before `least`.
  struct Behind {
    std::string least;
    Block block;
  };
  struct Directory {
    std::vector<std::unique_ptr<Behind>> blocks;
    std::vector<std::uint64_t> numbers;  // number_of(least) of each block
    std::string common;  // the bytes with which all `least` begin
    std::size_t size = 0;  // the number of texts

    // The eight bytes of the text that follow the common ones.
    std::uint64_t number_of(std::string_view text) const;
    // The number of blocks that begin with the text or before it.
    std::size_t count_up_to(std::string_view text) const;
    void add(std::size_t place, std::unique_ptr<Behind> block);
    void remove(std::size_t place);
    void find_common();
  };

  // Blocks have indices; that of the first is 0.
  std::size_t index_of(std::string_view text) const { return others_ == nullptr ? 0 : others_->count_up_to(text); }
  Block& block(std::size_t index) const { return index == 0 ? first_ : others_->blocks[index - 1]->block; }
  std::size_t last_index() const { return others_ == nullptr ? 0 : others_->blocks.size(); }
  void add_behind(std::size_t index, std::unique_ptr<Behind> block);
  // Divides a full block, the greater half of which becomes the next one.
  void split(std::size_t index);
  // The places of the greater half of a full block's texts.
  std::bitset<kBlockMax> greater_half(std::size_t index) const;
  // A block that has become small is joined with one beside it, if both are small or it is empty.
  void shrink(std::size_t index);
  // Moves the texts of the next block to this one.
  void join_next(std::size_t index);

  mutable Block first_;  // whoever walks over a block sorts it
  std::unique_ptr<Directory> others_;  // null: there are none
};

}  // namespace claret

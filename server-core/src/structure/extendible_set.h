// A hash set that grows in small steps, unlike a single table, which is copied whole when it is full (at a million elements for some 100 ms).
//
// Extendible hashing (Fagin, Nievergelt, Pippenger, Strong: Extendible Hashing, 1979): the highest bits of an element's hash select an entry
// of a directory, which leads to one of many small tables. A full table is split in two by the next bit. The directory doubles if that bit is
// not one of its own yet: it then copies one pointer for each of its entries. Tables are never merged.
//
// An insertion moves at most kTableMax elements. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace claret {

// `Hash` and `Equal` are transparent, as for absl::flat_hash_set. All bits of the hash are used.
template <class Element, class Hash, class Equal>
class ExtendibleSet {
 public:
  static constexpr std::size_t kTableMax = 1'024;

  ExtendibleSet() {
    tables_.push_back(std::make_unique<Table>());
    directory_.push_back(tables_.back().get());
  }

  // Null if there is none. The pointer is valid until the next insertion or erasure.
  const Element* find(const auto& key) const {
    const std::size_t hash = Hash()(key);
    const auto& elements = directory_[entry_of(hash)]->elements;
    const auto found = elements.find(key, hash);
    return found == elements.end() ? nullptr : &*found;
  }

  // REQUIRES: no equal element is there.
  void insert(Element element) {
    const std::size_t hash = Hash()(element);
    Table* table = directory_[entry_of(hash)];
    while (table->elements.size() >= kTableMax && table->depth < kDepthMax) {
      split(hash);
      table = directory_[entry_of(hash)];
    }
    table->elements.insert(std::move(element));
    ++size_;
  }

  // REQUIRES: it is there.
  void erase(const auto& key) {
    auto& elements = directory_[entry_of(Hash()(key))]->elements;
    elements.erase(elements.find(key));
    --size_;
  }

  std::size_t size() const { return size_; }
  std::size_t table_count() const { return tables_.size(); }

 private:
  static constexpr unsigned kBits = std::numeric_limits<std::size_t>::digits;
  // Only elements with almost equal hashes need more bits. Their table grows beyond its limit.
  static constexpr unsigned kDepthMax = 24;

  struct Table {
    unsigned depth = 0;  // the number of bits that the hashes of its elements have in common
    absl::flat_hash_set<Element, Hash, Equal> elements;  // iterated by a split alone, into other tables
  };

  static std::size_t highest(std::size_t hash, unsigned bits) { return bits == 0 ? 0 : hash >> (kBits - bits); }
  std::size_t entry_of(std::size_t hash) const { return highest(hash, depth_); }

  // Splits the table of this hash.
  void split(std::size_t hash) {
    Table& low = *directory_[entry_of(hash)];
    if (low.depth == depth_) extend();
    auto elements = std::exchange(low.elements, {});
    tables_.push_back(std::make_unique<Table>());
    Table& high = *tables_.back();
    high.depth = ++low.depth;
    for (auto next = elements.begin(); next != elements.end();) {
      auto node = elements.extract(next++);
      const bool is_high = (highest(Hash()(node.value()), low.depth) & 1) != 0;
      (is_high ? high : low).elements.insert(std::move(node));
    }
    // The entries of the split table are adjacent; the upper half of them leads to the new one.
    const std::size_t count = std::size_t{1} << (depth_ - low.depth);
    const std::size_t first = (highest(hash, low.depth) | 1) << (depth_ - low.depth);
    for (std::size_t entry = first; entry < first + count; ++entry) directory_[entry] = &high;
  }

  // Doubles the directory: each entry is followed by a copy of it.
  void extend() {
    std::vector<Table*> wider;
    wider.reserve(2 * directory_.size());
    for (Table* table : directory_) wider.insert(wider.end(), {table, table});
    directory_ = std::move(wider);
    ++depth_;
  }

  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<Table*> directory_;  // 2^depth_ entries
  unsigned depth_ = 0;
  std::size_t size_ = 0;
};

}  // namespace claret

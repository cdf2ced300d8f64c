// RankedSet: items with a 64-bit score each, in order of (score, item); lookup by item, rank and score.
//
// A weight-balanced tree (Hirai and Yamamoto, "Balancing weight-balanced trees", with their parameters 3 and 2) with subtree sizes in its
// nodes, beside a hash map from item to score. Setting, erasing and counting take O(log n), a lookup of a score O(1). The shape depends
// only on the calls: no random numbers.
//
// Invariant: the tree and the map hold the same items. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace claret {

class RankedSet {
 public:
  struct Entry {
    std::int64_t score;
    std::string item;
  };

  std::size_t size() const { return scores_.size(); }
  std::optional<std::int64_t> score(const std::string& item) const;

  // Inserts the item, or changes its score.
  void set(const std::string& item, std::int64_t score);
  void erase(const std::string& item);
  // The number of items for which memory is reserved.
  std::size_t room() const { return scores_.capacity(); }

  // The number of entries before (score, item), whether or not that is an entry. For an entry this is its rank, from 0.
  std::size_t count_before(std::int64_t score, std::string_view item) const;

  // Calls visit(entry) in order, from the given rank on, while visit returns true.
  template <typename Visit>
  void visit_from(std::size_t rank, Visit visit) const {
    visit_subtree(root_.get(), rank, visit);
  }

  // The longest path from the root, in nodes.
  std::size_t height() const;

 private:
  struct Node {
    Entry entry;
    std::size_t size = 1;
    std::unique_ptr<Node> left{};
    std::unique_ptr<Node> right{};
  };
  using Tree = std::unique_ptr<Node>;

  static std::size_t size_of(const Tree& tree) { return tree ? tree->size : 0; }
  static bool before(const Entry& entry, std::int64_t score, std::string_view item);
  static void insert(Tree& tree, Tree node);
  static void erase(Tree& tree, std::int64_t score, std::string_view item);
  static Tree take_first(Tree& tree);
  static void rotate_left(Tree& tree);
  static void rotate_right(Tree& tree);
  static void update_size(Node& node);
  static void rebalance(Tree& tree);

  // Skips the first `skip` entries of the subtree. False once the visitor has returned false.
  template <typename Visit>
  static bool visit_subtree(const Node* node, std::size_t skip, Visit& visit) {
    if (node == nullptr || skip >= node->size) return true;
    const std::size_t left = size_of(node->left);
    if (skip < left && !visit_subtree(node->left.get(), skip, visit)) return false;
    if (skip <= left && !visit(node->entry)) return false;
    return visit_subtree(node->right.get(), skip > left ? skip - left - 1 : 0, visit);
  }

  Tree root_;
  absl::flat_hash_map<std::string, std::int64_t> scores_;  // looked up, never iterated
};

}  // namespace claret

#include "structure/ranked_set.h"

#include <algorithm>
#include <utility>

#include "structure/room.h"

namespace claret {

namespace {

// A subtree may weigh this many times its sibling, ...
constexpr std::size_t kBalance = 3;
// ... and one rotation repairs the balance if the inner grandchild weighs less than this many times the outer one.
constexpr std::size_t kSingleRotation = 2;

}  // namespace

std::optional<std::int64_t> RankedSet::score(const std::string& item) const {
  const auto found = scores_.find(item);
  if (found == scores_.end()) return std::nullopt;
  return found->second;
}

void RankedSet::set(const std::string& item, std::int64_t score) {
  const auto [place, is_new] = scores_.try_emplace(item, score);
  if (!is_new) {
    if (place->second == score) return;
    erase(root_, place->second, item);
    place->second = score;
  }
  insert(root_, std::make_unique<Node>(Node{Entry{score, item}}));
}

void RankedSet::erase(const std::string& item) {
  const auto found = scores_.find(item);
  if (found == scores_.end()) return;
  erase(root_, found->second, item);
  scores_.erase(found);
  give_back_room(scores_);
}

std::size_t RankedSet::count_before(std::int64_t score, std::string_view item) const {
  std::size_t count = 0;
  for (const Node* node = root_.get(); node != nullptr;) {
    if (before(node->entry, score, item)) {
      count += size_of(node->left) + 1;
      node = node->right.get();
    } else {
      node = node->left.get();
    }
  }
  return count;
}

std::size_t RankedSet::height() const {
  const auto measure = [](const auto& self, const Tree& tree) -> std::size_t {
    return tree ? 1 + std::max(self(self, tree->left), self(self, tree->right)) : 0;
  };
  return measure(measure, root_);
}

bool RankedSet::before(const Entry& entry, std::int64_t score, std::string_view item) {
  return entry.score != score ? entry.score < score : entry.item < item;
}

void RankedSet::insert(Tree& tree, Tree node) {
  if (!tree) {
    tree = std::move(node);
    return;
  }
  const bool is_after = before(tree->entry, node->entry.score, node->entry.item);
  insert(is_after ? tree->right : tree->left, std::move(node));
  rebalance(tree);
}

// REQUIRES: (score, item) is an entry of the tree.
void RankedSet::erase(Tree& tree, std::int64_t score, std::string_view item) {
  if (tree->entry.score == score && tree->entry.item == item) {
    Tree left = std::move(tree->left);
    Tree right = std::move(tree->right);
    if (!left || !right) {
      tree = std::move(left ? left : right);
      return;
    }
    tree = take_first(right);
    tree->left = std::move(left);
    tree->right = std::move(right);
  } else {
    erase(before(tree->entry, score, item) ? tree->right : tree->left, score, item);
  }
  rebalance(tree);
}

// REQUIRES: the tree is not empty.
RankedSet::Tree RankedSet::take_first(Tree& tree) {
  if (!tree->left) {
    Tree first = std::move(tree);
    tree = std::move(first->right);
    return first;
  }
  Tree first = take_first(tree->left);
  rebalance(tree);
  return first;
}

void RankedSet::rotate_left(Tree& tree) {
  Tree right = std::move(tree->right);
  tree->right = std::move(right->left);
  update_size(*tree);
  right->left = std::move(tree);
  tree = std::move(right);
  update_size(*tree);
}

void RankedSet::rotate_right(Tree& tree) {
  Tree left = std::move(tree->left);
  tree->left = std::move(left->right);
  update_size(*tree);
  left->right = std::move(tree);
  tree = std::move(left);
  update_size(*tree);
}

void RankedSet::update_size(Node& node) { node.size = size_of(node.left) + 1 + size_of(node.right); }

// A subtree's weight is its size + 1.
void RankedSet::rebalance(Tree& tree) {
  update_size(*tree);
  const auto weight = [](const Tree& subtree) { return size_of(subtree) + 1; };
  if (weight(tree->right) > kBalance * weight(tree->left)) {
    Tree& right = tree->right;
    if (weight(right->left) >= kSingleRotation * weight(right->right)) rotate_right(right);
    rotate_left(tree);
  } else if (weight(tree->left) > kBalance * weight(tree->right)) {
    Tree& left = tree->left;
    if (weight(left->right) >= kSingleRotation * weight(left->left)) rotate_left(left);
    rotate_right(tree);
  }
}

}  // namespace claret

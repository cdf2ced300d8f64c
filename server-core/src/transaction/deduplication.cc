#include "transaction/deduplication.h"

#include <algorithm>

#include "ground/check.h"
#include "structure/room.h"

namespace claret {

const Deduplication::Entry* Deduplication::find(const TransactionId& id, double wall_ms) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return nullptr;
  const Entry& entry = found->second;
  const bool over = entry.committed_at != 0 && static_cast<double>(entry.until_wall_ms) <= wall_ms;
  return over ? nullptr : &entry;
}

void Deduplication::claim(const TransactionId& id, std::string_view answer, std::uint32_t keep_ms) {
  erase(id);
  entries_.emplace(id, Entry{.keep_ms = keep_ms, .answer = std::string(answer)});
  bytes_ += answer.size();
}

bool Deduplication::answer(const TransactionId& id, std::string_view answer, std::uint32_t keep_ms) {
  Entry& entry = entries_.find(id)->second;
  const std::size_t others = bytes_ - entry.answer.size();
  if (others + answer.size() > bytes_max_) return false;
  bytes_ = others + answer.size();
  entry.answer = answer;
  entry.keep_ms = keep_ms;
  return true;
}

void Deduplication::commit(const TransactionId& id, Timestamp at, std::uint64_t until_wall_ms, std::uint64_t position) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  if (entry.committed_at != 0) by_time_.erase({entry.until_wall_ms, id});
  entry.committed_at = at;
  entry.until_wall_ms = until_wall_ms;
  entry.position = position;
  by_time_.emplace(until_wall_ms, id);
  if (position != 0) kept_since_.push_back(id);
  if (walk_ && walk_->slots.contains(slot_of(id))) walk_->again.push_back(id);
}

void Deduplication::release(const TransactionId& id) {
  CLARET_CHECK(entries_.contains(id));
  const auto found = entries_.find(id);
  if (found != entries_.end() && found->second.committed_at == 0) erase(id);
}

void Deduplication::erase(const TransactionId& id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  const Entry& entry = found->second;
  bytes_ -= entry.answer.size();
  if (entry.committed_at != 0) by_time_.erase({entry.until_wall_ms, id});
  entries_.erase(found);
  give_back_room(entries_);
}

void Deduplication::forget_fresh() {
  if (kept_since_.size() < 2 * entries_.size() + kForgetStep) return;
  std::erase_if(kept_since_, [&](const TransactionId& id) { return !entries_.contains(id); });
}

bool Deduplication::forget_due(double wall_ms) {
  const auto due = [&] { return !by_time_.empty() && static_cast<double>(by_time_.begin()->first) <= wall_ms; };
  for (int step = 0; step < kForgetStep && due(); ++step) erase(TransactionId(by_time_.begin()->second));
  return due();
}

bool Deduplication::take_fresh(std::size_t bytes_max, std::string& piece, std::uint64_t& until_wall_ms) {
  piece.clear();
  until_wall_ms = 0;
  if (next_fresh_ == fresh_.size()) return false;
  for (int step = 0; step < kFreshStep && next_fresh_ < fresh_.size() && piece.size() < bytes_max; ++step) {
    const TransactionId& id = fresh_[next_fresh_++];
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.committed_at == 0) continue;  // forgotten in the meantime
    const Entry& entry = found->second;
    add_kept_answer(piece, {id, entry.committed_at, entry.until_wall_ms, entry.answer});
    until_wall_ms = std::max(until_wall_ms, entry.until_wall_ms);
  }
  return true;
}

bool Deduplication::restore(std::string_view piece) {
  std::vector<KeptAnswer> kept;
  if (!read_kept_answers(piece, kept)) return false;
  for (const KeptAnswer& one : kept) {
    // A known entry is newer: an open vote, or a later transaction with the same id.
    const auto known = entries_.find(one.id);
    if (known != entries_.end() && (known->second.committed_at == 0 || known->second.until_wall_ms >= one.until_wall_ms)) {
      continue;
    }
    claim(one.id, one.answer);
    commit(one.id, one.committed_at, one.until_wall_ms, 0);
  }
  return true;
}

// ---- slots that move ------------------------------------------------------------------------------------------------------

void Deduplication::add(const TransactionId& id, const Entry& entry, double wall_ms, std::string& piece) const {
  if (entry.committed_at == 0 || static_cast<double>(entry.until_wall_ms) <= wall_ms) return;
  add_kept_answer(piece, {id, entry.committed_at, entry.until_wall_ms, entry.answer});
}

bool Deduplication::take_of_slots(std::size_t bytes_max, double wall_ms, std::string& piece) {
  CLARET_CHECK(walk_.has_value());
  const std::size_t begin = piece.size();
  const auto full = [&] { return piece.size() - begin >= bytes_max; };
  int steps = 0;
  auto next = by_time_.upper_bound(walk_->passed);
  for (; !walk_->ended && next != by_time_.end() && steps < kForgetStep && !full(); ++next, ++steps) {
    walk_->passed = *next;
    if (walk_->slots.contains(slot_of(next->second))) add(next->second, entries_.find(next->second)->second, wall_ms, piece);
  }
  walk_->ended = walk_->ended || next == by_time_.end();
  for (; walk_->ended && !walk_->again.empty() && steps < kForgetStep && !full(); ++steps) {
    if (const auto found = entries_.find(walk_->again.back()); found != entries_.end()) add(found->first, found->second, wall_ms, piece);
    walk_->again.pop_back();
  }
  return !walk_->ended || !walk_->again.empty();
}

void Deduplication::adopt(const KeptAnswer& kept, std::uint64_t position) {
  claim(kept.id, kept.answer);
  commit(kept.id, kept.committed_at, kept.until_wall_ms, position);
}

bool Deduplication::sweep(absl::FunctionRef<bool(std::uint32_t)> wanted) {
  auto next = by_time_.upper_bound(swept_);
  for (int step = 0; step < kForgetStep && next != by_time_.end(); ++step) {
    swept_ = *next++;
    if (wanted(slot_of(swept_.second))) continue;
    erase(TransactionId(swept_.second));
    next = by_time_.upper_bound(swept_);  // the iterator is not valid any more
  }
  return next != by_time_.end();
}

}  // namespace claret

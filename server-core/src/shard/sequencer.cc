#include "shard/sequencer.h"

#include <algorithm>
#include <limits>

#include "wire/server_frame.h"

namespace claret {

void Sequencer::want(Session& session) {
  if (holder_ == &session) back(session);
  if (std::find(wanting_.begin(), wanting_.end(), &session) != wanting_.end()) return;
  wanting_.push_back(&session);
  if (holder_ == nullptr) {
    grant_next();
  } else if (wanting_.size() == 1) {
    recalled_ms_ = clock_.now_ms();
    tell(true);
  }
}

void Sequencer::back(Session& session) {
  std::erase(wanting_, &session);
  if (holder_ == &session) grant_next();
}

void Sequencer::grant_next() {
  holder_ = nullptr;
  if (wanting_.empty()) return;
  holder_ = wanting_.front();
  wanting_.pop_front();
  number_ = clock_.next();
  recalled_ms_ = clock_.now_ms();
  ++counters_.totals.turns;
  tell(!wanting_.empty());
}

void Sequencer::tell(bool recalled) {
  server_frame::add_turn(holder_->at_once, number_, recalled);
  has_output_(*holder_);
}

void Sequencer::sweep() {
  if (next_ms() <= clock_.now_ms()) grant_next();
}

double Sequencer::next_ms() const { return wanting_.empty() ? std::numeric_limits<double>::infinity() : recalled_ms_ + kPatienceMs; }

}  // namespace claret

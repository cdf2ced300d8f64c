#include "shard/sequencer.h"

#include <algorithm>
#include <limits>

#include "wire/server_frame.h"

namespace claret {

void Sequencer::want(Session& session) {
  if (holder_ == &session) back(session);
  learn_late(session);
  if (std::any_of(wishes_.begin(), wishes_.end(), [&](const Wish& wish) { return wish.session == &session; })) return;
  wishes_.push_back({&session, clock_.now_ms()});
  if (holder_ == nullptr) return pass_on(false);
  waiting_most_ = std::max(waiting_most_, wishes_.size());
  if (wishes_.size() != 1) return;
  recalled_ms_ = clock_.now_ms();
  tell(true);
}

void Sequencer::back(Session& session) {
  std::erase_if(wishes_, [&](const Wish& wish) { return wish.session == &session; });
  learn_late(session);
  if (holder_ != &session) return;
  if (waiting_most_ > 0) patience_.learn(clock_.now_ms() - recalled_ms_);
  pass_on(false);
}

void Sequencer::learn_late(const Session& session) {
  if (late_ != &session) return;
  late_ = nullptr;
  patience_.learn(clock_.now_ms() - late_recalled_ms_);
}

void Sequencer::pass_on(bool timed_out) {
  const double now_ms = clock_.now_ms();
  if (const std::optional<KeptTurn> ended = turn()) {
    if (timed_out) {
      ++counters_.totals.turns_timed_out;
      late_ = holder_;
      late_recalled_ms_ = recalled_ms_;
    }
    counters_.totals.turn_kept_ms += now_ms - began_ms_;
    if (turns_ != nullptr) turns_->ended(*ended, timed_out, now_ms);
  }
  holder_ = nullptr;
  if (wishes_.empty()) return;
  holder_ = wishes_.front().session;
  counters_.totals.turn_wait_ms += now_ms - wishes_.front().since_ms;
  wishes_.pop_front();
  number_ = clock_.next();
  began_ms_ = recalled_ms_ = now_ms;
  waiting_most_ = wishes_.size();
  ++counters_.totals.turns;
  tell(!wishes_.empty());
}

void Sequencer::tell(bool recalled) {
  server_frame::add_turn(holder_->at_once, number_, recalled);
  has_output_(*holder_);
}

std::optional<KeptTurn> Sequencer::turn() const {
  if (holder_ == nullptr) return std::nullopt;
  return KeptTurn{holder_->name, holder_->peer, began_ms_, waiting_most_, waiting_most_ > 0};
}

void Sequencer::sweep() {
  if (next_ms() <= clock_.now_ms()) pass_on(true);
}

double Sequencer::next_ms() const { return wishes_.empty() ? std::numeric_limits<double>::infinity() : recalled_ms_ + patience_.ms(); }

}  // namespace claret

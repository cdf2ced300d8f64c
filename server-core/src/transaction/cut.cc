#include "transaction/cut.h"

#include "ground/check.h"

namespace claret {

Timestamp Cut::prepare() {
  CLARET_CHECK(!prepared_ && at_ == 0);
  position_.reset();
  prepared_ = true;
  return clock_.reached();
}

bool Cut::set(Timestamp at) {
  CLARET_CHECK(prepared_);
  at |= 0xFF;  // for timestamps of any shard
  if (clock_.reached() > at) return false;
  at_ = at;
  clock_.watch(at, [this] { passed(); });
  // A start from the restored entries begins above every timestamp that any shard can have issued before its cut.
  if (at > clock_.ceiling()) clock_.raise_ceiling(at);
  return true;
}

std::uint64_t Cut::pass() {
  CLARET_CHECK(is_set());
  if (!position_) {
    clock_.raise(at_);
    passed();
  }
  return *std::exchange(position_, std::nullopt);
}

void Cut::passed() {
  const std::uint64_t position = journal_.position();
  call_off();
  position_ = position;
}

void Cut::call_off() {
  prepared_ = false;
  at_ = 0;
  clock_.watch_no_more();
  position_.reset();
  forget_(std::exchange(forgotten_, {}));
  over_();
}

bool Cut::defers(const std::vector<AttemptId>& forgotten) {
  if (prepared_) forgotten_.insert(forgotten_.end(), forgotten.begin(), forgotten.end());
  return prepared_;
}

}  // namespace claret

// Polling: waking a sleeping event loop costs more than processing a frame, so after input the loop stays awake for a while. After a series of polls
// without input, polling pauses until input comes close together again. (As gateway/src/store/polling.ts.)
#pragma once

namespace claret {

class Polling {
 public:
  explicit Polling(double poll_ms = 0) : poll_ms_(poll_ms) {}

  bool on() const { return poll_ms_ > 0; }
  void came(double now_ms) {
    if (now_ms - last_ms_ < 2 * poll_ms_) useless_ = 0;
    last_ms_ = now_ms;
    until_ms_ = useless_ < kUselessMax ? now_ms + poll_ms_ : 0;
    useful_ = true;
  }
  // To be asked once in each turn of the event loop: whether it is to stay awake.
  bool awake(double now_ms) {
    if (!useful_ && until_ms_ > 0) polled_ms_ += now_ms - asked_ms_;
    useful_ = false;
    asked_ms_ = now_ms;
    if (now_ms < until_ms_) return true;
    if (until_ms_ > 0) ++useless_;
    until_ms_ = 0;
    return false;
  }
  // Time in which it was awake and nothing came, in total.
  double polled_ms() const { return polled_ms_; }

 private:
  static constexpr int kUselessMax = 16;  // polls in a row

  double poll_ms_;
  double until_ms_ = 0;
  double last_ms_ = 0;
  double asked_ms_ = 0;
  double polled_ms_ = 0;
  int useless_ = 0;
  bool useful_ = false;
};

}  // namespace claret

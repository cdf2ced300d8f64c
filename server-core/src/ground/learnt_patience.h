// LearntPatience: how long to wait for others before going on without them. Where they usually take longer, as on busy machines and slow networks,
// it is longer: who is given up for being slow begins again, and makes all of them slower.
#pragma once

#include <algorithm>

namespace claret {

class LearntPatience {
 public:
  // At least `least_ms`, at most `most_ms`, and in between `times` as long as they usually take.
  constexpr LearntPatience(double least_ms, double most_ms, double times) : least_ms_(least_ms), most_ms_(most_ms), times_(times) {}

  // One of them has taken so long, or was given up after so long.
  void learn(double ms) { usual_ms_ += kNewestShare * (std::min(ms, most_ms_ / times_) - usual_ms_); }

  double ms() const { return std::clamp(times_ * usual_ms_, least_ms_, most_ms_); }

 private:
  static constexpr double kNewestShare = 1.0 / 8;

  double least_ms_;
  double most_ms_;
  double times_;
  double usual_ms_ = 0;
};

}  // namespace claret

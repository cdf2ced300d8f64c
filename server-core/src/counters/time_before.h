// How a transaction spent its time before its attempt began, as reported by its client; also sums of such times. Not thread-safe.
#pragma once

namespace claret {

struct TimeBefore {
  double thrown_away_ms = 0;  // in earlier attempts, without their waits for locks
  double backing_off_ms = 0;  // between attempts
  double queued_ms = 0;  // in the client, until fewer of its transactions ran

  TimeBefore& operator+=(const TimeBefore& other) {
    thrown_away_ms += other.thrown_away_ms;
    backing_off_ms += other.backing_off_ms;
    queued_ms += other.queued_ms;
    return *this;
  }
  TimeBefore& operator-=(const TimeBefore& other) {
    thrown_away_ms -= other.thrown_away_ms;
    backing_off_ms -= other.backing_off_ms;
    queued_ms -= other.queued_ms;
    return *this;
  }
};

}  // namespace claret

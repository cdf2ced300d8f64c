// What a transaction spent its time with before its attempt began, as its client says, and the sum of that. Thread safety:
// none needed.
#pragma once

namespace claret {

struct TimeBefore {
  double thrown_away_ms = 0;  // in earlier attempts, less what these waited for locks
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

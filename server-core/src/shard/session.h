// A session: a peer's streams of frames to and from this shard.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>

#include "transaction/coordinator.h"
#include "transaction/shard_clock.h"

namespace claret {

struct Session : Coordinator {
  std::uint32_t peer = 0;
  std::uint32_t shard = 0;  // if it is of a shard
  bool welcomed = false;
  bool closing = false;  // its last frame is in `out`
  std::uint64_t frames_in = 0;
  std::uint64_t held_from = 0;  // the first frame with requests that have not run yet; 0: none
  std::uint64_t frames_out = 0;
  std::uint64_t acknowledged = 0;  // the last frame number acknowledged to the peer
  // Frames with outcomes that a restart would not know yet; they are acknowledged only once it would.
  struct Unsafe {
    std::uint64_t frame;
    std::uint64_t position;  // in the log
    Timestamp at;  // of outcomes that nothing can be logged of: a restart has to be above it; 0: there is none
  };
  std::deque<Unsafe> unsafe;
  bool has_output = false;  // reported to the caller of process()
  bool overflowed = false;  // output beyond its limit was dropped: the session will be closed

  // The last frame of the peer whose contents are safe: processed, and durable as far as they are outcomes.
  std::uint64_t safely_taken_in(const ShardClock& clock, std::uint64_t durable) {
    while (!unsafe.empty() && unsafe.front().position <= durable && clock.covers(unsafe.front().at)) unsafe.pop_front();
    const std::uint64_t run = held_from == 0 ? frames_in : held_from - 1;
    return unsafe.empty() ? run : std::min(run, unsafe.front().frame - 1);
  }

  // What leaves next waits until a restart would be above this timestamp; 0: it does not, or waits for the log.
  Timestamp waits_to_tell(std::uint64_t durable) const {
    if (!full.empty()) return full.front().needs <= durable ? full.front().tells : 0;
    return unsafe.empty() || unsafe.front().position > durable ? 0 : unsafe.front().at;
  }
};

}  // namespace claret

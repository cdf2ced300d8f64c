// The bodies of frames to one peer. A frame leaves once the log is durable up to the position on which its content depends, and once a restart
// would be above the timestamps that it tells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "ground/identifiers.h"

namespace claret {

// A frame is sealed once it has this size; a single long message may exceed it.
inline constexpr std::size_t kFrameBytesWanted = 256 * 1024;

struct Outbox {
  struct Body {
    std::string bytes;
    std::uint64_t needs;  // position in the log
    Timestamp tells;  // for which only the wall clock can do that; 0: none
  };
  std::string at_once;  // output that depends on no entry of the log, and overtakes what does
  std::string out;  // the body of the frame being filled
  std::uint64_t out_needs = 0;
  Timestamp out_tells = 0;
  std::deque<Body> full;  // bodies of earlier frames
  std::size_t full_bytes = 0;

  std::size_t output_bytes() const { return full_bytes + out.size() + at_once.size(); }
  // Called between two messages: seals a frame that is large enough, so that peers can read the output in pieces that they can hold.
  void cut() {
    if (out.size() >= kFrameBytesWanted) seal();
  }
  void seal() {
    full_bytes += out.size();
    full.push_back({std::exchange(out, {}), std::exchange(out_needs, 0), std::exchange(out_tells, 0)});
  }
  // The next output depends on this entry of the log. Earlier output that is free to leave does not wait for it.
  void depend_on(std::uint64_t position, std::uint64_t durable) {
    if (position > durable) hold_back(position, durable);
  }
  // The next output tells of this timestamp, and waits until the wall clock has passed it. Earlier output does not wait for that.
  void tell_late(Timestamp at) {
    if (!out.empty() && out_tells == 0) seal();
    out_tells = std::max(out_tells, at);
  }
  void drop_output() {
    at_once.clear();
    out.clear();
    out_needs = 0;
    out_tells = 0;
    full.clear();
    full_bytes = 0;
  }

 private:
  void hold_back(std::uint64_t position, std::uint64_t durable);
};

}  // namespace claret

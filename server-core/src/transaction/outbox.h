// The bodies of frames on their way to one peer. A frame leaves once the log is durable up to where its content depends on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace claret {

// A frame is closed once it is this long; one long message may make it longer.
inline constexpr std::size_t kFrameBytesWanted = 256 * 1024;

struct Outbox {
  struct Body {
    std::string bytes;
    std::uint64_t needs;  // position in the log
  };
  std::string out;  // the body of the frame that is being filled
  std::uint64_t out_needs = 0;
  std::deque<Body> full;  // bodies of frames before it
  std::size_t full_bytes = 0;

  std::size_t output_bytes() const { return full_bytes + out.size(); }
  // Between two messages: a frame that is full enough is closed. A peer reads in pieces it can hold.
  void cut() {
    if (out.size() >= kFrameBytesWanted) seal();
  }
  void seal() {
    full_bytes += out.size();
    full.push_back({std::exchange(out, {}), std::exchange(out_needs, 0)});
  }
  // What is written next depends on this entry of the log. What is there already and may leave does not wait for it.
  void depend_on(std::uint64_t position, std::uint64_t durable) {
    if (position > durable) hold_back(position, durable);
  }
  void drop_output() {
    out.clear();
    out_needs = 0;
    full.clear();
    full_bytes = 0;
  }

 private:
  void hold_back(std::uint64_t position, std::uint64_t durable);
};

}  // namespace claret

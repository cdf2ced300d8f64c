// Frames with requests that have not run yet because the budget of the turn in which they arrived was spent (docs/rules.md, section 11), in
// order of arrival. Messages that cannot wait (outcomes, aborts, inquiries) have been processed already.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/client_frame.h"

namespace claret {

// How far the requests of a frame have been processed.
struct Progress {
  double arrived_ms = 0;
  std::size_t next_natives = 0;  // index of the next message of natives to run; they run before the requests
  std::size_t next = 0;  // index of the next request to run
  std::size_t next_member = 0;  // index of the next member to take; they come after the requests
  std::size_t next_peek = 0;  // index of the next peek to answer; they come after the members
};

struct HeldFrame {
  std::uint32_t peer = 0;
  std::string bytes;  // `frame` points into these bytes
  ClientFrame frame;
  Progress progress;
};

class Backlog {
 public:
  bool empty() const { return frames_.empty(); }
  HeldFrame& front() { return *frames_.front(); }
  void pop() { frames_.pop_front(); }

  void hold(std::uint32_t peer, std::string_view bytes, const Progress& progress) {
    auto held = std::make_unique<HeldFrame>();
    held->peer = peer;
    held->bytes = bytes;
    held->progress = progress;
    decode(held->bytes, held->frame);
    frames_.push_back(std::move(held));
  }

  // The peer has disconnected.
  void drop(std::uint32_t peer) {
    std::erase_if(frames_, [&](const auto& held) { return held->peer == peer; });
  }

  // These attempts of the peer have ended: their remaining requests must not run.
  void drop(std::uint32_t peer, const std::vector<std::uint64_t>& ended) {
    for (const auto& held : frames_) {
      if (held->peer != peer) continue;
      auto& requests = held->frame.requests;
      const auto from = requests.begin() + static_cast<std::ptrdiff_t>(held->progress.next);
      const auto gone = std::remove_if(from, requests.end(), [&](const RequestMessage& request) {
        return std::find(ended.begin(), ended.end(), request.attempt) != ended.end();
      });
      requests.erase(gone, requests.end());
    }
  }

  // The sequence number of the peer's first frame in the backlog; 0 if there is none.
  std::uint64_t first_of(std::uint32_t peer) const {
    for (const auto& held : frames_) {
      if (held->peer == peer) return held->frame.sequence;
    }
    return 0;
  }

 private:
  std::deque<std::unique_ptr<HeldFrame>> frames_;
};

}  // namespace claret

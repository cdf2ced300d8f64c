// Frames whose requests are still to run: the budget of the turn they came in was spent (docs/rules.md,
// section 11). In order of arrival; what cannot wait (outcomes, aborts, questions) was taken from them already.
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

// How far a frame's requests have come.
struct Progress {
  double arrived_ms = 0;
  bool begun = false;
  std::size_t next = 0;  // of its requests
};

struct HeldFrame {
  std::uint32_t peer = 0;
  std::string bytes;  // `frame` points into them
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

  // The peer is gone.
  void drop(std::uint32_t peer) {
    std::erase_if(frames_, [&](const auto& held) { return held->peer == peer; });
  }

  // These attempts of the peer have ended: what they asked for before is not to run any more.
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

  // The peer's first frame in here, 0 if it has none.
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

// KnownSnapshots: the last snapshots of one session that this shard has read at, and when their transactions had begun at the latest.
//
// A snapshot's timestamp is that of one transaction alone: the shard that has drawn it has given it to nobody else.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "ground/identifiers.h"

namespace claret {

class KnownSnapshots {
 public:
  // Infinity: that is not known.
  double begun_by_ms(Timestamp at) const {
    const auto found = std::find_if(last_.begin(), last_.end(), [&](const Known& one) { return one.at == at; });
    return found == last_.end() ? std::numeric_limits<double>::infinity() : found->begun_by_ms;
  }

  void note(Timestamp at, double begun_by_ms) {
    const auto found = std::find_if(last_.begin(), last_.end(), [&](const Known& one) { return one.at == at; });
    if (found != last_.end()) {
      found->begun_by_ms = std::min(found->begun_by_ms, begun_by_ms);
    } else {
      last_[next_++ % last_.size()] = {at, begun_by_ms};
    }
  }

 private:
  struct Known {
    Timestamp at = 0;
    double begun_by_ms = 0;
  };
  std::array<Known, 8> last_{};
  std::size_t next_ = 0;
};

}  // namespace claret

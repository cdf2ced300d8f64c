// For history_test: the shared operations that an actor's session holds for its transactions to join. It also remembers every number that
// it ever asked for, so that all can be released in the end.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "shard/dice.h"
#include "shard/test_client.h"

namespace claret::testing {

class Shares {
 public:
  struct Standing {
    std::uint32_t number;
    Op op;
    std::vector<Value> result;  // empty if the operation has none
  };

  // Asks now and then for the operation to be shared.
  void ask(Dice& dice, Op& op) {
    if (dice.below(3) == 0) asked_.push_back(op.share = next_++);
  }

  void stands(Standing standing) { standing_.push_back(std::move(standing)); }

  // A random shared operation; null if there is none, or at random.
  const Standing* pick(Dice& dice) const {
    if (standing_.empty() || dice.below(2) == 0) return nullptr;
    return &standing_[dice.below(standing_.size())];
  }

  // Releases some, in the session's next frame.
  void release_some(Dice& dice, TestClient& session) {
    if (standing_.size() < 4 && dice.below(20) != 0) return;
    while (!standing_.empty() && dice.below(3) != 0) release(standing_.front().number, session);
  }

  // Joins the operation no more, and releases it; some sessions never release.
  void wounded(std::uint32_t number, TestClient& session) {
    if (number % 4 == 0) {
      std::erase_if(standing_, [&](const Standing& standing) { return standing.number == number; });
    } else {
      release(number, session);
    }
  }

  // Called repeatedly, since a request that still waits is granted later.
  void release_all(TestClient& session) {
    if (!asked_.empty()) session.release(asked_);
    standing_.clear();
  }

  void lost() {
    asked_.clear();
    standing_.clear();
  }

 private:
  void release(std::uint32_t number, TestClient& session) {
    session.release({number});
    std::erase(asked_, number);
    std::erase_if(standing_, [&](const Standing& standing) { return standing.number == number; });
  }

  std::uint32_t next_ = 1;
  std::vector<std::uint32_t> asked_;
  std::vector<Standing> standing_;
};

}  // namespace claret::testing

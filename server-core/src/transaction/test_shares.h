// For history_test: what an actor's session holds for its transactions to join. Beside what stands, it remembers what was
// ever asked for, so that in the end nothing is left.
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
    std::vector<Value> result;  // empty where the operation has none
  };

  // Asks for the operation to be shared, now and then.
  void ask(Dice& dice, Op& op) {
    if (dice.below(3) == 0) asked_.push_back(op.share = next_++);
  }

  void stands(Standing standing) { standing_.push_back(std::move(standing)); }

  // Null when there is none, or the dice say no.
  const Standing* pick(Dice& dice) const {
    if (standing_.empty() || dice.below(2) == 0) return nullptr;
    return &standing_[dice.below(standing_.size())];
  }

  // Lets go of some, in the session's next frame.
  void release_some(Dice& dice, TestClient& session) {
    if (standing_.size() < 4 && dice.below(20) != 0) return;
    while (!standing_.empty() && dice.below(3) != 0) release(standing_.front().number, session);
  }

  // Nobody joins it any more. Some sessions never say so.
  void wounded(std::uint32_t number, TestClient& session) {
    if (number % 4 == 0) {
      std::erase_if(standing_, [&](const Standing& standing) { return standing.number == number; });
    } else {
      release(number, session);
    }
  }

  // Again and again: what is still waited for is granted later.
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

// For tests of histories: a client that sends natives to one shard, one at a time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "transaction/test_chain_actor.h"

namespace claret::testing {

// Natives, each of which is awaited: otherwise nobody knows whose result it is.
class NativeClient {
 public:
  NativeClient(World& world, std::uint32_t peer, std::uint32_t shard, bool observes_only, std::vector<Committed>& history)
      : world_(world), peer_(peer), shard_(shard), observes_only_(observes_only), history_(history) {
    connect();
  }

  void act(Dice& dice) {
    session_->read();
    if (op_) return take_in();
    Op op = chain_operation(world_, dice, shard_);
    if (observes_only_ && !observes(op)) return;
    op_ = op;
    session_->native_results.clear();
    number_ = session_->send_natives({op});
    take_in();
  }
  void connect() {
    session_ = std::make_unique<TestClient>(world_, peer_ + 1000 * ++connections_, shard_);
    op_.reset();
  }
  bool idle() {
    session_->read();
    if (op_) take_in();
    return !op_;
  }

 private:
  void take_in() {
    const NativeSeen seen = session_->natives[number_];
    if (seen.at == 0 && seen.error.empty()) return;
    if (seen.at != 0) {
      Committed committed{seen.at, {{*op_, {}}}};
      if (has_result(*op_)) committed.operations[0].result = {session_->native_results.at(0)};
      history_.push_back(std::move(committed));
    }
    op_.reset();
  }

  World& world_;
  std::uint32_t peer_;
  std::uint32_t shard_;
  bool observes_only_;
  std::vector<Committed>& history_;
  std::uint32_t connections_ = 0;
  std::unique_ptr<TestClient> session_;
  std::optional<Op> op_;
  std::uint64_t number_ = 0;
};

}  // namespace claret::testing

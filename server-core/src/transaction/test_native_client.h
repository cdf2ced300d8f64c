// For tests of histories: a client that sends natives, one at a time, to whichever shard owns the record.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "transaction/test_chain_actor.h"

namespace claret::testing {

class NativeClient : public StormActor {
 public:
  enum class Sessions : std::uint8_t {
    kLosable,  // what was under way is unknown if one is lost: it only observes
    kKept,  // no session is lost
    kResumed,  // what was under way is settled by the next session
  };

  NativeClient(World& world, std::uint32_t identity, Sessions sessions, std::vector<Committed>& history)
      : world_(world), identity_(identity), sessions_kind_(sessions), history_(history) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) connect(shard);
  }

  // Each is awaited: otherwise nobody knows whose result it is.
  void act(Dice& dice) override {
    if (op_) return take_in();
    const auto any = static_cast<std::uint32_t>(dice.below(world_.dealt));
    Op op = dice.below(2) == 0 ? random_operation(dice) : chain_operation(world_, dice, any);
    if (sessions_kind_ == Sessions::kLosable && !observes(op)) return;
    op_ = std::move(op);
    shard_ = world_.owner(op_->key);
    TestClient& session = *sessions_[shard_];
    session.native_results.clear();
    session.natives.clear();
    sent_in_ = names_[shard_];
    number_ = session.send_natives({*op_});
    take_in();
  }

  void lose_session(std::uint32_t shard) override {
    if (sessions_kind_ == Sessions::kKept) return;
    sessions_[shard]->hang_up();
    connect(shard);
    if (sessions_kind_ == Sessions::kLosable && shard_ == shard) op_.reset();
  }
  void finish(Dice&) override {
    if (op_) take_in();
  }
  bool idle() override { return !op_; }

 private:
  void connect(std::uint32_t shard) {
    TestClient::Numbered numbered;
    ++connections_;
    if (sessions_kind_ == Sessions::kResumed) {
      // A session that was lost before it could say what became of the one before it does not count.
      numbered.resumes = op_ && shard_ == shard ? sent_in_ : names_[shard];
      numbered.session = names_[shard] = std::uint64_t{identity_} << 32 | connections_;
    }
    sessions_[shard] = std::make_unique<TestClient>(world_, identity_ + 1000 * connections_, numbered, shard, identity_);
  }

  void take_in() {
    TestClient& session = *sessions_[shard_];
    session.read();
    if (!session.closing.empty()) return lose_session(shard_);
    const NativeSeen seen = session.natives[number_];
    if (seen.at != 0) {
      Committed committed{seen.at, {{*op_, {}}}};
      if (has_result(*op_) && !session.native_results.empty()) committed.operations[0].result = {session.native_results.back()};
      EXPECT_TRUE(sent_in_ != names_[shard_] || !has_result(*op_) || !session.native_results.empty());
      history_.push_back(std::move(committed));
      ++counts["natives"];
    } else if (seen.error.empty()) {
      // The shard says what it knows of the lost session once that is durable: what it does not name was not executed.
      if (sent_in_ == names_[shard_] || session.bytes_seen.empty()) return;
    }
    op_.reset();
  }

  World& world_;
  std::uint32_t identity_;
  Sessions sessions_kind_;
  std::vector<Committed>& history_;
  std::array<std::unique_ptr<TestClient>, 3> sessions_;
  std::array<std::uint64_t, 3> names_{};
  std::uint64_t sent_in_ = 0;  // the session in which the native was sent
  std::optional<Op> op_;
  std::uint32_t shard_ = 0;
  std::uint64_t number_ = 0;
  std::uint32_t connections_ = 0;
};

}  // namespace claret::testing

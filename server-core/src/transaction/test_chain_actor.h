// For tests: a client that sends chains to one shard, as the client library does, with bodies that change their minds and messages that
// cross on the way.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"

namespace claret::testing {

// Operations of the types that clients forecast, on keys of the shard (or of any, if it has none of those that tests use).
inline Op chain_operation(const World& world, Dice& dice, std::uint32_t shard) {
  for (int tries = 0;; ++tries) {
    Op op = random_operation(dice, false, false);
    if (dice.below(4) == 0) {
      const Value n(static_cast<std::int64_t>(1 + dice.below(4)));
      op.key = "bounded" + std::to_string(dice.below(4));
      op.arguments = {n};
      switch (dice.below(5)) {
        case 0:
          op.name = "BoundedCounter.value";
          op.arguments.clear();
          break;
        case 1:
          op.name = "BoundedCounter.decrement";
          break;
        case 2:
          op.name = "BoundedCounter.tryDecrement";
          break;
        default:
          op.name = "BoundedCounter.increment";
      }
    }
    if (world.owner(op.key) == shard || tries == 1000) return op;
  }
}

class ChainActor : public StormActor {
 public:
  ChainActor(World& world, std::uint32_t identity, std::uint32_t shard, std::vector<Committed>& history)
      : world_(world), identity_(identity), shard_(shard), history_(history) {
    connect();
  }

  void act(Dice& dice) override {
    if (dice.below(3) != 0) take_in(dice);
    ask();
    if (members_.size() < 12 && dice.below(2) == 0) {
      for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) begin(dice);
      send();
    }
    if (dice.below(25) == 0) give_up_one(dice);
    if (dice.below(60) == 0) mislead();
    if (dice.below(2) == 0) conclude(dice);
  }

  void lose_session(std::uint32_t shard) override {
    if (shard != shard_) return;
    session_->hang_up();
    connect();
    std::vector<Sent> lost = std::exchange(members_, {});
    std::move(ended_.begin(), ended_.end(), std::back_inserter(lost));
    ended_.clear();
    for (Sent& one : lost) {
      if (one.worded || one.ends) asking_.push_back(std::move(one));
    }
    again_.clear();
  }

  void finish(Dice& dice) override {
    finishing_ = true;
    take_in(dice);
    ask();
    conclude(dice);
    send();
  }
  bool idle() override { return members_.empty() && ended_.empty() && asking_.empty(); }

 private:
  struct Sent {
    std::uint64_t chain = 0;
    std::uint64_t n = 0;
    std::uint64_t attempt = 0;
    bool ends = false;
    bool worded = false;
    std::vector<Op> operations;
    std::optional<std::vector<Value>> results;
    std::uint64_t withdrawals = 0;  // as its answer counts them
    std::uint64_t needs = 0;  // the withdrawals that an answer has to count
  };

  void connect() {
    session_ = std::make_unique<TestClient>(world_, identity_ + 1000 * ++connections_, shard_, identity_);
    chain_ = 1;
    n_ = withdrawals_ = 0;
    answers_.clear();
  }

  void send() { session_->send(); }

  // ---- sending

  void begin(Dice& dice) {
    Sent sent;
    if (!again_.empty() && dice.below(2) == 0) {
      sent = std::move(again_.back());
      again_.pop_back();
      sent.results.reset();
    } else {
      sent.attempt = ++attempt_;
      sent.ends = dice.below(4) == 0;
      for (std::uint64_t left = 1 + dice.below(4); left > 0; --left) sent.operations.push_back(chain_operation(world_, dice, shard_));
    }
    sent.chain = chain_;
    sent.n = n_ += 1 + dice.below(2);
    sent.needs = sent.withdrawals = 0;
    const std::uint32_t expires_in_ms = dice.below(30) == 0 ? 1 + static_cast<std::uint32_t>(dice.below(10)) : 0;
    session_->member(sent.n, sent.operations,
                     {.chain = chain_, .ends = sent.ends, .attempt = sent.attempt, .expires_in_ms = expires_in_ms});
    members_.push_back(std::move(sent));
  }

  // Its caller has waited for too long.
  void give_up_one(Dice& dice) {
    if (members_.empty()) return;
    const std::size_t index = dice.below(members_.size());
    if (members_[index].ends || members_[index].worded) return;
    withdraw(index);
    send();
  }

  void withdraw(std::size_t index) {
    const Sent gone = std::move(members_[index]);
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(index));
    session_->withdraw(gone.n, chain_);
    undone(gone, ++withdrawals_);
    ++counts["members out"];
  }

  // A word that does not count: in the wrong order, or from before all answers.
  void mislead() {
    if (members_.size() < 2 || members_.back().ends || members_.back().worded) return;
    session_->word({members_.back().n, members_.front().n}, chain_, 0);
    send();
  }

  static bool changes(const Op& op) { return !observes(op); }

  // What it changed is undone: answers that may depend on it have to know.
  void undone(const Sent& gone, std::uint64_t withdrawals) {
    const auto is_changed = [&](const Op& op) {
      return std::any_of(gone.operations.begin(), gone.operations.end(), [&](const Op& one) { return one.key == op.key && changes(one); });
    };
    for (Sent& one : members_) {
      if (one.n < gone.n) continue;
      const bool sees =
          std::any_of(one.operations.begin(), one.operations.end(), [&](const Op& op) { return has_result(op) && is_changed(op); });
      if (sees) one.needs = std::max(one.needs, withdrawals);
    }
  }

  // Bodies run again, in order; each decides by what it reads.
  void conclude(Dice& dice) {
    std::vector<std::uint64_t> in;
    for (std::size_t i = 0; i < members_.size();) {
      Sent& one = members_[i];
      if (one.ends || one.worded) {
        ++i;
        continue;
      }
      if (!one.results || one.withdrawals < one.needs) break;
      if (!finishing_ && what(*one.results) % 7 == 3) {
        withdraw(i);
        continue;
      }
      one.worded = true;
      in.push_back(one.n);
      ++i;
      if (dice.below(4) == 0) break;
    }
    if (!in.empty()) session_->word(in, chain_, answers_[chain_]);
    counts["members in"] += in.size();
    send();
  }

  static std::uint64_t what(const std::vector<Value>& results) {
    std::uint64_t sum = 0;
    for (const Value& value : results) {
      if (value.is_integer()) sum += static_cast<std::uint64_t>(value.integer());
      if (value.is_boolean()) sum += value.boolean() ? 2 : 5;
      if (value.is_list()) sum += value.list().size();
      if (value.is_text()) sum += value.text().size();
    }
    return sum;
  }

  // ---- receiving

  void take_in(Dice& dice) {
    session_->read();
    if (!session_->closing.empty()) return lose_session(shard_);
    ChainsSeen& seen = session_->seen;
    for (const MemberSeen& reply : std::exchange(seen.members, {})) take_reply(dice, reply);
    for (const ChainBrokenSeen& broken : std::exchange(seen.broken, {})) take_broken(broken);
    for (const MemberCommitted& committed : std::exchange(seen.committed, {})) {
      if (std::optional<Sent> member = take(committed.chain, committed.n)) {
        EXPECT_TRUE(member->worded);
        note(*member, committed.at);
      } else {
        ADD_FAILURE() << "an unknown member commits";
      }
    }
    for (const AnswerSeen& answer : std::exchange(session_->answers, {})) take_answer(answer);
  }

  void take_reply(Dice& dice, const MemberSeen& reply) {
    if (reply.error.empty() && reply.committed_at == 0) ++answers_[reply.chain];
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&](const Sent& one) { return one.chain == reply.chain && one.n == reply.n; });
    if (reply.committed_at != 0) {
      std::optional<Sent> member = take(reply.chain, reply.n);
      ASSERT_TRUE(member && member->ends);
      member->results = reply.results;
      ++counts["members ended"];
      return note(*member, reply.committed_at);
    }
    if (!reply.error.empty()) {
      const bool denied = reply.error == "denied";
      ++counts[denied ? "members denied" : "members refused"];
      std::optional<Sent> member = take(reply.chain, reply.n);
      if (!member) return;
      member->worded = false;  // the refusal and the word have crossed: it breaks the chain
      undone(*member, reply.withdrawals);
      if (denied && !finishing_ && dice.below(2) == 0) again_.push_back(std::move(*member));
      return;
    }
    if (found == members_.end() || found->worded) return;
    found->results = reply.results;
    found->withdrawals = reply.withdrawals;
  }

  void take_broken(const ChainBrokenSeen& broken) {
    if (broken.chain != chain_) return;
    ++counts["chains broken"];
    for (Sent& one : std::exchange(members_, {})) {
      if (one.n <= broken.decided) ended_.push_back(std::move(one));
    }
    ++chain_;
    n_ = withdrawals_ = 0;
  }

  void take_answer(const AnswerSeen& answer) {
    const auto found = std::find_if(asking_.begin(), asking_.end(), [&](const Sent& one) { return one.attempt == answer.ticket; });
    if (found == asking_.end() || answer.state == AttemptState::kPending) return;
    if (answer.state == AttemptState::kCommitted) note(*found, answer.timestamp);
    asking_.erase(found);
  }

  void ask() {
    if (asking_.empty()) return;
    for (const Sent& one : asking_) session_->inquire(identity_, one.attempt, one.attempt);
    ++counts["members asked for"];
    send();
  }

  std::optional<Sent> take(std::uint64_t chain, std::uint64_t n) {
    for (std::vector<Sent>* all : {&members_, &ended_}) {
      const auto found = std::find_if(all->begin(), all->end(), [&](const Sent& one) { return one.chain == chain && one.n == n; });
      if (found == all->end()) continue;
      Sent taken = std::move(*found);
      all->erase(found);
      return taken;
    }
    return std::nullopt;
  }

  // What its client knows of its results: all, or nothing.
  void note(const Sent& member, Timestamp at) {
    Committed committed{at, {}};
    std::size_t next = 0;
    for (const Op& op : member.operations) {
      Done done{op, {}};
      if (member.results && has_result(op)) done.result = {member.results->at(next++)};
      committed.operations.push_back(std::move(done));
    }
    history_.push_back(std::move(committed));
  }

  World& world_;
  std::uint32_t identity_;
  std::uint32_t shard_;
  std::vector<Committed>& history_;
  std::uint32_t connections_ = 0;
  std::unique_ptr<TestClient> session_;
  std::uint64_t chain_ = 1;
  std::uint64_t n_ = 0;
  std::uint64_t withdrawals_ = 0;
  std::map<std::uint64_t, std::uint64_t> answers_;  // taken in, by chain
  std::uint64_t attempt_ = 0;
  bool finishing_ = false;
  std::vector<Sent> members_;  // of the present chain, in order
  std::vector<Sent> ended_;  // of chains that were broken; their answers are to come
  std::vector<Sent> asking_;  // whose outcome is not known
  std::vector<Sent> again_;  // denied ones that are to be sent again
};

}  // namespace claret::testing

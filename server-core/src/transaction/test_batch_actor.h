// For tests: a client whose chain spans two shards, as the client library sends it. Its wide members commit in batches, its others in words.
// What it sends and what it receives waits, so that messages of the two shards cross.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "transaction/test_chain_actor.h"

namespace claret::testing {

class BatchActor : public StormActor {
 public:
  BatchActor(World& world, std::uint32_t identity, std::vector<Committed>& history)
      : world_(world), identity_(identity), history_(history) {
    for (std::uint32_t shard = 0; shard < 2; ++shard) connect(shard);
  }

  void act(Dice& dice) override {
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (dice.below(2) == 0) take_in(shard);
    }
    if (members_.size() < 10 && dice.below(2) == 0) {
      // Turns that nobody grants: some meet in different orders at the two shards.
      const Timestamp turn = static_cast<Timestamp>(world_.ms) + dice.below(4);
      for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) begin(dice, turn);
    }
    if (dice.below(25) == 0 && !members_.empty()) withdraw(dice.below(members_.size()));
    if (dice.below(80) == 0) mislead();
    if (dice.below(2) == 0) conclude(dice);
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (dice.below(2) != 0) continue;
      ask(shard);
      send(shard);
    }
  }

  void lose_session(std::uint32_t shard) override {
    sessions_[shard]->hang_up();
    reconnect(shard);
  }

  // The shard has restarted, or has closed the session.
  void reconnect(std::uint32_t shard) {
    connect(shard);
    for (Sent& one : std::exchange(worded_, {})) {
      (one.shard == shard ? asking_ : worded_).push_back(std::move(one));
    }
    if (batch_ && batch_->votes[shard] == 0) batch_->asks[shard] = true;
    if (batch_ && !batch_->asks[shard]) batch_->reports[shard] = false;
    begin_chain();
  }

  void finish(Dice& dice) override {
    finishing_ = true;
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      take_in(shard);
      ask(shard);
    }
    conclude(dice);
    for (std::uint32_t shard = 0; shard < 2; ++shard) send(shard);
  }
  bool idle() override { return members_.empty() && worded_.empty() && asking_.empty() && !batch_; }

 private:
  struct Part {
    std::vector<Op> operations;
    std::optional<std::vector<Value>> results;
    std::uint64_t withdrawals = 0;  // as its answer counts them
    std::uint64_t needs = 0;  // the withdrawals that an answer has to count
  };
  struct Sent {
    std::uint64_t chain = 0;
    std::uint64_t n = 0;
    std::uint64_t attempt = 0;
    std::uint32_t shard = 0;  // of one that is not wide
    bool wide = false;
    std::array<Part, 2> parts;

    bool is_at(std::uint32_t at) const { return wide || shard == at; }
    bool is_answered() const {
      return std::all_of(parts.begin(), parts.end(),
                         [](const Part& part) { return part.operations.empty() || (part.results && part.withdrawals >= part.needs); });
    }
  };
  // A batch that was sent and has no outcome.
  struct Voting {
    std::uint64_t attempt = 0;
    std::vector<Sent> members;
    std::array<Timestamp, 2> votes{};
    std::array<bool, 2> asks{};  // whose vote was not answered
    std::array<bool, 2> reports{true, true};  // the session in which it was sent still stands
  };

  void connect(std::uint32_t shard) {
    sessions_[shard] = std::make_unique<TestClient>(world_, identity_ + 1000 * ++connections_, shard, identity_);
  }
  TestClient& at(std::uint32_t shard) { return *sessions_[shard]; }
  void send(std::uint32_t shard) { at(shard).send(); }

  // ---- sending

  // Nothing of the present chain commits any more but what was sent in words and batches.
  void begin_chain() {
    members_.clear();
    ++chain_;
    n_ = 0;
    withdrawals_ = answers_ = {};
    for (auto& session : sessions_) session->renew(chain_);
  }

  void begin(Dice& dice, Timestamp turn) {
    Sent sent;
    sent.chain = chain_;
    sent.n = n_ += 1 + dice.below(2);
    sent.attempt = ++attempt_;
    sent.wide = dice.below(3) != 0;
    sent.shard = static_cast<std::uint32_t>(dice.below(2));
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (!sent.is_at(shard)) continue;
      for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) {
        sent.parts[shard].operations.push_back(chain_operation(world_, dice, shard));
      }
      at(shard).member(sent.n, sent.parts[shard].operations, {.chain = chain_, .attempt = sent.attempt, .turn = sent.wide ? turn : 0});
    }
    members_.push_back(std::move(sent));
  }

  void withdraw(std::size_t index) {
    const Sent gone = std::move(members_[index]);
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (!gone.is_at(shard)) continue;
      at(shard).withdraw(gone.n, chain_);
      undone(gone, shard, ++withdrawals_[shard]);
    }
    ++counts["batches: withdrawn"];
  }

  // What it changed is undone: answers that may depend on it have to know.
  void undone(const Sent& gone, std::uint32_t shard, std::uint64_t withdrawals) {
    const auto& changed = gone.parts[shard].operations;
    const auto sees = [&](const Op& op) {
      return has_result(op) &&
             std::any_of(changed.begin(), changed.end(), [&](const Op& one) { return one.key == op.key && !observes(one); });
    };
    for (Sent& one : members_) {
      Part& part = one.parts[shard];
      if (one.n > gone.n && std::any_of(part.operations.begin(), part.operations.end(), sees)) part.needs = withdrawals;
    }
  }

  // A batch that does not count, at one shard: it is refused there, or aborted where it has voted.
  void mislead() {
    if (batch_ || members_.size() < 2 || !members_.back().wide || !members_.back().is_answered()) return;
    const std::uint64_t n = members_.back().n;
    std::vector<Sent> last;
    last.push_back(std::move(members_.back()));
    members_.pop_back();
    send_batch(std::move(last), {{{n}, {n}}});
  }

  // Bodies run again, in order; each decides by what it reads.
  void conclude(Dice& dice) {
    if (batch_) return;
    std::vector<Sent> in;
    std::array<std::vector<std::uint64_t>, 2> named;
    bool wide = false;
    while (!members_.empty() && members_.front().is_answered()) {
      std::uint64_t sum = 0;
      for (const Part& part : members_.front().parts) sum += part.results ? what(*part.results) : 0;
      if (!finishing_ && sum % 9 == 3) {
        withdraw(0);
        continue;
      }
      in.push_back(std::move(members_.front()));
      members_.erase(members_.begin());
      wide |= in.back().wide;
      for (std::uint32_t shard = 0; shard < 2; ++shard) {
        if (in.back().is_at(shard)) named[shard].push_back(in.back().n);
      }
      if (dice.below(4) == 0) break;
    }
    if (wide) return send_batch(std::move(in), named);
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (!named[shard].empty()) at(shard).word(named[shard], chain_, answers_[shard]);
    }
    std::move(in.begin(), in.end(), std::back_inserter(worded_));
  }

  void send_batch(std::vector<Sent> members, const std::array<std::vector<std::uint64_t>, 2>& named) {
    batch_.emplace();
    batch_->attempt = ++attempt_;
    batch_->members = std::move(members);
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      at(shard).batch({.attempt = batch_->attempt,
                       .members = named[shard],
                       .chain = chain_,
                       .answers = answers_[shard],
                       .first = batch_->members.front().n,
                       .last = batch_->members.back().n});
    }
  }

  static std::uint64_t what(const std::vector<Value>& results) {
    std::uint64_t sum = 0;
    for (const Value& value : results) {
      if (value.is_integer()) sum += static_cast<std::uint64_t>(value.integer());
      if (value.is_boolean()) sum += value.boolean() ? 2 : 5;
      if (value.is_list()) sum += value.list().size();
    }
    return sum;
  }

  // ---- receiving

  void take_in(std::uint32_t shard) {
    at(shard).read();
    ChainsSeen& seen = at(shard).seen;
    const auto answers = std::exchange(at(shard).answers, {});
    for (const MemberSeen& reply : std::exchange(seen.members, {})) take_reply(shard, reply);
    for (const MemberCommitted& committed : std::exchange(seen.committed, {})) take_commit(shard, committed);
    for (const Reply& reply : std::exchange(at(shard).replies, {})) take_vote(shard, reply);
    for (const ChainBrokenSeen& broken : std::exchange(seen.broken, {})) take_broken(shard, broken);
    for (const AnswerSeen& answer : answers) take_answer(shard, answer);
    if (!at(shard).closing.empty()) reconnect(shard);
  }

  void take_reply(std::uint32_t shard, const MemberSeen& reply) {
    if (reply.chain != chain_) return;
    if (reply.error.empty()) ++answers_[shard];
    const auto found = std::find_if(members_.begin(), members_.end(), [&](const Sent& one) { return one.n == reply.n; });
    if (found == members_.end()) return;
    if (!reply.error.empty()) {
      const Sent gone = std::move(*found);
      members_.erase(found);
      undone(gone, shard, reply.withdrawals);
      if (!gone.wide) return;
      at(1 - shard).withdraw(gone.n, chain_);
      undone(gone, 1 - shard, ++withdrawals_[1 - shard]);
      return;
    }
    found->parts[shard].results = reply.results;
    found->parts[shard].withdrawals = reply.withdrawals;
  }

  void take_commit(std::uint32_t shard, const MemberCommitted& committed) {
    const auto found = std::find_if(worded_.begin(), worded_.end(), [&](const Sent& one) {
      return one.shard == shard && one.chain == committed.chain && one.n == committed.n;
    });
    ASSERT_NE(found, worded_.end()) << "an unknown member commits";
    note(*found, committed.at);
    worded_.erase(found);
    ++counts["batches: worded"];
  }

  void take_broken(std::uint32_t shard, const ChainBrokenSeen& broken) {
    std::erase_if(worded_, [&](const Sent& one) { return one.shard == shard && one.chain == broken.chain && one.n > broken.decided; });
    if (broken.chain != chain_) return;
    ++counts["batches: chains broken"];
    begin_chain();
  }

  void take_vote(std::uint32_t shard, const Reply& reply) {
    if (!batch_ || reply.attempt != batch_->attempt) return;
    if (!reply.error.empty()) return abort();
    batch_->votes[shard] = reply.voted_at;
    commit_if_all_voted();
  }

  void take_answer(std::uint32_t shard, const AnswerSeen& answer) {
    ++counts["batches: asked for"];
    const auto found =
        std::find_if(asking_.begin(), asking_.end(), [&](const Sent& one) { return one.shard == shard && one.attempt == answer.ticket; });
    if (found != asking_.end() && answer.state != AttemptState::kPending) {
      if (answer.state == AttemptState::kCommitted) note(*found, answer.timestamp);
      asking_.erase(found);
    }
    if (!batch_ || answer.ticket != batch_->attempt || !batch_->asks[shard]) return;
    if (answer.state == AttemptState::kAborted) return abort();
    if (answer.state == AttemptState::kCommitted) return commit(answer.timestamp);
    if (answer.state != AttemptState::kVoted) return;
    batch_->asks[shard] = false;
    batch_->reports[shard] = false;
    batch_->votes[shard] = answer.timestamp;
    commit_if_all_voted();
  }

  void ask(std::uint32_t shard) {
    for (const Sent& one : asking_) {
      if (one.shard == shard) at(shard).inquire(identity_, one.attempt, one.attempt);
    }
    if (batch_ && batch_->asks[shard]) at(shard).inquire(identity_, batch_->attempt, batch_->attempt);
  }

  void commit_if_all_voted() {
    Timestamp greatest = 0;
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (batch_->votes[shard] == 0) return;
      greatest = std::max(greatest, batch_->votes[shard]);
    }
    commit(greatest);
  }

  void commit(Timestamp time) {
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (batch_->reports[shard] && !batch_->asks[shard]) at(shard).commit_outcome(batch_->attempt, time);
    }
    const std::uint64_t first = batch_->members.front().n;
    for (const Sent& member : batch_->members) note(member, HybridClock::after(time, member.n - first));
    ++counts["batches"];
    counts["batches: members"] += batch_->members.size();
    batch_.reset();
  }

  // A frame's outcomes are taken before its batches.
  void abort() {
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      send(shard);
      if (batch_->reports[shard] && !batch_->asks[shard]) at(shard).abort_outcome(batch_->attempt);
    }
    ++counts["batches: aborted"];
    batch_.reset();
    begin_chain();
  }

  void note(const Sent& member, Timestamp time) {
    Committed committed{time, {}};
    for (const Part& part : member.parts) {
      std::size_t next = 0;
      for (const Op& op : part.operations) {
        Done done{op, {}};
        if (has_result(op)) done.result = {part.results->at(next++)};
        committed.operations.push_back(std::move(done));
      }
    }
    history_.push_back(std::move(committed));
  }

  World& world_;
  std::uint32_t identity_;
  std::vector<Committed>& history_;
  std::uint32_t connections_ = 0;
  std::array<std::unique_ptr<TestClient>, 2> sessions_;
  std::uint64_t chain_ = 1;
  std::uint64_t n_ = 0;
  std::uint64_t attempt_ = 0;
  bool finishing_ = false;
  std::array<std::uint64_t, 2> withdrawals_{};  // sent in the present chain
  std::array<std::uint64_t, 2> answers_{};  // taken in from it
  std::vector<Sent> members_;  // of the present chain, in order
  std::vector<Sent> worded_;  // without an answer so far
  std::vector<Sent> asking_;  // worded in a session that was lost
  std::optional<Voting> batch_;
};

}  // namespace claret::testing

// For tests of histories: a client with a session at each shard and at most one transaction at a time. It does what docs/rules.md allows a
// client to do, in any order, and loses its sessions.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "adt/registry.h"
#include "gate/record_operations.h"
#include "ground/slots.h"
#include "shard/test_client.h"
#include "transaction/test_storm_actor.h"

namespace claret::testing {

inline bool has_result(const Op& op) {
  const auto dot = op.name.find('.');
  const DataType* type = find_operations({}, std::string_view(op.name).substr(0, dot));
  return type->find(std::string_view(op.name).substr(dot + 1))->result != Kind::kVoid;
}

// `every_type`: also operations whose results do not follow from the history alone. `deletes`: also those of records.
inline Op random_operation(Dice& dice, bool every_type = false, bool deletes = true) {
  const auto key = [&](const char* stem) { return stem + std::to_string(dice.below(4)); };
  const std::string member(1, static_cast<char>('a' + dice.below(4)));
  const auto n = static_cast<std::int64_t>(dice.below(7)) - 3;
  if (every_type && dice.below(4) == 0) {
    // The first commit decides the type of a record; until then each attempt may use the record with another type.
    const auto fresh = [&] { return "mixed" + std::to_string(dice.below(300)); };
    switch (dice.below(10)) {
      case 0:
        return {key("bounded"), "BoundedCounter.increment", {Value(n + 3)}};
      case 1:
        return {key("bounded"), "BoundedCounter.decrement", {Value(n + 3)}};
      case 2:
        return {key("bounded"), "BoundedCounter.tryDecrement", {Value(n + 3)}};
      case 3:
        return {key("log"), "HyperLogLog.add", {Value(member)}};
      case 4:
        return {key("ids"), "UIdGenerator.next", {}};
      case 5:
        return {fresh(), "Counter.add", {Value(n)}};
      case 6:
        return {fresh(), "Set.add", {Value(member)}};
      case 7:
        return {fresh(), "Set.contains", {Value(member)}};
      case 8:
        return {fresh(), "Dict.all", {}};
      default:
        return {key("register"), "Register.set", {Value(n)}};
    }
  }
  if (deletes && dice.below(12) == 0) {
    static constexpr std::array kStems = {"counter", "set", "top", "dict", "scored", "bag", "register", "bounded"};
    const std::string one = key(kStems[dice.below(kStems.size())]);
    return {one, dice.below(3) == 0 ? "Record.exists" : "Record.delete", {}};
  }
  switch (dice.below(20)) {
    case 0:
      return {key("counter"), "Counter.add", {Value(n)}};
    case 1:
      return {key("counter"), "Counter.value", {}};
    case 2:
      return {key("set"), "Set.add", {Value(member)}};
    case 3:
      return {key("set"), "Set.remove", {Value(member)}};
    case 4:
      return {key("set"), "Set.size", {}};
    case 5:
      return {key("set"), "Set.contains", {Value(member)}};
    case 6:
      return {key("top"), "TopK.add", {Value(member), Value(static_cast<double>(n))}};
    case 7:
      return {key("top"), "TopK.top", {Value(std::int64_t{2})}};
    case 8:
      return {key("top"), "TopK.max", {}};
    case 9:
      return {key("dict"), "Dict.increment", {Value(member), Value(n)}};
    case 10:
      return {key("dict"), "Dict.all", {}};
    case 11:
      return {key("dict"), "Dict.get", {Value(Value::List{Value(member)})}};
    case 12:
      return {key("scored"), "ScoredSet.add", {Value(member), Value(n)}};
    case 13:
      return {key("scored"), "ScoredSet.increment", {Value(member), Value(n)}};
    case 14:
      return {key("scored"), "ScoredSet.range", {Value(std::int64_t{0}), Value(std::int64_t{-1})}};
    case 15:
      return {key("scored"), "ScoredSet.rank", {Value(member)}};
    case 16:
      return {key("bag"), "SummaryBag.add", {Value(n)}};
    case 17:
      return {key("bag"), "SummaryBag.mean", {}};
    case 18:
      return {key("register"), "Register.compareAndSet", {Value(), Value(n)}};
    default:
      return {key("register"), "Register.get", {}};
  }
}

inline bool observes(const Op& op) {
  const auto dot = op.name.find('.');
  const DataType* type = find_operations({}, std::string_view(op.name).substr(0, dot));
  return type->find(std::string_view(op.name).substr(dot + 1))->operation_class == OperationClass::kObserve;
}

// Operations for one request; some of them on the same record.
inline std::vector<Op> random_operations(Dice& dice, bool every_type = false) {
  std::vector<Op> operations{random_operation(dice, every_type)};
  const std::uint64_t more = dice.below(3);
  for (std::uint64_t i = 0; i < more; ++i) {
    Op op = random_operation(dice, every_type);
    const bool same_record = dice.below(2) == 0;
    while (same_record && op.key != operations.front().key) op = random_operation(dice, every_type);
    operations.push_back(std::move(op));
  }
  return operations;
}

class Actor : public StormActor {
 public:
  Actor(World& world, std::uint32_t identity, std::vector<Committed>& history, bool every_type = false)
      : world_(world), identity_(identity), history_(history), every_type_(every_type) {
    for (std::uint32_t shard = 0; shard < shards(); ++shard) connect(shard);
  }

  void act(Dice& dice) override {
    take_in();
    if (!running_) {
      if (dice.below(3) == 0) begin(dice);
      return;
    }
    ask();
    if (!running_ || awaited_ != 0 || voting_) return;
    // A client may abort its transaction at any time.
    if (dice.below(40) == 0) return give_up();
    if (dice.below(3) == 0 || steps_ == 4) return end(dice);
    step(dice);
  }

  // The outcomes are sent at random times, so that locks of voted attempts are held meanwhile.
  void deliver_outcomes() override {
    for (std::uint32_t shard = 0; shard < shards(); ++shard) sessions_[shard]->send();
  }

  void lose_session(std::uint32_t shard) override {
    sessions_[shard]->hang_up();
    connect(shard);
    if (!running_ || !begun_[shard]) return;
    if (!voting_ || (observes_only_ && !voted_[shard])) return give_up();
    denied_[shard] = false;
    if (!voted_[shard]) asking_[shard] = true;
    // Wounds do not reach the attempt there any more, so it must not wait anywhere.
    wounded(shard, 0);
  }

  bool idle() override { return !running_; }
  void pause() override {
    take_in();
    if (running_ && std::any_of(denied_.begin(), denied_.end(), [](bool denied) { return denied; })) return give_up();
    if (running_) ask();
    if (running_ && awaited_ == 0 && !voting_) give_up();
  }
  void finish(Dice&) override {
    finishing_ = true;
    take_in();
    if (running_) ask();
    if (running_ && awaited_ == 0 && !voting_) give_up();
  }

 private:
  static constexpr int kDenialsMax = 5;
  static constexpr std::size_t kShardsMost = 3;
  template <typename T>
  using ByShard = std::array<T, kShardsMost>;

  std::uint32_t shards() const { return static_cast<std::uint32_t>(world_.shards.size()); }

  void connect(std::uint32_t shard) {
    const std::uint32_t peer = identity_ + 1000 * ++connections_;
    sessions_[shard] = std::make_unique<TestClient>(world_, peer, shard, identity_);
  }

  void begin(Dice& dice) {
    running_ = true;
    voting_ = false;
    ++attempt_;
    priority_ = 1 + dice.below(50);  // often equal
    steps_ = denials_ = 0;
    operations_.clear();
    sent_ = {};
    voted_ = asking_ = begun_ = {};
    greatest_ = 0;
    holds_until_ = ~Timestamp{0};
    observes_only_ = false;
    exclusive_.clear();
    if (dice.below(4) == 0) return whole(dice);
    if (dice.below(3) == 0) {
      for (int i = 0; i < 4; ++i) exclusive_.push_back(random_operation(dice).key);
    }
    step(dice);
  }

  // Splits the operations by shard. With `prepare`, the same requests ask for the votes.
  void step(Dice& dice, bool prepare = false) {
    ++steps_;
    ByShard<std::vector<Op>> per_shard;
    for (Op& op : random_operations(dice, every_type_)) {
      const std::uint32_t shard = world_.owner(op.key);
      per_shard[shard].push_back(std::move(op));
    }
    send(std::move(per_shard), prepare);
  }

  // Executes and commits in one message.
  void whole(Dice& dice) {
    ByShard<std::vector<Op>> per_shard;
    std::vector<Op> operations = random_operations(dice, every_type_);
    const std::uint32_t shard = world_.owner(operations.front().key);
    for (Op& op : operations) {
      if (world_.owner(op.key) == shard) per_shard[shard].push_back(std::move(op));
    }
    send(std::move(per_shard), true);
  }

  void end(Dice& dice) {
    if (dice.below(2) == 0) return step(dice, true);
    send({}, true);
  }

  void send(ByShard<std::vector<Op>> per_shard, bool prepare) {
    std::vector<std::uint32_t> participants;
    for (std::uint32_t shard = 0; shard < shards(); ++shard) {
      if (begun_[shard] || !per_shard[shard].empty()) participants.push_back(shard);
    }
    voting_ = prepare;
    ByShard<TestClient::Step> steps;
    for (const std::uint32_t shard : participants) {
      TestClient::Step& step = steps[shard];
      if (per_shard[shard].empty() && !prepare) continue;
      step = {.attempt = attempt_, .sent_before = sent_[shard], .exclusive = exclusive_};
      if (!begun_[shard]) step.begin_with_priority = priority_;
      begun_[shard] = true;
      if (prepare) step.prepare = participants.size() == 1 ? std::vector<std::uint32_t>{} : participants;
      for (Op& op : per_shard[shard]) {
        pending_[shard].push_back(operations_.size());
        operations_.push_back({op, {}});
        step.operations.push_back(std::move(op));
      }
      sent_[shard] += static_cast<std::uint32_t>(step.operations.size());
      ++awaited_;
    }
    participants_ = participants.size();
    observes_only_ = prepare && participants_ > 1 &&
                     std::all_of(operations_.begin(), operations_.end(), [](const Done& done) { return observes(done.op); });
    for (TestClient::Step& step : steps) step.observes_only = observes_only_;
    const std::uint64_t attempt = attempt_;
    for (const std::uint32_t shard : participants) {
      if (!running_ || attempt_ != attempt || steps[shard].attempt != attempt) continue;
      last_[shard] = steps[shard];
      sessions_[shard]->add(last_[shard]);
      if (!started_[shard] && wounder_) sessions_[shard]->wound(attempt_, *wounder_);
      sessions_[shard]->send();
      started_[shard] = true;
      take_in();
    }
  }

  // Passes the wound on to the other shards, now or when the attempt begins there.
  void wounded(std::uint32_t shard, std::uint64_t by_priority) {
    wounder_ = by_priority;
    for (std::uint32_t other = 0; other < shards(); ++other) {
      if (other != shard && started_[other]) sessions_[other]->wound(attempt_, by_priority).send();
    }
  }

  void give_up() {
    for (std::uint32_t shard = 0; shard < shards(); ++shard) {
      if (started_[shard]) sessions_[shard]->abort_outcome(attempt_);
    }
    ++counts["aborts"];
    reset();
  }

  void reset() {
    running_ = false;
    awaited_ = 0;
    wounder_.reset();
    pending_ = {};
    asking_ = started_ = denied_ = {};
  }

  // Repeats denied requests, and inquires about prepares whose session broke.
  void ask() {
    for (std::uint32_t shard = 0; shard < shards(); ++shard) {
      if (std::exchange(denied_[shard], false)) {
        sessions_[shard]->add(last_[shard]);
        if (wounder_) sessions_[shard]->wound(attempt_, *wounder_);  // the attempt may begin anew there
        sessions_[shard]->send();
      }
      if (asking_[shard]) sessions_[shard]->inquire(identity_, attempt_, attempt_).send();
    }
    take_in();
  }

  void take_in() {
    for (std::uint32_t shard = 0; shard < shards(); ++shard) {
      sessions_[shard]->read();
      if (!sessions_[shard]->closing.empty()) lose_session(shard);
      TestClient& session = *sessions_[shard];
      for (const Reply& reply : std::exchange(session.replies, {})) {
        if (running_ && reply.attempt == attempt_) take_reply(shard, reply);
      }
      for (const AnswerSeen& answer : std::exchange(session.answers, {})) {
        if (running_ && asking_[shard] && answer.ticket == attempt_) take_answer(shard, answer);
      }
      const auto wounds = std::exchange(session.wounds, {});
      const auto priorities = std::exchange(session.wounder_priorities, {});
      for (std::size_t i = 0; i < wounds.size(); ++i) {
        if (running_ && wounds[i] == attempt_) wounded(shard, priorities[i]);
      }
    }
  }

  void take_reply(std::uint32_t shard, const Reply& reply) {
    if (!reply.error.empty()) return give_up();
    if (!reply.denied.empty()) {
      if (finishing_ || ++denials_ > kDenialsMax) return give_up();
      denied_[shard] = true;
      return;
    }
    --awaited_;
    std::size_t next = 0;
    for (const std::size_t index : std::exchange(pending_[shard], {})) {
      Done& done = operations_[index];
      if (has_result(done.op)) done.result = {reply.results.at(next++)};
    }
    EXPECT_EQ(next, reply.results.size());
    if (voting_) take_vote(shard, std::max(reply.voted_at, reply.committed_at), reply.holds_until);
  }

  void take_answer(std::uint32_t shard, const AnswerSeen& answer) {
    ++counts["answers"];
    if (answer.state == AttemptState::kAborted) return give_up();
    if (answer.state == AttemptState::kPending) return;  // the shard's disk is full: the inquiry is repeated
    --awaited_;
    asking_[shard] = false;
    pending_[shard].clear();
    // No answer says how long a vote that is not logged holds.
    take_vote(shard, answer.timestamp, observes_only_ && answer.state == AttemptState::kVoted ? answer.timestamp : 0);
  }

  void take_vote(std::uint32_t shard, Timestamp at, Timestamp holds_until) {
    voted_[shard] = true;
    greatest_ = std::max(greatest_, at);
    if (holds_until != 0) holds_until_ = std::min(holds_until_, holds_until);
    if (std::count(voted_.begin(), voted_.end(), true) != static_cast<std::ptrdiff_t>(participants_)) return;
    // Reads over several shards are not logged: see client/src/attempt/votes.ts.
    if (observes_only_ && greatest_ > holds_until_) {
      ++counts["aborts"];
    } else {
      if (observes_only_) ++counts["reads"];
      history_.push_back({greatest_, operations_});
    }
    for (std::uint32_t shard = 0; shard < shards() && participants_ > 1; ++shard) {
      if (begun_[shard]) sessions_[shard]->commit_outcome(attempt_, greatest_);
    }
    reset();
  }

  World& world_;
  std::uint32_t identity_;
  std::uint32_t connections_ = 0;
  std::vector<Committed>& history_;
  bool every_type_;
  ByShard<std::unique_ptr<TestClient>> sessions_;
  bool finishing_ = false;
  bool running_ = false;
  bool voting_ = false;
  std::uint64_t attempt_ = 0;
  std::uint64_t priority_ = 0;
  int steps_ = 0;
  int denials_ = 0;
  int awaited_ = 0;
  std::size_t participants_ = 0;
  Timestamp greatest_ = 0;
  Timestamp holds_until_ = ~Timestamp{0};
  bool observes_only_ = false;
  std::optional<std::uint64_t> wounder_;
  std::vector<std::string> exclusive_;
  std::vector<Done> operations_;
  // By shard:
  ByShard<std::uint32_t> sent_{};
  ByShard<bool> started_{};
  ByShard<bool> begun_{};  // whether a message to the shard has begun the attempt
  ByShard<bool> voted_{};
  ByShard<bool> denied_{};
  ByShard<bool> asking_{};
  ByShard<TestClient::Step> last_;
  ByShard<std::vector<std::size_t>> pending_;
};

// The streams between the shards, opened as a gateway does when a shard wants one.
class Links {
 public:
  explicit Links(World& world) : world_(world) {}

  void carry() {
    for (std::uint32_t from = 0; from < world_.shards.size(); ++from) {
      for (std::uint32_t to = 0; to < world_.shards.size(); ++to) {
        if (from != to) carry(from, to);
      }
    }
  }

  // What this shard sends to that one does not leave, until it is released.
  void hold(std::uint32_t from, std::uint32_t to) { held_.emplace(from, to); }
  void release(std::uint32_t from, std::uint32_t to) { held_.erase({from, to}); }

  // Delivers what the one says on the stream that it has opened, and no answer.
  void deliver(std::uint32_t from, std::uint32_t to) {
    pass(*world_.shards[from], kAskerPeer + to, *world_.shards[to], kAnswererPeer + from);
  }

  // Breaks every stream.
  void break_all() {
    for (const auto& [from, to] : std::exchange(open_, {})) close(from, to);
  }

 private:
  static constexpr std::uint32_t kAskerPeer = 1'000'000'000;
  static constexpr std::uint32_t kAnswererPeer = 1'100'000'000;

  void carry(std::uint32_t from, std::uint32_t to) {
    Shard& asker = *world_.shards[from];
    Shard& answerer = *world_.shards[to];
    if (!open_.contains({from, to})) {
      const std::vector<std::uint32_t> wanted = asker.wanted_shards();
      if (std::find(wanted.begin(), wanted.end(), to) == wanted.end()) return;
      asker.connect(kAskerPeer + to, world_.now());
      asker.bind_shard(kAskerPeer + to, to);
      answerer.connect(kAnswererPeer + from, world_.now());
      open_.emplace(from, to);
    }
    if (!held_.contains({from, to})) pass(asker, kAskerPeer + to, answerer, kAnswererPeer + from);
    if (!held_.contains({to, from})) pass(answerer, kAnswererPeer + from, asker, kAskerPeer + to);
    if (!asker.closed(kAskerPeer + to) && !answerer.closed(kAnswererPeer + from)) return;
    open_.erase({from, to});
    close(from, to);
  }

  void close(std::uint32_t from, std::uint32_t to) {
    world_.shards[from]->disconnect(kAskerPeer + to, world_.now());
    world_.shards[to]->disconnect(kAnswererPeer + from, world_.now());
  }

  void pass(Shard& from, std::uint32_t from_peer, Shard& to, std::uint32_t to_peer) {
    from.begin(world_.now());
    from.finish();
    world_.after_input();
    std::string frame;
    while (from.drain(from_peer, frame)) {
      to.begin(world_.now());
      to.take(to_peer, frame);
      to.finish();
      world_.after_input();
    }
  }

  World& world_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> open_;  // from and to
  std::set<std::pair<std::uint32_t, std::uint32_t>> held_;  // likewise
};

}  // namespace claret::testing

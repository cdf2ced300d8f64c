// The table of which operations may hold a record together, tried at the gate of one record: by admission (rule 1 of gate.h) and by the
// queue (rule 2).
#include "gate/gate.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "adt/registry.h"
#include "gate/locks.h"

namespace claret {
namespace {

constexpr double kCapMs = 10;

struct Asker : Party {
  std::unique_ptr<GateRequest> asked;

  const GateRequest* asking() const override { return asked.get(); }
};

struct Op {
  std::string_view name;
  std::vector<Value> arguments;
};

class AtTheGate : public ::testing::Test {
 protected:
  void use(std::string_view type, LockKind kind) {
    type_ = find_type(type);
    locks_ = std::make_unique<Locks>(*records_, counters_, context_, LockSettings{LockRule{kind}, true, kCapMs});
    record_ = &records_->find_or_create("key", *type_);
    record_->last_commit = 1;
  }

  // Begins anew.
  void forget() {
    askers_.clear();
    locks_.reset();
    records_ = std::make_unique<Records>();
  }

  Acquired ask(Asker& asker, const Op& op) {
    asker.asked = std::make_unique<GateRequest>();
    GateRequest& request = *asker.asked;
    request.party = &asker;
    Visit& visit = asker.visit(*record_);
    visit.type = type_;
    visit.call = {type_->find(op.name), op.arguments};
    visit.request_number = request.number = static_cast<std::uint32_t>(asker.visits.size());
    records_->pin(*record_);
    request.visits.push_back(&visit);
    const Visit* refused = nullptr;
    return locks_->acquire(request, now_ms_, refusal_, refused);
  }
  Asker& come(std::uint64_t priority) {
    Asker& asker = askers_.emplace_back();
    asker.serial = askers_.size();
    asker.priority = priority;
    return asker;
  }
  Acquired come(std::uint64_t priority, const Op& op) { return ask(come(priority), op); }
  void leave(Asker& asker) {
    locks_->release(asker);
    locks_->settle(now_ms_);
  }
  bool holds(const Asker& asker) const { return !asker.visits.empty() && asker.visits.back().held; }

  Counters counters_;
  Context context_{1};
  std::unique_ptr<Records> records_ = std::make_unique<Records>();
  const DataType* type_ = nullptr;
  std::unique_ptr<Locks> locks_;
  Record* record_ = nullptr;
  std::deque<Asker> askers_;
  Refusal refusal_;
  double now_ms_ = 0;
};

struct Meeting {
  std::string_view type;
  Op holder;
  Op comer;
  bool together;  // under abstract locks
};

const Value kA{std::string("a")};
const Value kB{std::string("b")};
const Value kOne{std::int64_t{1}};

const std::vector<Meeting> kTable = {
    {"Counter", {"add", {kOne}}, {"add", {kOne}}, true}, {"Counter", {"add", {kOne}}, {"value", {}}, false},
    {"Counter", {"value", {}}, {"add", {kOne}}, false},  {"Counter", {"value", {}}, {"value", {}}, true},
    {"Set", {"add", {kA}}, {"add", {kA}}, true},         {"Set", {"add", {kA}}, {"remove", {kA}}, false},
    {"Set", {"add", {kA}}, {"remove", {kB}}, true},      {"Set", {"add", {kA}}, {"size", {}}, false},
    {"Set", {"contains", {kA}}, {"add", {kB}}, true},    {"Set", {"contains", {kA}}, {"add", {kA}}, false},
    {"Register", {"set", {kA}}, {"set", {kB}}, false},   {"Register", {"get", {}}, {"get", {}}, true},
    {"UIdGenerator", {"next", {}}, {"next", {}}, true},
};

TEST_F(AtTheGate, ANewcomerJoinsHoldersThatItCommutesWithUnderAbstractLocks) {
  for (const Meeting& pair : kTable) {
    SCOPED_TRACE(std::string(pair.type) + ": " + std::string(pair.holder.name) + ", then " + std::string(pair.comer.name));
    forget();
    use(pair.type, LockKind::kAbstract);
    ASSERT_EQ(come(1, pair.holder), Acquired::kGranted);
    EXPECT_EQ(come(2, pair.comer), pair.together ? Acquired::kGranted : Acquired::kWaiting);
  }
}

TEST_F(AtTheGate, OnlyReadersShareARecordUnderReaderWriterLocks) {
  for (const Meeting& pair : kTable) {
    SCOPED_TRACE(std::string(pair.type) + ": " + std::string(pair.holder.name) + ", then " + std::string(pair.comer.name));
    forget();
    use(pair.type, LockKind::kReaderWriter);
    const auto reads = [&](const Op& op) { return type_->find(op.name)->operation_class == OperationClass::kObserve; };
    ASSERT_EQ(come(1, pair.holder), Acquired::kGranted);
    EXPECT_EQ(come(2, pair.comer), reads(pair.holder) && reads(pair.comer) ? Acquired::kGranted : Acquired::kWaiting);
  }
}

TEST_F(AtTheGate, ANewcomerOfThePhasePassesAWaiterUntilTheCap) {
  use("Counter", LockKind::kAbstract);
  come(1, {"add", {kOne}});
  EXPECT_EQ(come(2, {"value", {}}), Acquired::kWaiting);
  now_ms_ = kCapMs - 1;
  EXPECT_EQ(come(3, {"add", {kOne}}), Acquired::kGranted) << "the phase is below its cap";
  now_ms_ = kCapMs;
  EXPECT_EQ(come(4, {"add", {kOne}}), Acquired::kWaiting) << "an older waiter's turn comes first";
  EXPECT_EQ(come(0, {"add", {kOne}}), Acquired::kGranted) << "older than every waiter";
}

TEST_F(AtTheGate, AHolderPassesWaitersThatWaitForItInAnyCase) {
  use("Counter", LockKind::kAbstract);
  Asker& holder = come(5);
  ask(holder, {"add", {kOne}});
  EXPECT_EQ(come(1, {"value", {}}), Acquired::kWaiting);
  now_ms_ = 2 * kCapMs;
  EXPECT_EQ(ask(holder, {"add", {kOne}}), Acquired::kGranted);
}

TEST_F(AtTheGate, WhenThePhaseEndsAllWaitersOfTheOldestWaitersModeEnterTogether) {
  use("Counter", LockKind::kAbstract);
  Asker& holder = come(1);
  ask(holder, {"add", {kOne}});
  Asker& reader = come(2);
  Asker& writer = come(3);
  Asker& other_reader = come(4);
  ask(reader, {"value", {}});
  now_ms_ = kCapMs;
  ask(writer, {"add", {kOne}});
  ask(other_reader, {"value", {}});
  leave(holder);
  EXPECT_TRUE(holds(reader));
  EXPECT_FALSE(holds(writer));
  EXPECT_TRUE(holds(other_reader)) << "came after the writer, but enters with its mode";
}

TEST_F(AtTheGate, AVotedHolderIsMarkedAsVoted) {
  use("Counter", LockKind::kAbstract);
  Asker& holder = come(1);
  ask(holder, {"add", {kOne}});
  EXPECT_FALSE(holder.visits.front().voted());
  holder.stage = Stage::kVoted;
  EXPECT_TRUE(holder.visits.front().voted());
}

TEST_F(AtTheGate, EachWaiterIsAdmittedOnceAndNoneIsLeftBehind) {
  use("Counter", LockKind::kAbstract);
  for (std::uint64_t priority = 1; priority <= 100; ++priority)
    come(priority, {priority % 3 == 0 ? "value" : "add", priority % 3 == 0 ? std::vector<Value>{} : std::vector{kOne}});
  std::size_t left = 0;
  while (left < askers_.size()) {
    std::vector<Asker*> holders;
    for (Asker& asker : askers_) {
      if (holds(asker)) holders.push_back(&asker);
    }
    ASSERT_FALSE(holders.empty()) << left << " have left, and all others wait";
    for (Asker* holder : holders) leave(*holder);
    left += holders.size();
  }
  EXPECT_EQ(left, askers_.size());
  EXPECT_EQ(record_->gate, nullptr) << "an idle gate is dropped";
}

}  // namespace
}  // namespace claret

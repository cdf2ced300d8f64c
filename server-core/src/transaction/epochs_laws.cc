// The law of members of epochs: in whatever order they come, and in whatever epochs they are listed, what they leave and what they are told
// is what the same calls give when the transactions are run one after the other, in the order of their commit timestamps.
//
// Members of random lists of calls come to the real Epochs and the real gate, with a few records of random types. The law plays the managers
// (two of them, so that epochs overlap), the other shards that take part in a member, with votes of their own, and the peers with which an
// epoch is settled when its manager is silent. Other transactions lock the same records, commit and abort.
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "adt/laws.h"
#include "transaction/coordinator.h"
#include "transaction/epochs.h"
#include "transaction/member_nights.h"

namespace claret::laws {

namespace {

constexpr std::size_t kStrangersMax = 4;
constexpr std::uint32_t kManagers = 2;
constexpr std::uint32_t kHere = 0;
constexpr std::uint32_t kElsewhere = 1;

// What one transaction did, in the order of issue.
struct Done {
  struct Step {
    std::size_t record;
    Call call;
    Value result;
  };
  std::vector<Step> steps;
};

class World;

struct Locking : GateRequest {
  explicit Locking(World& its_world) : world(its_world) {}

  World& world;

  void granted() override;
  void refused(const Refusal&, const Visit&) override;
  void moved() override {}
};

struct Stranger : Party {
  std::unique_ptr<Locking> asked;  // null: it has its locks

  const GateRequest* asking() const override { return asked.get(); }
};

class World final : EpochKeeper, public AttemptKeeper {
 public:
  World(const Night& night, const MemberMistakes& mistakes, MemberTally& tally)
      : night_(night), mistakes_(mistakes), tally_(tally), locks_(places_, counters_, context_, LockSettings{}) {
    clock_.at(0, 1'000'000);
    for (std::size_t i = 0; i < night.records.size(); ++i) {
      Record& record = places_.find_or_create("record" + std::to_string(i), *night.records[i].type);
      record.state = build_state(night.records[i]);
      record.last_commit = clock_.next();  // so that the record exists and stays
      records_.push_back(&record);
    }
  }

  void run() {
    for (const Happening& happening : night_.happenings) {
      take(happening);
      settle();
    }
    finish();
    check();
  }

  void granted(Stranger& stranger) { stranger.asked.reset(); }
  void end(Stranger& stranger) {
    locks_.release(stranger);
    std::erase_if(strangers_, [&](const auto& one) { return one.get() == &stranger; });
  }

 private:
  struct Open {
    std::vector<Attempt*> listed;  // in the order of the list; null once decided
    std::vector<Timestamp> commits;  // 0: another shard has not listed it
    std::vector<Attempt*> alone;
    bool settling = false;
  };

  void take(const Happening& happening) {
    now_ms_ += 0.25;
    clock_.at(now_ms_, 1'000'000 + now_ms_);
    switch (happening.what) {
      case Happening::What::kMember:
        return bring_member(happening);
      case Happening::What::kStranger:
        if (strangers_.size() < kStrangersMax) bring_stranger(happening);
        return;
      case Happening::What::kStrangerCommits:
        if (!strangers_.empty()) commit_stranger(*strangers_[happening.who % strangers_.size()]);
        return;
      case Happening::What::kStrangerAborts:
        if (!strangers_.empty()) end(*strangers_[happening.who % strangers_.size()]);
        return;
      case Happening::What::kClose:
        return close(happening);
      case Happening::What::kSeal:
        if (const auto found = pick(happening.who); found != open_.end() && !found->second.settling) seal(found);
        return;
      case Happening::What::kCallOff:
        if (const auto found = pick(happening.who); found != open_.end()) call_off(found);
        return;
      case Happening::What::kAsk:
        if (const auto found = pick(happening.who); found != open_.end()) ask(found);
        return;
      case Happening::What::kDecide:
        if (const auto found = pick(happening.who); found != open_.end()) decide_one(found, happening.who);
        return;
      case Happening::What::kStep:
        epochs_.turn();
    }
  }

  void add_visits(Party& party, const std::vector<CallOn>& calls) {
    for (const CallOn& one : calls) {
      Record& record = *records_[one.record];
      Visit& visit = party.visit(record);
      visit.type = night_.records[one.record].type;
      visit.call = one.call;
      visit.request_number = 1;
      places_.pin(record);
    }
  }

  // ---- members
  void bring_member(const Happening& happening) {
    auto made = std::make_unique<Attempt>(*this);
    Attempt& member = *made;
    member.coordinator = &coordinator_;
    member.serial = member.priority = ++arrivals_;
    member.id[0] = static_cast<std::uint8_t>(arrivals_);
    member.member_of_epoch = std::make_unique<EpochMember>();
    EpochMember& membership = *member.member_of_epoch;
    membership.manager = happening.who % kManagers;
    membership.gathered_ms = now_ms_;
    if (!happening.alone) membership.prepare.participants = {kHere, kElsewhere};
    add_visits(member, happening.calls);
    membership.prepare.observes_only = std::none_of(member.visits.begin(), member.visits.end(), changes);
    members_.push_back(std::move(made));
    Refusal refusal;
    if (epochs_.refused(member, refusal) != nullptr) return let_go(member);
    epochs_.gather(member);
  }

  void let_go(Attempt& member) {
    epochs_.ended(member);
    locks_.release(member);
    over_.insert(&member);
  }

  bool vote_listed(Attempt& member) override {
    member.stage = Stage::kVoted;
    member.voted_at = clock_.next();
    member.participants = member.member_of_epoch->prepare.participants;
    if (member.participants.empty()) listed_alone_.push_back(&member);
    return true;
  }

  bool commit_member_of_epoch(Attempt& member, Timestamp at) override {
    clock_.raise(at);
    commit(member, at);
    over_.insert(&member);
    ++tally_.members;
    return true;
  }

  void refuse_member_of_epoch(Attempt& member, const Refusal&, const Visit&) override { let_go(member); }
  void end_member_of_epoch(Attempt& member, const Error&) override { let_go(member); }

  // ---- epochs
  void close(const Happening& happening) {
    const auto manager = static_cast<std::uint32_t>(happening.who % kManagers);
    const EpochNumber number = (EpochNumber{manager} << 56U) + ++closed_;
    listed_alone_.clear();
    const bool refused = happening.asked_before;
    if (refused && epochs_.asked(number)) RC_FAIL("epochs: members of an epoch that is not closed are undecided");
    epochs_.close({number, clock_.reached(), {kHere, kElsewhere}});
    while (epochs_.busy()) epochs_.turn();
    if (refused && (epochs_.any_lists() || !listed_alone_.empty()))
      RC_FAIL("epochs: a shard lists members after it has told a peer that it does not");
    for (const Epochs::List& list : epochs_.take_lists()) open(list.message, happening.others);
  }

  void open(const EpochListMessage& list, const std::vector<int>& others) {
    Open open;
    open.alone = listed_alone_;
    for (const ListedMember& member : list.members) {
      const auto is_it = [&](const auto& one) { return one->id == member.id; };
      open.listed.push_back(std::find_if(members_.begin(), members_.end(), is_it)->get());
      open.commits.push_back(commit_of(member.voted_at, others[open.listed.size() % others.size()]));
    }
    for (std::size_t i = 1; i < open.commits.size(); ++i) {
      if (open.commits[i] != 0 && open.commits[i] < open.commits[i - 1]) ++tally_.overtaking;
    }
    if (!open.listed.empty() || !open.alone.empty()) open_.emplace(list.epoch, std::move(open));
  }

  // The greatest of the votes. No two transactions have the same timestamp.
  Timestamp commit_of(Timestamp voted_at, int others_later) {
    if (others_later == kNotListed) return 0;
    if (others_later <= 0) return voted_at;
    Timestamp at = HybridClock::after(voted_at & ~Timestamp{0xFF}, static_cast<std::uint64_t>(others_later)) | kElsewhere;
    while (!elsewhere_.insert(at).second) at = HybridClock::after(at, 1);
    return at;
  }

  using Opened = std::map<EpochNumber, Open>::iterator;

  Opened pick(std::size_t who) { return open_.empty() ? open_.end() : std::next(open_.begin(), static_cast<long>(who % open_.size())); }

  Timestamp told(const Open& open, std::size_t i) const {
    return open.commits[i] != 0 && mistakes_.turns_by_votes ? open.listed[i]->voted_at : open.commits[i];
  }

  void seal(Opened found) {
    const Open open = std::move(found->second);
    EpochSealMessage seal{.epoch = found->first};
    open_.erase(found);
    for (std::size_t i = 0; i < open.listed.size(); ++i) {
      const Timestamp at = told(open, i);
      seal.committed.push_back(at == 0 ? 0 : at - open.listed[i]->voted_at + 1);
      note_commit(*open.listed[i], open.commits[i]);
    }
    for (Attempt* member : open.alone) note_commit(*member, member->voted_at);
    epochs_.seal(seal);
    epochs_.turn();
  }

  void call_off(Opened found) {
    epochs_.call_off(found->first);
    // A peer knows of the list: the shards settle it.
    if (!found->second.settling) open_.erase(found);
  }

  void ask(Opened found) {
    if (!epochs_.asked(found->first)) RC_FAIL("epochs: an open epoch has nobody who is undecided");
    found->second.settling = true;
  }

  void decide_one(Opened found, std::size_t who) {
    if (!found->second.settling) ask(found);
    Open& open = found->second;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < open.listed.size(); ++i) {
      if (open.listed[i] != nullptr) left.push_back(i);
    }
    if (!left.empty()) {
      const std::size_t i = left[who % left.size()];
      Attempt& member = *std::exchange(open.listed[i], nullptr);
      note_commit(member, open.commits[i]);
      epochs_.decide(member, open.commits[i] != 0 && mistakes_.turns_by_votes ? member.voted_at : open.commits[i]);
      ++tally_.settled;
    } else {
      Attempt& member = *open.alone.back();
      open.alone.pop_back();
      note_commit(member, member.voted_at);
      epochs_.decide(member, member.voted_at);
    }
    if (left.size() <= 1 && open.alone.empty()) open_.erase(found);
    // Its turn may have to wait for others of the epoch.
    for (int steps = 0; steps < 3; ++steps) epochs_.turn();
  }

  void note_commit(const Attempt& member, Timestamp at) {
    if (at != 0) commits_[&member] = at;
  }

  // ---- other transactions
  void bring_stranger(const Happening& happening) {
    Stranger& stranger = *strangers_.emplace_back(std::make_unique<Stranger>());
    stranger.serial = stranger.priority = ++arrivals_;
    stranger.id[0] = static_cast<std::uint8_t>(arrivals_);
    add_visits(stranger, happening.calls);
    stranger.asked = std::make_unique<Locking>(*this);
    GateRequest& request = *stranger.asked;
    request.party = &stranger;
    request.number = 1;
    for (Visit& visit : stranger.visits) request.visits.push_back(&visit);
    Refusal refusal;
    const Visit* refused = nullptr;
    switch (locks_.acquire(request, now_ms_, refusal, refused)) {
      case Acquired::kGranted:
        return granted(stranger);
      case Acquired::kWaiting:
        return;
      case Acquired::kDenied:
      case Acquired::kRefused:
        return end(stranger);
    }
  }

  void commit_stranger(Stranger& stranger) {
    if (stranger.asked != nullptr) return;
    const Timestamp at = clock_.next();
    commits_[&stranger] = at;
    commit(stranger, at);
    end(stranger);
    ++tally_.others;
  }

  // ---- both
  void commit(Party& party, Timestamp at) {
    Done done;
    for (Visit& visit : party.visits) {
      if (!visit.held) RC_FAIL("epochs: a transaction commits without its locks");
      const auto record = std::find(records_.begin(), records_.end(), visit.record);
      done.steps.push_back({static_cast<std::size_t>(record - records_.begin()), visit.call, visit.result});
    }
    for (Visit& visit : party.visits) withdraw(visit);
    for (Visit& visit : party.visits) {
      visit.type->commit(*visit.record->state, visit.call, visit.result);
      visit.record->last_commit = std::max(visit.record->last_commit, at);
    }
    if (!done_.emplace(commits_.at(&party), std::move(done)).second) RC_FAIL("epochs: two transactions have one timestamp");
    if (dynamic_cast<const Stranger*>(&party) == nullptr) locks_.release(party);
  }

  void settle() {
    locks_.settle(now_ms_);
    doubts_.take();
  }

  // ---- the end
  void finish() {
    while (!open_.empty()) {
      if (open_.begin()->second.settling) {
        decide_one(open_.begin(), 0);
      } else {
        seal(open_.begin());
      }
      settle();
    }
    for (int steps = 0; epochs_.busy() && steps < 1000; ++steps) epochs_.turn();
    if (epochs_.undecided() != 0) RC_FAIL("epochs: members stay undecided");
    if (over_.size() + epochs_.gathered() != members_.size()) RC_FAIL("epochs: a member is neither gathered nor over");
    for (const auto& member : members_) {
      if (!over_.contains(member.get())) let_go(*member);
    }
    if (epochs_.gathered() != 0) RC_FAIL("epochs: a member that has ended is still gathered");
    while (!strangers_.empty()) {
      commit_stranger(*strangers_.front());
      if (!strangers_.empty() && strangers_.front()->asked != nullptr) end(*strangers_.front());
      settle();
    }
    for (const Record* record : records_) {
      if (record->gate != nullptr && !record->gate->holders().empty()) RC_FAIL("epochs: somebody holds a record at the end");
    }
  }

  // The same calls, one transaction after the other.
  void check() {
    std::vector<std::unique_ptr<State>> states;
    for (const Scenario& record : night_.records) states.push_back(build_state(record));
    for (const auto& [at, done] : done_) {
      std::vector<std::vector<Held>> own(records_.size());
      for (const Done::Step& step : done.steps) run_alone(step, *states[step.record], own[step.record]);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const DataType& type = *night_.records[i].type;
        for (const Held& held : own[i]) type.release(*states[i], *held.call, *held.result);
        for (const Held& held : own[i]) type.commit(*states[i], *held.call, *held.result);
      }
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      std::string expected;
      std::string bytes;
      night_.records[i].type->encode(*states[i], expected);
      night_.records[i].type->encode(*records_[i]->state, bytes);
      if (bytes != expected) RC_FAIL("epochs: other bytes than in the order of commits");
    }
  }

  void run_alone(const Done::Step& step, State& state, std::vector<Held>& own) {
    const DataType& type = *night_.records[step.record].type;
    const std::string name(step.call.operation->name);
    const Outcome outcome = type.execute(state, step.call, own, context_);
    if (outcome.refused()) RC_FAIL("epochs: " + name + " would be refused in the order of commits");
    if (step.call.operation->fresh) {
      fresh_.note(step.call, step.result);
    } else if (outcome.result() != step.result) {
      RC_FAIL("epochs: another result of " + name + " than in the order of commits");
    }
    type.reserve(state, step.call, step.result, own);
    own.push_back({&step.call, &step.result});
  }

  // ---- of attempts: members get none of these
  void granted(Request&) override {}
  void refused(Request&, const Refusal&, const Visit&) override {}
  void moved(Request&) override {}
  void tell_wound(Attempt&, std::uint64_t, bool, bool) override {}
  void abort(Attempt&, const Error&) override {}
  void deny(Attempt&) override {}

  const Night& night_;
  const MemberMistakes& mistakes_;
  MemberTally& tally_;
  const Context context_{1};
  Counters counters_;
  Records places_;
  Locks locks_;
  Journal journal_{false};
  ShardClock clock_{kHere, journal_};
  Checkpoint checkpoint_;
  Deduplication deduplication_;
  AttemptLog log_{journal_, checkpoint_, deduplication_, counters_, clock_};
  Doubts doubts_;
  Epochs epochs_{{kHere, locks_, journal_, clock_, log_, doubts_, counters_, context_}, *this};
  Coordinator coordinator_;
  std::vector<Record*> records_;
  std::vector<std::unique_ptr<Attempt>> members_;
  std::set<const Attempt*> over_;
  std::vector<std::unique_ptr<Stranger>> strangers_;
  std::map<EpochNumber, Open> open_;
  std::vector<Attempt*> listed_alone_;
  std::map<const Party*, Timestamp> commits_;
  std::set<Timestamp> elsewhere_;  // timestamps of the other shard
  std::map<Timestamp, Done> done_;
  FreshResults fresh_;
  std::uint64_t closed_ = 0;
  std::uint64_t arrivals_ = 0;
  double now_ms_ = 0;
};

void Locking::granted() { world.granted(static_cast<Stranger&>(*party)); }
void Locking::refused(const Refusal&, const Visit&) { world.end(static_cast<Stranger&>(*party)); }

}  // namespace

std::string find_member_counterexample(const DataType& type, const Effort& effort, MemberTally& tally, const MemberMistakes& mistakes) {
  const auto nights = rc::gen::exec([&] { return draw_night(type); });
  return find_failure(std::string(type.name()) + " in epochs", effort, [&] {
    const Night night = *rc::gen::resize(rc::kNominalSize, nights);
    World(night, mistakes, tally).run();
  });
}

}  // namespace claret::laws

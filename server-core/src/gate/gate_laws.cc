// The laws at the real gate: attempts come to one record through Locks, wait in its queue, request more, commit and abort. The attempts
// that hold the record together at any moment are replayed for every way in which they can end (adt/laws.h). Natives and one-shots come
// between them: the results of all that still hold the record afterwards must be what they were, and what comes between must commute with
// all that have voted.
//
// Members of two chains enter runs of the record too (gate/run.h). While there is a run nobody else gets the record, and its state and all
// results are those of the run's members, executed one above the other on the committed state, whoever was taken out from between them.
#include <rapidcheck.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <ostream>

#include "adt/laws.h"
#include "gate/locks.h"
#include "gate/native.h"

namespace claret::laws {

struct Turn {
  enum class What : std::uint8_t { kCome, kAsk, kVote, kCommit, kAbort, kNative, kEnter, kTakeOut, kDecide, kBreak };
  What what;
  Transaction transaction;  // of an attempt that comes or asks for more, or of a member that enters; its first call is that of a native
  bool exclusive;  // the attempt wants the record exclusively
  bool whole;  // the attempt comes, commits and ends in one request
  std::uint64_t priority;  // of an attempt that comes
  std::size_t who;  // modulo the number of present attempts, or members; of a member that enters: its chain
  double later_ms;
};

struct Evening {
  Scenario before;  // its type, and the history that led to its state
  LockSettings settings;
  std::vector<Turn> turns;
};

std::ostream& operator<<(std::ostream& out, const Evening& evening) {
  out << evening.before << "\n  " << (evening.settings.rule.kind == LockKind::kAbstract ? "abstract" : "reader/writer")
      << " locks, phasing " << (evening.settings.phasing ? "on" : "off");
  for (const Turn& turn : evening.turns) {
    out << "\n  after " << turn.later_ms << " ms ";
    switch (turn.what) {
      case Turn::What::kCome:
        out << "with priority " << turn.priority << (turn.whole ? " one-shot" : "") << (turn.exclusive ? " exclusive" : "")
            << " comes: " << turn.transaction.calls;
        break;
      case Turn::What::kAsk:
        out << turn.who << " asks: " << turn.transaction.calls;
        break;
      case Turn::What::kVote:
        out << turn.who << " votes";
        break;
      case Turn::What::kNative:
        out << "native: " << turn.transaction.calls.front();
        break;
      case Turn::What::kCommit:
        out << turn.who << " commits";
        break;
      case Turn::What::kAbort:
        out << turn.who << " aborts";
        break;
      case Turn::What::kEnter:
        out << "of chain " << turn.who % 2 << " enters: " << turn.transaction.calls;
        break;
      case Turn::What::kTakeOut:
        out << "member " << turn.who << " is taken out";
        break;
      case Turn::What::kDecide:
        out << "the first member commits";
        break;
      case Turn::What::kBreak:
        out << "the chain is broken";
    }
  }
  return out;
}

namespace {

constexpr double kPhaseCapMs = 2;
constexpr int kTurnsMax = 20;

// `favourite`: the operation that most of the attempts ask for; otherwise hardly any would hold the record together.
Turn draw_turn(const DataType& type, const OperationSpec& favourite, const Crowd& crowd, bool natives, bool runs) {
  using What = Turn::What;
  Turn turn;
  turn.what = *rc::gen::weightedElement<What>({{runs ? 2 : 8, What::kCome},
                                               {runs ? 12 : 0, What::kEnter},
                                               {runs ? 4 : 0, What::kTakeOut},
                                               {runs ? 3 : 0, What::kDecide},
                                               {runs ? 1 : 0, What::kBreak},
                                               {2, What::kAsk},
                                               {natives ? 2 : 0, What::kVote},
                                               {2, What::kCommit},
                                               {1, What::kAbort},
                                               {natives ? 3 : 0, What::kNative}});
  if (turn.what == What::kAsk && crowd.calls_max == 1) turn.what = What::kCome;
  if (turn.what == What::kCome || turn.what == What::kAsk || turn.what == What::kNative || turn.what == What::kEnter) {
    turn.transaction = draw_transaction(type, *rc::gen::inRange(0, 3) > 0 ? &favourite : nullptr, crowd.calls_max);
  }
  turn.exclusive = rarely(30);
  turn.whole = rarely(natives ? 3 : 12);
  turn.priority = *rc::gen::inRange<std::uint64_t>(1, 9);
  turn.who = *rc::gen::inRange<std::size_t>(0, crowd.parties_max);
  turn.later_ms = *rc::gen::element(0.0, 0.5, 3.0);
  return turn;
}

Evening draw_evening(const DataType& type, const Crowd& crowd) {
  Evening evening;
  const OperationSpec& any = type.operations().front();
  evening.before = draw_scenario(type, any, any);
  evening.before.steps.clear();
  evening.settings.rule.kind = rarely(8) ? LockKind::kReaderWriter : LockKind::kAbstract;
  evening.settings.phasing = !rarely(5);
  evening.settings.patience.phase_cap_ms = kPhaseCapMs;
  const OperationSpec& favourite = type.operations()[*rc::gen::inRange<std::size_t>(0, type.operations().size())];
  // Natives break holders: without them, more parties hold the record together.
  const bool natives = crowd.natives && rarely(3);
  const bool runs = rarely(3);
  evening.turns =
      draw_up_to<Turn>(kTurnsMax, [&type, &favourite, &crowd, natives, runs] { return draw_turn(type, favourite, crowd, natives, runs); });
  return evening;
}

class House;

struct Guest : Party {
  std::unique_ptr<GateRequest> asked;
  std::uint32_t requests_taken = 0;
  bool exclusive = false;

  const GateRequest* asking() const override { return asked.get(); }
};

struct Asked : GateRequest {
  explicit Asked(House& its_house) : house(its_house) {}

  House& house;

  void granted() override;
  void refused(const Refusal&, const Visit&) override;
  void moved() override;
};

class House {
 public:
  House(const Evening& evening, const Crowd& crowd, TogetherTally& tally)
      : type_(*evening.before.type),
        crowd_(crowd),
        tally_(tally),
        locks_(records_, counters_, context_, evening.settings),
        record_(records_.find_or_create("record", type_)) {
    record_.state = build_state(evening.before);
    record_.last_commit = ++clock_;  // so that the record exists and stays
  }

  void run(const std::vector<Turn>& turns) {
    for (const Turn& turn : turns) {
      now_ms_ += turn.later_ms;
      take(turn);
      settle();
      check();
    }
    break_run();
    settle();
    check();
    while (!guests_.empty()) {
      end(*guests_.front());
      settle();
      check();
    }
  }

 private:
  friend struct Asked;

  void take(const Turn& turn) {
    if (turn.what == Turn::What::kCome) {
      if (guests_.size() < crowd_.parties_max) come(turn);
      return;
    }
    switch (turn.what) {
      case Turn::What::kNative:
        return run_native(turn.transaction.calls.front());
      case Turn::What::kEnter:
        return enter(turn);
      case Turn::What::kTakeOut:
        if (!members_.empty()) take_out(turn.who % members_.size());
        return;
      case Turn::What::kDecide:
        if (!members_.empty()) decide();
        return;
      case Turn::What::kBreak:
        return break_run();
      default:
        break;
    }
    if (guests_.empty()) return;
    Guest& guest = *guests_[turn.who % guests_.size()];
    const bool waits = guest.asked != nullptr;
    switch (turn.what) {
      case Turn::What::kAsk:
        if (!waits && guest.stage == Stage::kRunning) ask(guest, turn.transaction, false);
        break;
      case Turn::What::kVote:
        if (!waits) guest.stage = Stage::kVoted;
        break;
      case Turn::What::kCommit:
        if (!waits) commit(guest);
        break;
      default:
        end(guest);
    }
  }

  void come(const Turn& turn) {
    Guest& guest = *guests_.emplace_back(std::make_unique<Guest>());
    guest.priority = turn.priority;
    guest.serial = ++arrivals_;
    guest.id[0] = static_cast<std::uint8_t>(arrivals_);
    guest.exclusive = turn.exclusive;
    ask(guest, turn.transaction, turn.whole);
  }

  Visit& add_visit(Guest& guest, const Call& call) {
    Visit& visit = guest.visit(record_);
    visit.type = &type_;
    visit.call = call;
    visit.exclusive = guest.exclusive;
    records_.pin(record_);
    return visit;
  }

  void enter(const Turn& turn) {
    const std::uint64_t owner = 1 + turn.who % 2;
    const Gate* gate = record_.gate.get();
    if (members_.size() >= crowd_.parties_max || (gate != nullptr && !gate->holders().empty())) return;
    if (record_.run() != nullptr && record_.run()->owner != owner) return;
    auto member = std::make_unique<Guest>();
    member->stage = Stage::kEntered;
    for (const Call& call : turn.transaction.calls) add_visit(*member, call);
    if (members_.empty()) committed_ = bytes();
    if (!execute(*member)) return locks_.release(*member);
    if (gate == nullptr) record_.gate = std::make_unique<Gate>();
    apply(record_.gate->run_of(owner), *member);
    members_.push_back(std::move(member));
  }

  // Executes all operations, before any has taken effect. False if one is refused.
  bool execute(Guest& member) {
    Refusal refusal;
    bool all = true;
    for (Visit& visit : member.visits) {
      visit.mode = locks_.rule().mode_of(visit);
      if (all) all = admit(visit, locks_.rule(), context_, refusal).passes();
    }
    for (Visit& visit : member.visits) {
      if (visit.admitted) withdraw(visit);
    }
    return all;
  }

  void apply(claret::Run& run, Guest& member) {
    for (Visit& visit : member.visits) {
      run.entries.push_back({&visit, type_.before(*record_.state, visit.call, visit.result)});
      type_.commit(*record_.state, visit.call, visit.result);
    }
  }

  void undo_to(claret::Run& run, std::size_t left) {
    for (; run.entries.size() > left; run.entries.pop_back()) {
      const claret::Run::Entry& newest = run.entries.back();
      type_.undo(*record_.state, newest.visit->call, newest.visit->result, newest.kept);
    }
  }

  void take_out(std::size_t index) {
    claret::Run& run = *record_.run();
    undo_to(run, run.first_of(*members_[index]));
    std::deque<std::unique_ptr<Guest>> above;
    for (; members_.size() > index; members_.pop_back()) above.push_front(std::move(members_.back()));
    locks_.release(*above.front());
    above.pop_front();
    for (std::unique_ptr<Guest>& member : above) {
      if (execute(*member)) {
        apply(run, *member);
        members_.push_back(std::move(member));
      } else {
        locks_.release(*member);
      }
    }
    if (members_.empty()) end_run();
  }

  void decide() {
    claret::Run& run = *record_.run();
    const std::unique_ptr<State> state = type_.decode(committed_);
    for (const Visit& visit : members_.front()->visits) {
      if (run.entries.front().visit != &visit) RC_FAIL("run: the first entry is not the first member's");
      type_.commit(*state, visit.call, visit.result);
      run.entries.pop_front();
    }
    committed_.clear();
    type_.encode(*state, committed_);
    record_.last_commit = ++clock_;
    locks_.release(*members_.front());
    members_.pop_front();
    if (members_.empty()) end_run();
  }

  void break_run() {
    if (members_.empty()) return;
    undo_to(*record_.run(), 0);
    if (bytes() != committed_) RC_FAIL("run: a broken chain leaves something");
    for (const std::unique_ptr<Guest>& member : members_) locks_.release(*member);
    members_.clear();
    end_run();
  }

  void end_run() {
    record_.gate->end_run();
    locks_.retry_waiters(record_);
  }

  std::string bytes() const {
    std::string bytes;
    type_.encode(*record_.state, bytes);
    return bytes;
  }

  void check_run() {
    if (members_.empty()) return;
    if (!record_.gate->holders().empty()) RC_FAIL("run: somebody holds the record");
    ++tally_.in_runs[members_.size()];
    const std::unique_ptr<State> state = type_.decode(committed_);
    for (const std::unique_ptr<Guest>& member : members_) {
      std::vector<Held> own;
      for (const Visit& visit : member->visits) {
        const Outcome outcome = type_.execute(*state, visit.call, own, context_);
        if (outcome.refused()) RC_FAIL("run: " + std::string(visit.call.operation->name) + " stands, and would be refused");
        if (!visit.call.operation->fresh && outcome.result() != visit.result) {
          RC_FAIL("run: another result of " + std::string(visit.call.operation->name));
        }
        type_.reserve(*state, visit.call, visit.result, own);
        own.push_back({&visit.call, &visit.result});
      }
      for (const Held& held : own) type_.release(*state, *held.call, *held.result);
      for (const Held& held : own) type_.commit(*state, *held.call, *held.result);
    }
    std::string expected;
    type_.encode(*state, expected);
    if (bytes() != expected) RC_FAIL("run: other bytes than those of its members");
  }

  void ask(Guest& guest, const Transaction& transaction, bool whole) {
    guest.asked = std::make_unique<Asked>(*this);
    GateRequest& request = *guest.asked;
    request.party = &guest;
    request.number = ++guest.requests_taken;
    request.whole = whole;
    request.ends_here = request.leaves_at_once = whole;
    for (const Call& call : transaction.calls) {
      Visit& visit = add_visit(guest, call);
      visit.request_number = request.number;
      request.visits.push_back(&visit);
    }
    Refusal refusal;
    const Visit* refused = nullptr;
    switch (locks_.acquire(request, now_ms_, refusal, refused)) {
      case Acquired::kGranted:
        granted(guest);
        break;
      case Acquired::kWaiting:
        break;
      case Acquired::kDenied:
        locks_.cancel(request, now_ms_);
        end(guest);
        break;
      case Acquired::kRefused:
        end(guest);
    }
  }

  // A native that would have to wait goes away.
  void run_native(const Call& call) {
    const Native native{.record = &record_, .type = record_.type, .call = call};
    for (;;) {
      NativeJudgement judgement = judge(native, locks_.rules());
      if (record_.run() != nullptr && !judgement.verdict.waits()) RC_FAIL("run: a native passes it");
      if (judgement.verdict.waits() || judgement.verdict.kind == Verdict::Kind::kRefuse) return;
      for (const Visit* holder : judgement.broken) {
        if (holder->party->stage != Stage::kRunning) RC_FAIL("gate: a native breaks a party that has voted");
        end(static_cast<Guest&>(*holder->party));
      }
      if (judgement.verdict.kind == Verdict::Kind::kBreak) continue;
      const Value result = judgement.outcome.take_result();
      check_beside_voters({{{&native.call, &result}}});
      type_.commit(*record_.state, native.call, result);
      record_.last_commit = ++clock_;
      locks_.retry_waiters(record_);
      return;
    }
  }

  // A party that has voted may have committed already, elsewhere: whatever comes has to give the same results before and after it.
  void check_beside_voters(Holding newcomer) {
    std::vector<Holding> holdings = held_by([](const Guest& guest) { return guest.stage == Stage::kVoted; });
    if (holdings.empty()) return;
    holdings.push_back(std::move(newcomer));
    check_every_ending(type_, *record_.state, holdings, context_, fresh_);
  }

  void granted(Guest& guest) {
    if (record_.run() != nullptr) RC_FAIL("run: a lock is granted");
    const bool ends_here = guest.asked->ends_here;
    guest.asked.reset();
    if (!ends_here) return;
    Holding one_shot;
    for (const Visit& visit : guest.visits) one_shot.held.push_back({&visit.call, &visit.result});
    check_beside_voters(std::move(one_shot));
    commit(guest);
  }

  void commit(Guest& guest) {
    for (Visit& visit : guest.visits) {
      if (!visit.admitted) RC_FAIL("gate: a visit commits that was not admitted");
      withdraw(visit);
    }
    for (Visit& visit : guest.visits) type_.commit(*record_.state, visit.call, visit.result);
    record_.last_commit = ++clock_;
    end(guest);
  }

  void end(Guest& guest) {
    locks_.release(guest);
    std::erase_if(guests_, [&](const auto& other) { return other.get() == &guest; });
  }

  void settle() { locks_.settle(now_ms_); }

  void check() {
    const Gate* gate = record_.gate.get();
    check_run();
    const bool is_free = gate != nullptr && gate->holders().empty() && gate->run() == nullptr;
    if (is_free && !gate->waiters().empty()) RC_FAIL("liveness: there are waiters but no holder");
    const std::vector<Holding> holdings = held_by([](const Guest&) { return true; });
    ++tally_[holdings.size()];
    check_every_ending(type_, *record_.state, holdings, context_, fresh_);
  }

  std::vector<Holding> held_by(const auto& matches) const {
    std::vector<Holding> holdings;
    for (const auto& guest : guests_) {
      Holding holding;
      for (const Visit& visit : guest->visits) {
        if (visit.held) holding.held.push_back({&visit.call, &visit.result});
      }
      if (!holding.held.empty() && matches(*guest)) holdings.push_back(std::move(holding));
    }
    return holdings;
  }

  const DataType& type_;
  const Crowd& crowd_;
  TogetherTally& tally_;
  const Context context_{1};
  Counters counters_;
  Records records_;
  Locks locks_;
  Record& record_;
  std::vector<std::unique_ptr<Guest>> guests_;
  std::deque<std::unique_ptr<Guest>> members_;  // of the run, in order
  std::string committed_;  // while there is a run
  FreshResults fresh_;
  Timestamp clock_ = 0;
  std::uint64_t arrivals_ = 0;
  double now_ms_ = 0;
};

void Asked::granted() { house.granted(static_cast<Guest&>(*party)); }
void Asked::refused(const Refusal&, const Visit&) { house.end(static_cast<Guest&>(*party)); }
void Asked::moved() { house.end(static_cast<Guest&>(*party)); }

}  // namespace

std::string find_gate_counterexample(const DataType& type, const Crowd& crowd, const Effort& effort, TogetherTally& tally) {
  const auto evenings = rc::gen::exec([&] { return draw_evening(type, crowd); });
  return find_failure(std::string(type.name()) + " at the gate", effort, [&] {
    const Evening evening = *rc::gen::resize(rc::kNominalSize, evenings);
    House(evening, crowd, tally).run(evening.turns);
  });
}

}  // namespace claret::laws

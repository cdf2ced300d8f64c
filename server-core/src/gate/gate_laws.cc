// The laws at the real gate: attempts come to one record through Locks, wait in its queue, request more, commit and abort. The attempts
// that hold the record together at any moment are replayed for every way in which they can end (adt/laws.h). Natives and one-shots come
// between them: the results of all that still hold the record afterwards must be what they were, and what comes between must commute with
// all that have voted.
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "adt/laws.h"
#include "gate/locks.h"
#include "gate/native.h"

namespace claret::laws {

struct Turn {
  enum class What : std::uint8_t { kCome, kAsk, kVote, kCommit, kAbort, kNative };
  What what;
  Transaction transaction;  // of an attempt that comes or asks for more; its first call is that of a native
  bool exclusive;  // the attempt wants the record exclusively
  bool whole;  // the attempt comes, commits and ends in one request
  std::uint64_t priority;  // of an attempt that comes
  std::size_t who;  // modulo the number of present attempts
  double later_ms;
};

struct Evening {
  Scenario before;  // its type, and the history that led to its state
  LockSettings settings;
  std::vector<Turn> turns;
};

std::ostream& operator<<(std::ostream& out, const Evening& evening) {
  out << evening.before << "\n  " << (evening.settings.rule.kind == LockKind::kAbstract ? "abstract" : "reader/writer")
      << " locks, phasing " << (evening.settings.phasing ? "on" : "off") << ", natives "
      << (evening.settings.rule.natives_pass ? "pass" : "wait");
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
    }
  }
  return out;
}

namespace {

constexpr double kPhaseCapMs = 2;
constexpr int kTurnsMax = 20;

// `favourite`: the operation that most of the attempts ask for; otherwise hardly any would hold the record together.
Turn draw_turn(const DataType& type, const OperationSpec& favourite, const Crowd& crowd, bool natives) {
  using What = Turn::What;
  Turn turn;
  turn.what = *rc::gen::weightedElement<What>({{8, What::kCome},
                                               {2, What::kAsk},
                                               {natives ? 2 : 0, What::kVote},
                                               {2, What::kCommit},
                                               {1, What::kAbort},
                                               {natives ? 3 : 0, What::kNative}});
  if (turn.what == What::kAsk && crowd.calls_max == 1) turn.what = What::kCome;
  if (turn.what == What::kCome || turn.what == What::kAsk || turn.what == What::kNative) {
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
  evening.settings.phase_cap_ms = kPhaseCapMs;
  evening.settings.rule.natives_pass = !rarely(4);
  const OperationSpec& favourite = type.operations()[*rc::gen::inRange<std::size_t>(0, type.operations().size())];
  // Natives break holders: without them, more parties hold the record together.
  const bool natives = crowd.natives && rarely(3);
  evening.turns = draw_up_to<Turn>(kTurnsMax, [&type, &favourite, &crowd, natives] { return draw_turn(type, favourite, crowd, natives); });
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
    if (turn.what == Turn::What::kNative) {
      run_native(turn.transaction.calls.front());
      return;
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

  void ask(Guest& guest, const Transaction& transaction, bool whole) {
    guest.asked = std::make_unique<Asked>(*this);
    GateRequest& request = *guest.asked;
    request.party = &guest;
    request.number = ++guest.requests_taken;
    request.whole = whole;
    request.ends_here = request.leaves_at_once = whole;
    for (const Call& call : transaction.calls) {
      Visit& visit = guest.visit(record_);
      visit.type = &type_;
      visit.call = call;
      visit.exclusive = guest.exclusive;
      visit.request_number = request.number;
      records_.pin(record_);
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
    const Native native{.record = &record_, .call = call};
    for (;;) {
      const NativeRule rule{.locks = locks_.rule()};
      NativeJudgement judgement = judge(native, rule, context_);
      if (judgement.verdict == NativeJudgement::Verdict::kWaits || judgement.verdict == NativeJudgement::Verdict::kRefused) return;
      for (const Visit* holder : judgement.broken) {
        if (holder->party->stage != Stage::kRunning) RC_FAIL("gate: a native breaks a party that has voted");
        if (!rule.locks.natives_pass) RC_FAIL("gate: a native breaks a party although natives wait");
        end(static_cast<Guest&>(*holder->party));
      }
      if (judgement.verdict == NativeJudgement::Verdict::kBreaksAndRetries) continue;
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
    if (gate != nullptr && gate->holders().empty() && !gate->waiters().empty()) RC_FAIL("liveness: there are waiters but no holder");
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

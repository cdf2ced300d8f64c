#include "transaction/warranties.h"

#include <algorithm>
#include <cmath>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "ground/mutation.h"
#include "wire/limits.h"
#include "wire/value_codec.h"

namespace claret {

namespace {

// The clocks of client and shard may differ by a hundredth in their rates.
constexpr double kTermMargin = 1.01;
// `until` is that far beyond a term from the wall clock on, so that it need not be told anew, and a ceiling logged, more than once in a step.
constexpr double kUntilAheadMs = 2000;
constexpr double kUntilStepMs = 1000;
// If the shard's own clock is ahead of the wall clock, `until` is so many terms ahead of it. A lapse raises the clock to what its client was told
// about a term ago, so lapses never move a clock away from the wall clock.
constexpr double kUntilTerms = 0.5;
constexpr double kStandingEveryMs = 50;

std::string bytes_of(const Value& result) {
  std::string bytes;
  protozero::pbf_writer message(bytes);
  write_value(message, result);
  return bytes;
}

double latest_end_of(const StandingWarranty& warranty) {
  double end_ms = warranty.firm_until_ms;
  for (const auto& grant : warranty.grants) end_ms = std::max(end_ms, grant->lapses_ms);
  return end_ms;
}

bool holds(const Coordinator& session, const StandingWarranty& warranty) {
  return std::any_of(warranty.grants.begin(), warranty.grants.end(), [&](const auto& grant) { return grant->session == &session; });
}

}  // namespace

Warranties::Warranties(const Shard& shard, const WarrantySettings& settings, std::function<void(Coordinator&)> has_output)
    : shard_(shard), settings_(settings), has_output_(std::move(has_output)) {
  shard_.locks.set_warranty_keeper(*this);
}

Warranties::~Warranties() = default;

void Warranties::switch_to(WarrantyPolicy policy) {
  policy_ = policy;
  if (policy != WarrantyPolicy::kOff) return;
  recall_where([](const Record&) { return true; });
  take_back_promise();
}

// ---- grants ---------------------------------------------------------------------------------------------------------------

Digest Warranties::digest_of(const Value& result) const { return claret::digest_of(bytes_of(result), settings_.digest_key); }

std::uint64_t Warranties::answer(const Request& request, Answers& answers) {
  Coordinator& session = *request.attempt->coordinator;
  const bool is_list = request.prepare && request.number == 1;
  bool is_granted = true;
  absl::InlinedVector<bool, 8> wishes;
  for (const Asked& asked : request.asked) {
    const Wish wish = asked.warrant == 0 ? Wish::kFulfilled : judge(session, *request.visits[asked.index]);
    wishes.push_back(wish == Wish::kToGrant);
    if (is_list && wish == Wish::kRefused && asked.warrant != kDigestInAnyCase) is_granted = false;
  }
  std::uint64_t position = 0;
  Timestamp from = 0;
  for (std::size_t i = 0; i < request.asked.size(); ++i) {
    const Asked& asked = request.asked[i];
    const bool needs_digest = asked.warrant == kDigestInAnyCase;
    const Visit& visit = *request.visits[asked.index];
    StandingWarranty* warranty = wishes[i] && (is_granted || needs_digest) ? warranty_for(session, visit) : nullptr;
    if (warranty == nullptr) {
      if (needs_digest) answers.push_back({.operation = asked.index, .digest = digest_of(visit.result)});
      continue;
    }
    if (from == 0) {
      from = shard_.clock.next();
      shard_.clock.cover(until());
      position = shard_.clock.ceiling_position();
    }
    answers.push_back({.grant = grant(*warranty, session), .operation = asked.index, .from = from, .digest = warranty->digest});
  }
  return position;
}

// The cheap questions come first: most askings end with `is_worth`.
Warranties::Wish Warranties::judge(const Coordinator& session, const Visit& visit) {
  if (policy_ == WarrantyPolicy::kOff || !session.takes_warranties || session.grants.size() >= limits::kGrantsPerSessionMax) {
    return Wish::kRefused;
  }
  const StandingWarranty* standing = find(visit);
  if (standing != nullptr && holds(session, *standing)) return Wish::kFulfilled;
  const bool may_be_worth = standing != nullptr || is_worth(visit);
  return may_be_worth && may_grant(visit) && promised(settings_.term_ms) ? Wish::kToGrant : Wish::kRefused;
}

// An operation may be there twice.
StandingWarranty* Warranties::warranty_for(const Coordinator& session, const Visit& visit) {
  StandingWarranty* standing = find(visit);
  if (standing == nullptr) return issue(visit);
  return holds(session, *standing) ? nullptr : standing;
}

bool Warranties::is_worth(const Visit& visit) {
  if (!worth_.counts(*visit.call.operation)) return false;
  return worth_.asked(Worth::named(visit.record->key, visit.call), visit.result, settings_.evidence(), shard_.clock.now_ms());
}

bool Warranties::may_grant(const Visit& visit) const {
  const OperationSpec& operation = *visit.call.operation;
  if (operation.operation_class != OperationClass::kObserve || operation.fresh || operation.reserves) return false;
  if (settings_.term_ms == 0 || shard_.clock.refuses_changes() || shard_.locks.mode() == ShardMode::kDraining) return false;
  if (visit.party->stage != Stage::kRunning && visit.party->stage != Stage::kVoted) return false;
  const Gate* gate = visit.record->gate.get();
  if (gate != nullptr && gate->warranties().size() >= limits::kWarrantiesPerRecordMax && find(visit) == nullptr) return false;
  return judge_promise(visit, shard_.locks.rules()).passes();
}

bool Warranties::promised(double term_ms) {
  if (!shard_.journal.on()) return true;
  const auto whole_ms = static_cast<std::uint64_t>(std::ceil(term_ms));
  if (shard_.journal.promised_ms() < whole_ms) promised_position_ = shard_.journal.promise(whole_ms);
  return promised_position_ <= shard_.journal.durable();
}

Timestamp Warranties::until() {
  const Timestamp wall = shard_.clock.wall();
  const Timestamp reached = shard_.clock.reached();
  const double ahead_ms = kUntilTerms * settings_.term_ms;
  if (until_ < HybridClock::later(wall, settings_.term_ms + kUntilAheadMs) || until_ < HybridClock::later(reached, ahead_ms / 2)) {
    until_ = std::max(
        {until_, HybridClock::later(wall, settings_.term_ms + kUntilAheadMs + kUntilStepMs), HybridClock::later(reached, ahead_ms)});
  }
  return until_;
}

StandingWarranty* Warranties::find(const Visit& visit) const {
  const Gate* gate = visit.record->gate.get();
  if (gate == nullptr) return nullptr;
  for (Warranty* warranty : gate->warranties()) {
    const bool same = warranty->call.operation == visit.call.operation && warranty->call.arguments == visit.call.arguments;
    if (same) return warranty->recalled ? nullptr : static_cast<StandingWarranty*>(warranty);
  }
  return nullptr;
}

StandingWarranty* Warranties::issue(const Visit& visit) {
  const std::string result = bytes_of(visit.result);
  if (result.size() > limits::kWarrantyBytesMax) return nullptr;
  auto issued = std::make_unique<StandingWarranty>();
  StandingWarranty& warranty = *issued;
  warranty.serial = next_serial_++;
  warranty.record = visit.record;
  warranty.call = visit.call;
  warranty.result = visit.result;
  warranty.operation = Worth::named(visit.record->key, visit.call);
  warranty.digest = claret::digest_of(result, settings_.digest_key);
  warranty.issued_ms = shard_.clock.now_ms();
  shard_.records.pin(*visit.record);
  if (visit.record->gate == nullptr) visit.record->gate = std::make_unique<Gate>();
  visit.record->gate->add_warranty(warranty);
  standing_.emplace(warranty.serial, std::move(issued));
  ++shard_.counters.totals.warranties;
  return &warranty;
}

std::uint64_t Warranties::grant(StandingWarranty& warranty, Coordinator& session) {
  auto made = std::make_unique<Grant>();
  Grant& grant = *made;
  grant.warranty = &warranty;
  grant.session = &session;
  grant.number = ++session.grants_made;
  grant.serial = next_serial_++;
  session.grants.emplace(grant.number, &grant);
  warranty.grants.push_back(std::move(made));
  ++warranty.granted;
  ++grants_;
  ++shard_.counters.totals.grants;
  return grant.number;
}

void Warranties::tell_standing(Coordinator& session) {
  if (!session.takes_warranties || policy_ == WarrantyPolicy::kOff || shard_.clock.refuses_changes()) return;
  if (shard_.clock.now_ms() - session.standing_told_ms >= kStandingEveryMs) tell_standing_now(session);
}

void Warranties::tell_standing_now(Coordinator& session) {
  // A start of the shard grants nothing for a while, and must not begin above what the last one said each time.
  const bool holds = !session.grants.empty();
  StandingMessage standing;
  standing.now = shard_.clock.next();
  standing.until = holds ? until() : until_;
  standing.clock_us = static_cast<std::uint64_t>(shard_.clock.now_ms() * 1000);
  if (holds) shard_.clock.cover(standing.until);
  session.told_until = standing.until;
  session.standing_told_ms = shard_.clock.now_ms();
  session.depend_on(shard_.clock.ceiling_position(), shard_.journal.durable());
  server_frame::add_standing(session.out, standing);
  has_output_(session);
}

// ---- ends -----------------------------------------------------------------------------------------------------------------

void Warranties::used(Coordinator& session, const UsedMessage& message) {
  session.used_up_to = std::max(session.used_up_to, message.up_to);
  shard_.counters.totals.warranted_answers += message.answers;
  shard_.counters.totals.warranted_commits += message.commits;
}

void Warranties::make_firm(Coordinator& session, const FirmWantedMessage& message) {
  const double for_ms = message.for_ms;
  const auto found = session.grants.find(message.grant);
  const bool may = found != session.grants.end() && may_be_firm(*found->second->warranty, for_ms);
  if (may) {
    StandingWarranty& warranty = *found->second->warranty;
    const double until_ms = shard_.clock.now_ms() + for_ms;
    if (until_ms > warranty.firm_until_ms) {
      firm_.erase({warranty.firm_until_ms, warranty.serial});
      warranty.firm_until_ms = until_ms;
      firm_.emplace(std::pair(until_ms, warranty.serial), &warranty);
    }
    ++shard_.counters.totals.firm_promises;
  }
  server_frame::add_firm(session.out, message.grant, may ? message.for_ms * std::uint64_t{1000} : 0);
  has_output_(session);
}

bool Warranties::may_be_firm(const StandingWarranty& warranty, double for_ms) {
  if (warranty.recalled || giving_way_.awaits(*warranty.record, shard_.clock.now_ms()) || for_ms > settings_.firm_ms_max ||
      shard_.clock.refuses_changes())
    return false;
  return worth_.lasts(warranty.operation, for_ms, shard_.clock.now_ms()) && promised(settings_.firm_ms_max);
}

void Warranties::returned(Coordinator& session, const ReturnedMessage& message) {
  const auto found = session.grants.find(message.grant);
  if (found == session.grants.end()) return;
  Grant& grant = *found->second;
  grant.warranty->uses += message.uses;
  grant.warranty->used_up_to = std::max(grant.warranty->used_up_to, session.used_up_to);
  ++shard_.counters.totals.grants_returned;
  end(grant);
}

void Warranties::lose(Coordinator& session) {
  for (const auto& [number, grant] : std::exchange(session.grants, {})) {
    set_lapse(*grant, session.last_heard_ms + settings_.term_ms);
    grant->session = nullptr;
    grant->lost_name = session.name;
    grant->lost_told_until = session.told_until;
    // What waits for it knows how long.
    if (grant->warranty->recalled) grant->warranty->ends_by_ms = latest_end_of(*grant->warranty);
  }
}

void Warranties::recall(Record& record, const Call& change, const Value* result, std::uint64_t priority) {
  if (record.gate == nullptr) return;
  const auto at_gate = record.gate->warranties();
  const absl::InlinedVector<Warranty*, 8> warranties(at_gate.begin(), at_gate.end());
  for (Warranty* warranty : warranties) {
    if (violates(change, result, *warranty, shard_.locks.rule())) recall_violated(*warranty, priority);
  }
}

void Warranties::recall_violated(Warranty& warranty, std::uint64_t priority) {
  auto& standing = static_cast<StandingWarranty&>(warranty);
  standing.violated = true;
  recall(standing, priority);
}

void Warranties::recall_all(Record& record) {
  if (record.gate == nullptr) return;
  const auto at_gate = record.gate->warranties();
  const absl::InlinedVector<Warranty*, 8> warranties(at_gate.begin(), at_gate.end());
  for (Warranty* warranty : warranties) recall(static_cast<StandingWarranty&>(*warranty), kNobodysPriority);
}

bool Warranties::change(const Change& change) {
  if (change.kind == ChangeKind::kConditions && change.step == ChangeStep::kMaking) switch_to(change.after->warranties);
  if (change.step != ChangeStep::kAnnounced) return true;
  return recall_where([&](const Record& record) {
    return change.kind == ChangeKind::kSlots ? change.slots.contains(record.slot) : record.type == change.type;
  });
}

bool Warranties::recall_where(absl::FunctionRef<bool(const Record&)> is_meant) {
  const auto is_concerned = [&](const auto& one) { return is_meant(*one.second->record); };
  std::vector<StandingWarranty*> warranties;
  for (const auto& one : standing_) {
    if (is_concerned(one)) warranties.push_back(one.second.get());
  }
  for (StandingWarranty* warranty : warranties) recall(*warranty, kNobodysPriority);
  return std::none_of(standing_.begin(), standing_.end(), is_concerned);
}

void Warranties::recall(StandingWarranty& warranty, std::uint64_t priority) {
  const double now_ms = shard_.clock.now_ms();
  // What is denied is in no queue that would keep the next grant out.
  if (!shard_.locks.settings().phasing) worth_.pause(warranty.operation, now_ms + patience_of(shard_.locks).denied_pause_ms);
  if (warranty.recalled && priority >= warranty.recalled_for) return;
  const bool first = !std::exchange(warranty.recalled, true);
  warranty.recalled_for = priority;
  if (first) {
    warranty.recalled_ms = now_ms;
    ++shard_.counters.totals.warranties_recalled;
  }
  for (const auto& grant : warranty.grants) {
    if (grant->session != nullptr) {
      // It waits for nothing: an acknowledgement that overtook it would lengthen the client's lease.
      server_frame::add_recall(grant->session->at_once, grant->number, priority);
      has_output_(*grant->session);
      // Fixed here: a client that has a later acknowledgement has the recall too.
      if (first) set_lapse(*grant, grant->session->last_heard_ms + settings_.term_ms * (mutated(Mutation::kLapseEarly) ? 0.5 : 1));
    }
  }
  warranty.ends_by_ms = latest_end_of(warranty);
  if (mutated(Mutation::kEndAtRecall)) end(warranty);
}

void Warranties::set_lapse(Grant& grant, double at_ms) {
  if (at_ms >= grant.lapses_ms) return;
  lapses_.erase({grant.lapses_ms, grant.serial});
  grant.lapses_ms = at_ms;
  lapses_.emplace(std::pair(at_ms, grant.serial), &grant);
}

void Warranties::end(Grant& grant) {
  StandingWarranty& warranty = *grant.warranty;
  lapses_.erase({grant.lapses_ms, grant.serial});
  if (grant.session != nullptr) grant.session->grants.erase(grant.number);
  --grants_;
  std::erase_if(warranty.grants, [&](const auto& one) { return one.get() == &grant; });
  if (warranty.recalled) warranty.ends_by_ms = latest_end_of(warranty);
  end_if_free(warranty);
}

void Warranties::end_if_free(StandingWarranty& warranty) {
  const bool is_firm = warranty.firm_until_ms > shard_.clock.now_ms() && !mutated(Mutation::kFirmForgotten);
  if (warranty.grants.empty() && !is_firm) end(warranty);
}

void Warranties::end(StandingWarranty& warranty) {
  for (const auto& grant : warranty.grants) {
    lapses_.erase({grant->lapses_ms, grant->serial});
    if (grant->session != nullptr) grant->session->grants.erase(grant->number);
    --grants_;
  }
  firm_.erase({warranty.firm_until_ms, warranty.serial});
  // No honest client has used it above what it was told. Others to whom a client lends what is firm have its timestamps.
  if (!mutated(Mutation::kEndLeavesClock)) shard_.clock.raise(std::min(warranty.used_up_to, until_));
  Record& record = *warranty.record;
  // It cost a message for each session, and a wait for each change.
  const std::uint64_t cost = std::max<std::uint64_t>(warranty.granted, record.gate->waiters().size());
  const double now_ms = shard_.clock.now_ms();
  // One that nothing violates costs nothing, however seldom it answers: its clients have gone, or were not asked.
  const bool teaches = warranty.violated || warranty.uses >= settings_.uses_min * cost;
  if (warranty.violated) worth_.violated(warranty.operation, warranty.recalled_ms, now_ms);
  if (teaches) worth_.ended(warranty.operation, warranty.uses, settings_.uses_min * cost, now_ms);
  if (witness_ && record.hot != 0) witness_->warranty_ended(warranty);
  record.gate->remove_warranty(warranty);
  shard_.records.unpin(record);
  shard_.locks.retry_waiters(record);
  standing_.erase(warranty.serial);
  take_back_promise();
}

void Warranties::take_back_promise() {
  const bool may_stand = policy_ != WarrantyPolicy::kOff || any() || quarantined_until_ms_ != std::numeric_limits<double>::infinity();
  if (may_stand || !shard_.journal.on() || shard_.journal.promised_ms() == 0 || shard_.clock.refuses_changes()) return;
  shard_.journal.promise(0);
}

// ---- time -----------------------------------------------------------------------------------------------------------------

void Warranties::started() {
  const auto promised_ms = static_cast<double>(shard_.journal.promised_ms());
  if (promised_ms == 0 || mutated(Mutation::kNoQuarantine)) return;
  quarantined_until_ms_ = shard_.clock.now_ms() + kTermMargin * promised_ms;
  shard_.locks.begin_quarantine(quarantined_until_ms_);
}

void Warranties::due() {
  const double now_ms = shard_.clock.now_ms();
  while (!lapses_.empty() && lapses_.begin()->first.first <= now_ms) {
    Grant& grant = *lapses_.begin()->second;
    const Timestamp told_until = grant.session != nullptr ? grant.session->told_until : grant.lost_told_until;
    grant.warranty->lapsed = true;
    grant.warranty->used_up_to = std::max(grant.warranty->used_up_to, told_until);
    ++shard_.counters.totals.grants_lapsed;
    end(grant);
  }
  while (!firm_.empty() && firm_.begin()->first.first <= now_ms) {
    StandingWarranty& warranty = *firm_.begin()->second;
    firm_.erase(firm_.begin());
    end_if_free(warranty);
  }
  if (quarantined_until_ms_ > now_ms) return;
  quarantined_until_ms_ = std::numeric_limits<double>::infinity();
  quarantine_over_();
  take_back_promise();
}

double Warranties::next_due_ms() const {
  const double lapse_ms = lapses_.empty() ? std::numeric_limits<double>::infinity() : lapses_.begin()->first.first;
  const double firm_ms = firm_.empty() ? std::numeric_limits<double>::infinity() : firm_.begin()->first.first;
  return std::min({lapse_ms, firm_ms, quarantined_until_ms_});
}

}  // namespace claret

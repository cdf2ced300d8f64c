// Warranties: results that the shard promises to sessions, so that their clients can answer from memory (docs/decisions/0034-warranties.md;
// Liu et al., "Warranties for fast strong consistency").
//
// A session holds a *grant* of a warranty until it returns it, or until the grant *lapses*: a term after the last frame that the shard
// had taken in when the grant was recalled, or the session lost. The client counts from before that frame left, so it stops first. Whatever
// would violate the warranty waits at the gate (gate/warranty.h) until all its grants are gone, and is granted above every timestamp at
// which the warranty was used: those who return tell it, and those who lapse have used none above what `Standing.until` said last.
//
// A grant can be made *firm*: then its warranty does not end before a time, so that others can rely on it who know nothing of recalls, such as
// caches of pages.
//
// A promise must outlive the process that made it. So the log says how long grants may stand before the first one is made, and a
// start that finds this lets no change in for as long: the *quarantine*. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/inlined_vector.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "gate/records.h"
#include "gate/warranty.h"
#include "ground/slots.h"
#include "structure/digest.h"
#include "transaction/capability.h"
#include "transaction/conditions.h"
#include "transaction/coordinator.h"
#include "transaction/giving_way.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"
#include "transaction/witness.h"
#include "transaction/worth.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

struct WarrantySettings {
  double term_ms = 1000;  // how long a grant stands after the last frame that was taken in; 0: nothing is ever granted
  double firm_ms_max = 0;  // for so long at most, a grant can be made firm; 0: never
  std::uint64_t uses_min = 0;  // a warranty is worth while if it answers so many operations of each session that has it; 0: always
  // A client wishes for a warranty where the last so many answers were the same, and gets it after as many wishes. What has come so often is likely to
  // come `uses_min` times more.
  std::uint64_t evidence() const { return (uses_min + 3) / 4; }
  DigestKey digest_key{};  // of this start; unknown to clients
};

struct Grant;

struct StandingWarranty : Warranty {
  std::uint64_t serial = 0;
  Worth::Operation operation;
  Digest digest{};
  std::vector<std::unique_ptr<Grant>> grants;
  std::uint64_t granted = 0;  // how many there were; a session has one at a time
  std::uint64_t uses = 0;
  std::uint64_t recalled_for = std::numeric_limits<std::uint64_t>::max();  // the priority of the oldest transaction that waits, as told
  Timestamp used_up_to = 0;  // by those who have returned it, and by those whose grants have lapsed at the most
  double issued_ms = 0;
  bool violated = false;  // a change has waited for its end
  bool lapsed = false;  // for some
};

// One session's hold of a warranty.
struct Grant {
  StandingWarranty* warranty = nullptr;
  Coordinator* session = nullptr;  // null: lost
  std::string lost_name;  // of a session that is lost
  Timestamp lost_told_until = 0;  // likewise
  std::uint64_t number = 0;  // in its session
  std::uint64_t serial = 0;
  double lapses_ms = std::numeric_limits<double>::infinity();
};

class Warranties final : public WarrantyKeeper, public Capability {
 public:
  struct Shard {
    Records& records;
    Locks& locks;
    Journal& journal;
    ShardClock& clock;
    Counters& counters;
  };

  // `has_output` is called for every session that gets output.
  Warranties(const Shard& shard, const WarrantySettings& settings, std::function<void(Coordinator&)> has_output);
  ~Warranties();

  // What is to be called at the end of the quarantine.
  void when_quarantine_over(std::function<void()> call) { quarantine_over_ = std::move(call); }
  const WarrantySettings& settings() const { return settings_; }

  // ---- grants
  using Answers = absl::InlinedVector<GrantedMessage, 4>;
  // The answers to a request's wishes, all of whose operations are granted or executed. A list is granted all that it wishes for or nothing, since
  // its client sends it as a whole unless all of it is in memory. Returns the position in the log on which they depend.
  std::uint64_t answer(const Request& request, Answers& answers);
  Digest digest_of(const Value& result) const;
  // Tells what the session has to know of the shard's times, if it was not told for a while. Also if it holds no grant: its attempts may rely on
  // those of other shards, and limit their votes here.
  void tell_standing(Coordinator& session);
  // A reply that grants something is about to be written.
  void tell_standing_now(Coordinator& session);

  // ---- ends
  void returned(Coordinator& session, const ReturnedMessage& message);
  void used(Coordinator& session, const UsedMessage& message);
  // The client wants to tell others, whom no recall reaches, how long they can rely on the result.
  void make_firm(Coordinator& session, const FirmWantedMessage& message);
  // The attempt ends, perhaps because of warranties: then it comes again once they have ended. Until then, none is made firm on the records that it
  // changes. Otherwise it would wait for one after the other, and never find all of them free.
  void give_way(const Attempt& attempt, const Error& error) {
    giving_way_.note(attempt, error, shard_.clock.now_ms(), patience_of(shard_.locks));
  }
  void recall(Record& record, const Call& change, const Value* result, std::uint64_t priority) override;
  // A change that violates the warranty waits for its end.
  void recall_violated(Warranty& warranty, std::uint64_t priority);
  void recall_all(Record& record) override;
  bool any() const { return !standing_.empty(); }
  std::size_t grants() const { return grants_; }

  void watch(TransactionWitness* witness) override { witness_ = witness; }
  void lose(Coordinator& session) override;
  bool settle() override { return false; }
  void turn() override {}
  // Lapses, firm promises that are over, and the end of the quarantine.
  double next_due_ms() const override;
  void due() override;
  // What stands in the way of a change is recalled.
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  // Grants of an earlier start may stand.
  void started() override;
  bool may_cut() override { return true; }

 private:
  enum class Wish : std::uint8_t { kToGrant, kFulfilled, kRefused };
  Wish judge(const Coordinator& session, const Visit& visit);
  // What the session is to be granted for its visit; null: it has it, or the result is too large. REQUIRES: it was judged to be granted.
  StandingWarranty* warranty_for(const Coordinator& session, const Visit& visit);
  bool is_worth(const Visit& visit);
  bool may_grant(const Visit& visit) const;
  // It is durable that grants may stand for so long.
  bool promised(double term_ms);
  bool may_be_firm(const StandingWarranty& warranty, double for_ms);
  // No grant stands any more, and none will be made: the next start need not wait for any.
  void take_back_promise();
  // What violates a warranty and waits for a lapse commits above this.
  Timestamp until();
  StandingWarranty* find(const Visit& visit) const;
  // Null: the result is too large.
  StandingWarranty* issue(const Visit& visit);
  std::uint64_t grant(StandingWarranty& warranty, Coordinator& session);
  void recall(StandingWarranty& warranty, std::uint64_t priority);
  // Recalls what stands on such records. True if nothing does.
  bool recall_where(absl::FunctionRef<bool(const Record&)> is_meant);
  // The condition `warranties`. What stands when it is switched off is recalled.
  void switch_to(WarrantyPolicy policy);
  void set_lapse(Grant& grant, double at_ms);
  // The warranty may end with it.
  void end(Grant& grant);
  // The warranty ends, unless somebody may rely on it.
  void end_if_free(StandingWarranty& warranty);
  void end(StandingWarranty& warranty);

  Shard shard_;
  WarrantySettings settings_;
  std::function<void(Coordinator&)> has_output_;
  std::function<void()> quarantine_over_;
  TransactionWitness* witness_ = nullptr;
  WarrantyPolicy policy_ = WarrantyPolicy::kOff;
  Worth worth_;
  absl::btree_map<std::uint64_t, std::unique_ptr<StandingWarranty>> standing_;  // by serial: in the order in which they were issued
  absl::btree_map<std::pair<double, std::uint64_t>, Grant*> lapses_;  // by time and serial
  absl::btree_map<std::pair<double, std::uint64_t>, StandingWarranty*> firm_;  // likewise: firm promises that are not over
  GivingWay giving_way_;
  std::uint64_t next_serial_ = 1;
  std::size_t grants_ = 0;
  std::uint64_t promised_position_ = 0;
  Timestamp until_ = 0;
  double quarantined_until_ms_ = std::numeric_limits<double>::infinity();  // infinity: there is no quarantine
};

}  // namespace claret

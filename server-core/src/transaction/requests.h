// The requests of attempts: begins attempts, takes their operations to the gates, and answers or votes once these are granted. Not thread-safe.
//
// docs/rules.md, sections 3 to 5: strict two-phase locking. A shard votes yes once all of an attempt's operations here are granted, and keeps all
// its locks until it learns the outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "transaction/attempts.h"
#include "transaction/capability.h"
#include "transaction/departures.h"
#include "transaction/endings.h"
#include "transaction/ground.h"
#include "transaction/replies.h"
#include "transaction/retried.h"
#include "transaction/visit_intake.h"
#include "transaction/votes.h"

namespace claret {

class EpochMembers;
class SlotGiver;

// An attempt that has voted here blocks an older one: its other participants must not let it wait.
struct WoundTold {
  AttemptId id;
  std::uint64_t priority;  // of the wounder
  ShardList participants;
};

class Requests final : public AttemptKeeper, public Capability {
 public:
  struct Parts {
    Attempts& attempts;
    Replies& replies;
    Endings& endings;
    Votes& votes;
    Retried& retried;
    VisitIntake& intake;
    Departures& departures;
    EpochMembers& epoch_members;
    SlotGiver& slot_giver;
    Warranties& warranties;
  };
  Requests(Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  // `arrived_ms`: when the request's frame arrived; its time limit counts from then.
  void take(Coordinator& coordinator, RequestMessage& message, double arrived_ms);
  // Takes the attempt's oldest request to the gates.
  void start(Attempt& attempt);
  // An older transaction waits for this attempt at another shard.
  void wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority);
  // The wounds added since the last call.
  std::vector<WoundTold> take_wounds_told() { return std::exchange(wounds_told_, {}); }

  void granted(Request& request) override { complete(request); }
  void refused(Request& request, const Refusal& refusal, const Visit& visit) override;
  void moved(Request& request) override { ground_.wounds.break_cycles(*request.attempt); }
  void tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) override;
  void abort(Attempt& attempt, const Error& error) override { parts_.endings.abort(attempt, error); }
  void deny(Attempt& attempt) override;

  void watch(TransactionWitness*) override {}
  void lose(Coordinator&) override {}
  bool settle() override { return false; }
  void turn() override {}
  // Checks those that wait: wounds whom they wait for, and ends those whose time is over.
  double next_due_ms() const override { return ground_.wounds.next_check_ms(); }
  void due() override;
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  // Null if it cannot be; the reply has been written then.
  Attempt* begin(Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  // True for a transaction of this shard alone that may end within this call: it is enlisted only if it has to wait.
  bool may_end_at_once(const RequestMessage& message) const;
  std::optional<Error> take_prepare(Attempt& attempt, const PrepareMessage& message, Request& request);
  // The request of a traced attempt has been tried.
  void trace(const Request& request, const Visit* refused, bool denied);
  void complete(Request& request);
  // Why the attempt ends: a result is not the one that its client has used. Null if all are.
  std::optional<Error> unexpected(const Request& request);
  void switch_to(const Conditions& conditions);

  Ground& ground_;
  Parts parts_;
  std::vector<WoundTold> wounds_told_;
};

}  // namespace claret

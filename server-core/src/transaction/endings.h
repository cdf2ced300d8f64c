// How attempts end at a shard: by the outcome that their client reports, by what other participants know, by expiry, with their session, or because
// the shard ends them. Not thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "transaction/attempts.h"
#include "transaction/capability.h"
#include "transaction/departures.h"
#include "transaction/ground.h"
#include "transaction/replies.h"

namespace claret {

class Chains;
class Epochs;
class Warranties;

class Endings final : public Capability {
 public:
  struct Parts {
    Attempts& attempts;
    Replies& replies;
    Departures& departures;
    Chains& chains;
    Epochs& epochs;
    Warranties& warranties;
  };
  Endings(Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  // ---- what clients report
  // True if the log has nothing of the attempt.
  bool committed(Coordinator& coordinator, std::uint64_t number, Timestamp at);
  void aborted(Coordinator& coordinator, std::uint64_t number);
  // The client cannot find out how the attempt ended.
  void abandoned(Coordinator& coordinator, std::uint64_t number);

  // ---- what other participants know
  // How an attempt in doubt has ended. `epoch`: in which; 0: it is no member. What they say of another epoch than that in which it is listed now is
  // not its outcome.
  void resolve(const AttemptId& id, EpochNumber epoch, bool commits, Timestamp at);
  // The attempt has voted, and the other participants are to be asked for its outcome. `reason`: one of reasons::.
  void put_in_doubt(Attempt& attempt, std::string_view reason);

  // ---- what the shard does. The reference is invalid afterwards
  // `position` of its log entry, 0 if it has none.
  void commit(Attempt& attempt, Timestamp at, std::uint64_t position);
  void abort(Attempt& attempt, const Error& error);
  void abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused);
  // Its time is over.
  void expire(Attempt& attempt);
  // Removes the attempt, except for what is known of its outcome. If it has committed, its effects are applied no later than its locks are
  // released.
  void end(Attempt& attempt, Timestamp committed_at = 0, std::uint64_t position = 0);
  // Counts the commit of an attempt that ends elsewhere, and keeps what may be asked of it.
  void note_commit(Attempt& attempt, Timestamp at, std::uint64_t position);

  void watch(TransactionWitness*) override {}
  void lose(Coordinator& coordinator) override;
  bool settle() override { return false; }
  void turn() override {}
  double next_due_ms() const override;
  void due() override;
  bool change(const Change&) override { return true; }
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  void count_commit(Attempt& attempt);
  // Commits a voted attempt at a timestamp that was reported by its client or another participant.
  void commit_voted(Attempt& attempt, Timestamp at);
  void tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause);
  void expire_attempts();

  Ground& ground_;
  Parts parts_;
  double next_expiry_ms_ = 0;
  double next_forgetting_ms_ = 0;
};

}  // namespace claret

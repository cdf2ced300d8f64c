// The attempts that are under way at a shard.
//
// An attempt is *begun* first. It is *enlisted*, and so known to the shard and owned by its session, unless it ends within the call that begins it.
// Once its session is lost, an attempt that has voted is an *orphan*, and owned here. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "transaction/attempt.h"
#include "transaction/ground.h"
#include "wire/client_frame.h"

namespace claret {

class Attempts {
 public:
  explicit Attempts(Ground& ground) : ground_(ground) {}

  // ---- the begin
  // An error if no such attempt can begin.
  std::optional<Error> check(const Coordinator& coordinator, const RequestMessage& message) const;
  // REQUIRES: check has found nothing, and none is begun.
  Attempt& begin(AttemptKeeper& keeper, Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  // The same for an attempt that its caller owns. Its begin is not counted.
  void fill_in(Attempt& attempt, Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  void count_begun(Attempt& attempt);
  // REQUIRES: the attempt is the one that is begun.
  void enlist(Attempt& attempt);
  // What is begun will not be enlisted.
  void drop_begun() { begun_.reset(); }
  // The attempt must never vote here.
  void refuse_id(const BeginMessage& begin);

  // ---- the end
  // Takes the attempt from its owner. It is still listed; see `remove`.
  std::unique_ptr<Attempt> take(Attempt& attempt);
  void remove(const Attempt& attempt) { by_serial_.erase(attempt.serial); }
  // The session of an attempt that has voted is lost.
  void orphan(Attempt& attempt);
  // A vote from before this start.
  void adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms);

  // ---- those under way
  // Null if there is none.
  static Attempt* find(const Coordinator& coordinator, std::uint64_t number);
  Attempt* find(std::uint64_t serial) const;
  // In order of arrival.
  const absl::btree_map<std::uint64_t, Attempt*>& by_serial() const { return by_serial_; }
  // The same, of those that have not voted.
  std::vector<Attempt*> running() const;
  // The records with a gate to which an attempt has come.
  std::vector<Record*> gated() const;
  std::uint64_t next_serial() const { return next_serial_; }

 private:
  // A transaction is guarded from its third attempt on that natives would break.
  static constexpr std::uint32_t kBreaksBeforeGuard = 2;

  Ground& ground_;
  absl::btree_map<std::uint64_t, Attempt*> by_serial_;
  std::unique_ptr<Attempt> begun_;  // until it is enlisted
  absl::btree_map<std::uint64_t, std::unique_ptr<Attempt>> orphans_;  // by serial
  std::uint64_t next_serial_ = 1;
};

}  // namespace claret

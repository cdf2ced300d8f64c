// A coordinator of transactions, as one of their participants sees it: a client's session, with the attempts that it has brought.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>

#include "transaction/attempt.h"
#include "transaction/chain.h"
#include "transaction/known_snapshots.h"
#include "transaction/native_sessions.h"
#include "transaction/outbox.h"

namespace claret {

struct Grant;

// Commits of a session that may still be asked about. Alone: only this shard took part, and its client may ask until a little after the
// attempt's expiry. Together: another participant may ask as long as it has no outcome.
struct CommitAlone {
  std::uint64_t number;
  AttemptId id;
  Timestamp committed_at;
  double expires_at_ms;
  bool published;  // among the known attempts (Outcomes)
};
struct CommitTogether {
  std::uint64_t number;
  AttemptId id;
  Timestamp committed_at;
  double expires_at_ms;
  ShardList participants;
  bool logged;
};

struct Coordinator : Outbox {
  std::string name;  // shown to operators
  std::size_t natives_waiting = 0;
  NativeSession* native_session = nullptr;  // null: lost natives cannot be settled
  KnownSnapshots snapshots;
  bool of_shard = false;  // a shard of the cluster, which asks about attempts of others
  double last_heard_ms = 0;  // when its last frame was taken in
  // ---- warranties (warranties.h)
  bool takes_warranties = false;  // it keeps their rules
  absl::btree_map<std::uint64_t, Grant*> grants;  // by number
  std::uint64_t grants_made = 0;
  Timestamp used_up_to = 0;
  Timestamp told_until = 0;  // its client has used no warranty above it
  double standing_told_ms = -std::numeric_limits<double>::infinity();
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Attempt>> attempts;  // by number; iterated to sort them by serial alone
  std::unique_ptr<Chain> chain;  // null until its first member comes
  // Above the client's low-water mark, in order of commit.
  std::deque<CommitAlone> committed_alone;
  std::size_t unpublished = 0;  // of these
  std::deque<CommitTogether> committed_together;
};

}  // namespace claret

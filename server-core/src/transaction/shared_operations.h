// Operations that a session holds so that its attempts may join them (docs/rules.md, section 7).
//
// A *shared holder* is a party of its own at the gate of the granted visit that created it, with a copy of the call and its result. It
// keeps conflicting operations away, and has no other effect: it never waits, reserves or commits. It ends when the session releases it or
// is lost, when a wound breaks it, or when the cluster drains to `locks: none`.
//
// An attempt *joins* a shared holder by naming it in a request. The shard checks that the holder still exists, and admits the same call for
// the attempt by the ordinary rule; the result must be the same. From then on the attempt holds it like any visit of its own. So the shard
// never relies on a client's belief about a shared holder.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "gate/locks.h"
#include "gate/records.h"
#include "transaction/coordinator.h"
#include "wire/client_frame.h"

namespace claret {

class SharedOperations {
 public:
  // `has_output` is called for every session that gets output.
  SharedOperations(Records& records, Locks& locks, std::function<void(Coordinator&)> has_output)
      : records_(records), locks_(locks), has_output_(std::move(has_output)) {}

  // Makes the session hold the granted visit's operation too. False if it cannot be shared: the type does not allow it, the record is held
  // exclusively, or the copy conflicts with other operations of the attempt.
  bool share(Coordinator& coordinator, const Visit& granted, std::uint32_t number, double now_ms);

  // How long, from now, attempts may join the holder: the rest of the phase if it blocks a waiter, otherwise `unopposed_ms`.
  double join_for_ms(SharedHolder& holder, double unopposed_ms, double now_ms) const;

  // Null if there is none.
  SharedHolder* find(const Coordinator& coordinator, std::uint32_t number) const;

  // True if the attempt now holds that operation itself; otherwise the attempt has to end.
  bool join(Attempt& attempt, SharedHolder& holder, double now_ms);

  // The releases of a frame, before its requests: each takes effect after the last request that joins the holder.
  void release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers, const std::vector<RequestMessage>& requests);
  // A request of the frame has joined the holder.
  void joined(SharedHolder& holder);
  // To be called after the frame's requests.
  void finish_release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers);

  // An older party waits for the holder. The notice ends joining; the session then makes its members hold the operation themselves, and
  // releases the holder.
  void tell_wound(SharedHolder& holder, std::uint64_t wounder_priority);
  // The reference is invalid afterwards.
  void drop(SharedHolder& holder);
  void drop_all(Coordinator& coordinator);

  std::size_t standing() const { return standing_; }

 private:
  Records& records_;
  Locks& locks_;
  std::function<void(Coordinator&)> has_output_;
  std::size_t standing_ = 0;
};

}  // namespace claret

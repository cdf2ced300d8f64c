// Operations that a session holds so that its attempts may join them (docs/rules.md, section 7).
//
// A *shared holder* stands beside the granted visit of the attempt that created it: a party of its own at the same gate,
// with a copy of the call and its result. It keeps what conflicts away, and does nothing else: it waits for nothing,
// reserves nothing, is never committed. It goes when the session releases it or is lost, when it is broken by a wound, or
// when the cluster drains to `locks: none`.
//
// An attempt *joins* it by naming it in a request: the shard checks that it still stands, and admits the same call for
// the attempt by the ordinary rule; the result must be the same. From then on the attempt holds it like any visit of its
// own. So nothing that a client believed of a shared holder is ever taken on trust.
//
// Thread safety: none needed.
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
  // `has_output` is told of every session that gets something to say.
  SharedOperations(Records& records, Locks& locks, std::function<void(Coordinator&)> has_output)
      : records_(records), locks_(locks), has_output_(std::move(has_output)) {}

  // Lets the session hold the granted visit's operation too. False where it cannot be shared: the type does not say so,
  // the record is held exclusively, or the copy does not go with what the attempt itself holds.
  bool share(Coordinator& coordinator, const Visit& granted, std::uint32_t number, double now_ms);

  // How long, from now, attempts may join a holder at this record: the rest of the phase while somebody waits whom the
  // holder is in the way of, else `unopposed_ms`.
  double join_for_ms(const Record& record, const Visit& granted, double unopposed_ms, double now_ms) const;

  // Null when it does not stand.
  SharedHolder* find(const Coordinator& coordinator, std::uint32_t number) const;

  // True when the attempt now holds that operation itself. Else the attempt has to end.
  bool join(Attempt& attempt, SharedHolder& holder, double now_ms);

  // A frame's releases, before its requests: each takes effect after the last of the requests that joins the holder.
  void release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers, const std::vector<RequestMessage>& requests);
  // A request of the frame has joined.
  void joined(SharedHolder& holder);
  // After the frame's requests.
  void finish_release(Coordinator& coordinator, const std::vector<std::uint32_t>& numbers);

  // An older party waits for the holder. The notice ends its joining; its session then lets every member hold for itself, and
  // releases it.
  void tell_wound(SharedHolder& holder, std::uint64_t wounder_priority);
  // The reference is dead afterwards.
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

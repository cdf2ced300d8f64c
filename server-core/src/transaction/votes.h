// Votes of attempts: whether one gets a vote here, its time, and its entry in the log.
#pragma once

#include <cstdint>
#include <optional>

#include "transaction/endings.h"
#include "transaction/ground.h"
#include "transaction/past.h"
#include "transaction/replies.h"
#include "wire/client_frame.h"

namespace claret {

class Votes {
 public:
  Votes(Ground& ground, Replies& replies, Endings& endings) : ground_(ground), replies_(replies), endings_(endings) {}

  // Reads what the client wants of the vote. Returns an error if that cannot be.
  std::optional<Error> take(const PrepareMessage& message, Prepare& prepare);
  // Why the attempt gets no vote here, or draws the time of its vote.
  std::optional<Error> draw(const Attempt& attempt, const Prepare& prepare, bool changes_something, Timestamp& at);
  // The attempt votes yes. Returns the position of the vote in the log; 0: it is not logged.
  std::uint64_t cast(Attempt& attempt, const Prepare& prepare, Timestamp at);
  // The request is granted, and ends with a prepare: the attempt votes, and commits if it is here alone, or is refused its vote and aborts.
  void vote(Request& request);

 private:
  // The first committer wins: what the attempt changes must not have been changed since its snapshot, except by what commutes. Its locks keep
  // others from changing it now.
  std::optional<Error> overtaken(const Attempt& attempt, Timestamp snapshot);
  // Of the changes in versions_ the newest that the visit does not commute with; null: none.
  const Past::Version* conflict_since(Timestamp snapshot, const Visit& visit);

  Ground& ground_;
  Replies& replies_;
  Endings& endings_;
  Past::Versions versions_;  // of the record that is judged; its memory is reused
};

}  // namespace claret

// ClientFrame (client/proto/claret.proto) as decoded by the shard.
//
// Texts are views into the frame's bytes and valid as long as these. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "ground/identifiers.h"
#include "wire/epoch_fields.h"
#include "wire/limits.h"

namespace claret {

struct OperationMessage {
  std::string_view key;
  std::uint32_t code = 0;
  std::string_view name;
  std::vector<Value> arguments;
  std::string_view problem;  // errors:: code of a value that is not allowed, or empty
  bool intent = false;  // takes the lock only
  std::uint32_t warrant = 0;  // 1: a warranty of the result is wanted; 2: its digest in any case
  std::string_view expect;  // the digest that the result has to have; empty: any
  std::optional<Value> guess;  // the result that it has to have; none: any
  Timestamp at = 0;  // of a native: the time as of which it observes; 0: now
  std::uint32_t snapshot = 0;  // it reads for a snapshot transaction, of this age in microseconds, plus 1; 0: it does not
};

struct BeginMessage {
  std::string_view id;
  std::string_view label;
  std::uint64_t priority = 0;
  std::uint32_t retries = 0;
  std::uint32_t home = 0;
  std::uint32_t expires_in_ms = 0;
  std::vector<std::string_view> exclusive;
  std::uint32_t age_us = 0;
  std::string_view transaction;
  // Parts of age_us.
  std::uint32_t thrown_away_us = 0;
  std::uint32_t backing_off_us = 0;
  std::uint32_t queued_us = 0;
  std::uint32_t breaks = 0;  // attempts of the transaction that natives have broken
  std::uint32_t epoch_manager_plus_one = 0;  // of a member of an epoch
};

struct PrepareMessage {
  ShardList participants;
  Timestamp not_after = 0;
  bool observes_only = false;
  std::string_view answer;
  std::uint32_t keep_ms = 0;
  // The attempt relies on warranties of other shards. The vote is above the timestamp, and no later than the time of the shard's steady
  // clock; 0: no limit.
  Timestamp not_before = 0;
  std::uint64_t not_after_us = 0;
  std::uint32_t warranted = 0;  // readings of the attempt that warranties have answered
  Timestamp snapshot = 0;  // at which the attempt has read; what it changes must not have been changed since; 0: it reads under locks
};

struct RequestMessage {
  std::uint64_t attempt = 0;
  std::optional<BeginMessage> begin;
  std::uint32_t sent_before = 0;
  std::vector<OperationMessage> operations;
  std::optional<PrepareMessage> prepare;
  bool whole = false;
};

struct HelloMessage {
  std::uint32_t protocol = 0;
  std::string_view name;
  std::uint32_t shard_plus_one = 0;
  std::uint64_t session = 0;  // 0: the session's natives are not settled once it is lost
  std::uint64_t resumes = 0;  // the lost session whose natives are to be settled
  bool warranties = false;  // the client keeps the rules of warranties
};

struct WatchMessage {
  std::uint64_t id = 0;
  OperationMessage operation;
  Timestamp since = 0;
};

struct InquiryMessage {
  std::string_view id;
  std::uint64_t ticket = 0;
  Timestamp committed_at = 0;  // set by a shard that knows the outcome
  EpochNumber epoch = 0;  // set by a shard that asks about a member of this epoch
};

// Native operations, numbered first, first + 1, ... within the session.
struct NativesMessage {
  std::uint64_t first = 0;
  std::uint64_t below = 0;  // the client has the answers to all below this number
  std::vector<OperationMessage> operations;
};

// ---- chains (transaction/chains.h)

struct MemberMessage {
  std::uint64_t chain = 0;
  std::uint64_t n = 0;
  RequestMessage request;
  bool timed = false;
  bool ends = false;
  Timestamp turn = 0;  // of a wide member, in which it was sent
};

struct WithdrawnMessage {
  std::uint64_t chain = 0;
  std::uint64_t n = 0;
  std::uint64_t count = 0;
};

struct WordMessage {
  std::uint64_t chain = 0;
  std::vector<std::uint64_t> members;
  std::uint64_t answers = 0;
};

// An attempt whose operations are those of these members.
struct BatchMessage {
  std::uint64_t chain = 0;
  std::vector<std::uint64_t> members;
  std::uint64_t answers = 0;
  // Of all members of the batch, at whatever shards, the numbers of the first and the last.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  RequestMessage request;
};

struct PeekMessage {
  std::uint64_t ticket = 0;
  OperationMessage operation;
  Timestamp at = 0;  // 0: the present
};

// ---- warranties (transaction/warranties.h)

struct ReturnedMessage {
  std::uint64_t grant = 0;
  std::uint32_t uses = 0;
};

struct FirmWantedMessage {
  std::uint64_t grant = 0;
  std::uint32_t for_ms = 0;
};

struct UsedMessage {
  Timestamp up_to = 0;
  std::uint32_t answers = 0;
  std::uint32_t commits = 0;
};

enum class TurnStep : std::uint8_t { kNone = 0, kWant = 1, kBack = 2 };

enum class AttemptState : std::uint8_t { kPending = 0, kVoted = 1, kCommitted = 2, kAborted = 3 };

struct InquiryAnswerMessage {
  std::uint64_t ticket = 0;
  AttemptState state = AttemptState::kPending;
  Timestamp timestamp = 0;
  std::string_view id;
  EpochNumber epoch = 0;  // as in the question
};

struct WoundMessage {
  std::uint64_t attempt = 0;
  std::string_view id;
  std::uint64_t priority = 0;
};

struct ClientFrame {
  std::uint64_t sequence = 0;
  std::uint64_t acknowledged = 0;
  std::optional<HelloMessage> hello;
  std::uint64_t incarnation = 0;
  std::vector<std::uint64_t> committed;
  std::vector<Timestamp> committed_at;
  std::vector<std::uint64_t> aborted;
  std::uint64_t forgotten_below = 0;
  std::vector<RequestMessage> requests;
  std::vector<WatchMessage> watches;
  std::vector<std::uint64_t> unwatched;
  std::vector<InquiryMessage> inquiries;
  std::vector<WoundMessage> wounds;
  std::vector<std::uint64_t> abandoned;
  std::vector<NativesMessage> natives;
  std::vector<MemberMessage> members;
  std::vector<WithdrawnMessage> withdrawn;
  std::vector<WordMessage> words;
  std::vector<PeekMessage> peeks;
  std::optional<bool> boards;
  std::vector<BatchMessage> batches;
  std::uint64_t chain = 0;  // the session's chain has this number now; 0: not said
  TurnStep turn = TurnStep::kNone;
  std::vector<ReturnedMessage> returned;
  std::optional<UsedMessage> used;
  std::vector<FirmWantedMessage> firm_wanted;
  std::optional<EpochWantMessage> epoch_want;
  std::vector<EpochListMessage> epoch_lists;
  std::vector<EpochNumber> epochs_asked;
};

// False if the bytes are not a frame; the contents of `frame` are then unspecified.
bool decode(std::string_view bytes, ClientFrame& frame);

InquiryAnswerMessage read_answer(protozero::pbf_reader message);
InquiryMessage read_inquiry(protozero::pbf_reader message);

}  // namespace claret

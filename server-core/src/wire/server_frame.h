// ServerFrame (client/proto/claret.proto), written field by field into the output of a peer.
//
// Protobuf fields may come in any order, so a frame's body grows as events occur, and its header is written last.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "adt/adt.h"
#include "ground/conditions.h"
#include "ground/errors.h"
#include "structure/digest.h"
#include "wire/client_frame.h"

namespace claret {

// What is known of the natives of a lost session.
struct ResumedMessage {
  bool known = false;  // the natives without an answer in `answers` that change a record were not executed
  std::string_view answers;  // as they were sent
};

struct WelcomeMessage {
  std::uint32_t shard = 0;
  std::uint64_t incarnation = 0;
  std::uint32_t session_lease_ms = 0;
  std::uint32_t warranty_term_ms = 0;
  std::uint32_t warranty_evidence = 0;
  std::uint64_t serial = 0;  // no other session of this start has it
  Timestamp time = 0;
  const ResumedMessage* resumed = nullptr;
};

struct WaitedMessage {
  std::uint32_t microseconds = 0;
  std::uint32_t locks = 0;
  std::uint32_t runs = 0;
};

// What is promised of an operation's result. `grant` 0: nothing; its digest is told.
struct GrantedMessage {
  std::uint64_t grant = 0;
  std::uint32_t operation = 0;  // index in its request
  Timestamp from = 0;
  Digest digest{};
};

struct ReplyMessage {
  std::uint64_t attempt = 0;
  std::span<const Value* const> results;
  std::span<const GrantedMessage> granted{};
  Timestamp voted_at = 0;
  Timestamp holds_until = 0;  // 0: no limit
  Timestamp committed_at = 0;
  const Error* error = nullptr;
  const Error* denied = nullptr;
  WaitedMessage waited;
};

// See client/proto/claret.proto.
struct StandingMessage {
  Timestamp now = 0;
  Timestamp until = 0;
  std::uint64_t clock_us = 0;
};

// ---- chains (transaction/chains.h)

struct MemberReplyMessage {
  std::uint64_t chain = 0;
  std::uint64_t n = 0;
  std::uint64_t withdrawals = 0;
  std::span<const Value* const> results{};
  const Error* error = nullptr;
  WaitedMessage waited{};
  bool above = false;  // executed on top of something undecided
  Timestamp committed_at = 0;
  Timestamp at = 0;  // what the clock had reached; only for a wide member
};

// A result that a board shows, or no longer.
struct ShownMessage {
  std::string_view key;
  std::uint32_t code = 0;
  const Call* call = nullptr;
  const Value* result = nullptr;
};

namespace server_frame {

void add_header(std::string& frame, std::uint64_t sequence, std::uint64_t acknowledged);
void add_welcome(std::string& frame, const WelcomeMessage& welcome);
void add_reply(std::string& frame, const ReplyMessage& reply);
// Replaces the reply to an attempt that was not begun because its transaction committed earlier.
void add_committed_before(std::string& frame, std::uint64_t attempt, Timestamp at, std::string_view answer);
void add_wound(std::string& frame, std::uint64_t attempt, const AttemptId& id, std::uint64_t priority);
// With `error`, the watch has ended.
void add_change(std::string& frame, std::uint64_t watch, Timestamp timestamp, const Value& value, const Error* error);
void add_answer(std::string& frame, std::uint64_t ticket, const AttemptId& id, AttemptState state, Timestamp timestamp,
                EpochNumber epoch = 0);
void add_conditions(std::string& frame, const Conditions& conditions);
void add_closing(std::string& frame, const Error& error);
// `count` natives, numbered from `first`, the i-th of them at `at` and i ticks. `results`: of those that have one. `waited_us`: of a single
// native that had to wait.
void add_natives_done(std::string& frame, std::uint64_t first, std::uint64_t count, Timestamp at, std::span<const Value* const> results,
                      std::uint32_t waited_us = 0);
void add_native_failed(std::string& frame, std::uint64_t number, const Error& error);
void add_member(std::string& frame, const MemberReplyMessage& reply);
// Member members[i] of the chain has committed at at[i].
void add_members_committed(std::string& frame, std::uint64_t chain, std::span<const std::uint64_t> members, std::span<const Timestamp> at);
void add_chain_broken(std::string& frame, std::uint64_t chain, std::uint64_t decided, std::string_view reason, const Error& error);
void add_peek(std::string& frame, std::uint64_t ticket, Timestamp changed_at, Timestamp at, const Value& value);
void add_busy_peek(std::string& frame, std::uint64_t ticket);
void add_failed_peek(std::string& frame, std::uint64_t ticket, const Error& error);
void add_turn(std::string& frame, Timestamp number, bool recalled);
void add_standing(std::string& frame, const StandingMessage& standing);
void add_recall(std::string& frame, std::uint64_t grant, std::uint64_t priority);
void add_firm(std::string& frame, std::uint64_t grant, std::uint64_t for_us);
// `gone`: keys of which nothing is shown any more but what follows.
void add_board(std::string& frame, Timestamp at, bool anew, std::span<const std::string_view> gone, std::span<const ShownMessage> shown);

// The fields that a shard reads from another shard's frames.
struct FromShard {
  std::uint64_t sequence = 0;
  bool welcomed = false;
  std::uint32_t shard = 0;
  std::uint64_t incarnation = 0;
  bool closing = false;
  std::vector<InquiryAnswerMessage> answers;
  std::vector<EpochCloseMessage> epochs_closed;
  std::vector<EpochSealMessage> epochs_sealed;
  std::vector<EpochAnswerMessage> epoch_answers;
};
bool decode(std::string_view bytes, FromShard& frame);

}  // namespace server_frame

// The fields that a shard writes as another shard's client.
namespace client_frame {

void add_header(std::string& frame, std::uint64_t sequence, std::uint64_t acknowledged, std::uint64_t incarnation);
void add_hello(std::string& frame, std::string_view name, std::uint32_t shard);
// `committed_at`: the outcome, if it is known. The inquiry then reports it and asks whether it is logged there. `epoch`: of a member.
void add_inquiry(std::string& frame, const AttemptId& id, Timestamp committed_at, EpochNumber epoch = 0);
void add_wound(std::string& frame, const AttemptId& id, std::uint64_t priority);

}  // namespace client_frame

}  // namespace claret

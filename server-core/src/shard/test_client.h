// For tests: a client of one shard, at the level of bytes. Writes ClientFrames with named operations ("Set.add") and reads ServerFrames
// into plain structs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "ground/clock.h"
#include "shard/test_chains.h"
#include "shard/test_frames.h"
#include "shard/test_reply.h"
#include "shard/test_world.h"
#include "wire/value_codec.h"

namespace claret::testing {

class TestClient {
 public:
  // `identity` goes into the attempts' ids: a client that reconnects has a new peer number and keeps its identity.
  TestClient(World& world, std::uint32_t peer, std::uint32_t shard = 0, std::uint32_t identity = 0)
      : TestClient(world, peer, Numbered{}, shard, identity) {}

  // A session whose natives are settled once it is lost.
  struct Numbered {
    std::uint64_t session = 0;
    std::uint64_t resumes = 0;
    bool warranties = false;
    std::uint32_t of_shard_plus_one = 0;  // it is another shard
  };
  TestClient(World& world, std::uint32_t peer, Numbered numbered, std::uint32_t shard = 0, std::uint32_t identity = 0)
      : world_(world), shard_(*world.shards[shard]), peer_(peer), identity_(identity == 0 ? peer : identity) {
    shard_.connect(peer_, world_.now());
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer hello(frame, 3);
    hello.add_uint32(1, 1);
    hello.add_string(2, "test");
    if (numbered.of_shard_plus_one != 0) hello.add_uint32(3, numbered.of_shard_plus_one);
    if (numbered.session != 0) hello.add_fixed64(4, numbered.session);
    if (numbered.resumes != 0) hello.add_fixed64(5, numbered.resumes);
    if (numbered.warranties) hello.add_bool(6, true);
    hello.commit();
    send();
  }

  using Step = testing::Step;
  static std::string id_of(std::uint32_t identity, std::uint64_t attempt) { return attempt_id(identity, attempt); }

  // Queues the step for the next frame.
  TestClient& add(const Step& step) {
    protozero::pbf_writer frame(body_);
    add_request(frame, 9, identity_, step);
    return *this;
  }

  // ---- chains: each queues a message for the next frame.
  TestClient& member(std::uint64_t n, std::vector<Op> operations, const Membership& as = {}) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer member(frame, 20);
    member.add_uint64(1, as.chain);
    member.add_uint64(2, n);
    const Step step{.attempt = as.attempt == 0 ? member_attempt(n, as.chain) : as.attempt,
                    .begin_with_priority = 100,
                    .label = as.label,
                    .operations = std::move(operations),
                    .expires_in_ms = as.expires_in_ms};
    add_request(member, 3, identity_, step);
    if (as.ends) member.add_bool(4, true);
    if (as.turn != 0) member.add_fixed64(5, as.turn);
    if (as.timed) member.add_bool(6, true);
    return *this;
  }
  TestClient& batch(const BatchSent& sent) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer batch(frame, 27);
    batch.add_uint64(1, sent.chain);
    batch.add_packed_uint64(2, sent.members.begin(), sent.members.end());
    batch.add_uint64(3, sent.answers.value_or(seen.answers[sent.chain]));
    add_request(batch, 4, identity_,
                {.attempt = sent.attempt,
                 .begin_with_priority = 100,
                 .label = "batch",
                 .prepare = sent.participants,
                 .observes_only = sent.observes_only,
                 .not_after = sent.not_after,
                 .expires_in_ms = sent.expires_in_ms});
    batch.add_uint64(5, sent.first != 0 || sent.members.empty() ? sent.first : sent.members.front());
    batch.add_uint64(6, sent.last != 0 || sent.members.empty() ? sent.last : sent.members.back());
    return *this;
  }
  TestClient& renew(std::uint64_t chain) {
    protozero::pbf_writer(body_).add_uint64(28, chain);
    return *this;
  }
  TestClient& turn(TurnStep step) {
    protozero::pbf_writer(body_).add_enum(29, static_cast<std::int32_t>(step));
    return *this;
  }
  TestClient& withdraw(std::uint64_t n, std::uint64_t chain = 1) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer withdrawn(frame, 21);
    withdrawn.add_uint64(1, chain);
    withdrawn.add_uint64(2, n);
    withdrawn.add_uint64(3, ++withdrawals_[chain]);
    return *this;
  }
  // `answers`: the number of answers that the client has; otherwise all that it has read.
  TestClient& word(const std::vector<std::uint64_t>& members, std::uint64_t chain = 1, std::optional<std::uint64_t> answers = {}) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer word(frame, 22);
    word.add_uint64(1, chain);
    word.add_packed_uint64(2, members.begin(), members.end());
    word.add_uint64(3, answers.value_or(seen.answers[chain]));
    return *this;
  }
  TestClient& peek(std::uint64_t ticket, const Op& op, Timestamp at = 0) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer peek(frame, 25);
    peek.add_uint64(1, ticket);
    add_operation(peek, 2, op);
    if (at != 0) peek.add_fixed64(3, at);
    return *this;
  }
  TestClient& want_boards(bool wanted = true) {
    protozero::pbf_writer(body_).add_bool(26, wanted);
    return *this;
  }

  TestClient& commit_outcome(std::uint64_t attempt, Timestamp at) {
    protozero::pbf_writer frame(body_);
    frame.add_packed_uint64(5, &attempt, &attempt + 1);
    frame.add_packed_fixed64(6, &at, &at + 1);
    return *this;
  }

  TestClient& abort_outcome(std::uint64_t attempt) {
    protozero::pbf_writer frame(body_);
    frame.add_packed_uint64(7, &attempt, &attempt + 1);
    return *this;
  }

  TestClient& abandon(std::uint64_t attempt) {
    protozero::pbf_writer frame(body_);
    frame.add_packed_uint64(16, &attempt, &attempt + 1);
    return *this;
  }

  // ---- warranties: each queues a message for the next frame.
  TestClient& give_back(std::uint64_t grant, std::uint32_t uses = 0) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer returned(frame, 30);
    returned.add_uint64(1, grant);
    if (uses != 0) returned.add_uint32(2, uses);
    return *this;
  }
  TestClient& want_firm(std::uint64_t grant, std::uint32_t for_ms) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer message(frame, 32);
    message.add_uint64(1, grant);
    message.add_uint32(2, for_ms);
    return *this;
  }
  TestClient& used(Timestamp up_to, std::uint32_t answers = 0, std::uint32_t commits = 0) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer message(frame, 31);
    message.add_fixed64(1, up_to);
    message.add_uint32(2, answers);
    message.add_uint32(3, commits);
    return *this;
  }

  // Queues natives, numbered on from those before. Returns the number of the first.
  std::uint64_t add_natives(const std::vector<Op>& operations) {
    const std::uint64_t first = next_native_;
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer message(frame, 17);
    message.add_uint64(1, first);
    for (const Op& op : operations) add_operation(message, 2, op);
    if (natives_below != 0) message.add_uint64(3, natives_below);
    next_native_ += operations.size();
    return first;
  }
  std::uint64_t send_natives(const std::vector<Op>& operations) {
    const std::uint64_t first = add_natives(operations);
    send();
    return first;
  }
  // Sends one native with a result, and returns it; absent if it has not come at once.
  Value native(const Op& operation) {
    native_results.clear();
    send_natives({operation});
    return native_results.empty() ? Value{} : native_results.back();
  }

  // States that every participant has the outcomes of attempts below this number.
  TestClient& forget_below(std::uint64_t attempt) {
    protozero::pbf_writer(body_).add_uint64(8, attempt);
    return *this;
  }

  TestClient& watch(std::uint64_t id, const Op& op, Timestamp since = 0) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer watch(frame, 10);
    watch.add_uint64(1, id);
    add_operation(watch, 2, op);
    watch.add_fixed64(3, since);
    return *this;
  }

  // `committed_at`: a shard's question whether that commit is logged.
  TestClient& inquire(std::uint32_t identity, std::uint64_t attempt, std::uint64_t ticket, Timestamp committed_at = 0) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer inquiry(frame, 12);
    inquiry.add_bytes(1, id_of(identity, attempt));
    inquiry.add_uint64(2, ticket);
    if (committed_at != 0) inquiry.add_fixed64(3, committed_at);
    return *this;
  }

  TestClient& wound(std::uint64_t attempt, std::uint64_t by_priority) {
    protozero::pbf_writer frame(body_);
    protozero::pbf_writer wound(frame, 14);
    wound.add_bytes(2, id_of(identity_, attempt));
    wound.add_uint64(3, by_priority);
    return *this;
  }

  // Sends the queued messages, and reads the session's output.
  void send() {
    protozero::pbf_writer frame(body_);
    frame.add_uint64(1, ++sequence_);
    if (incarnation_ != 0) frame.add_uint64(4, incarnation_);
    last_frame = std::exchange(body_, {});
    send_bytes(last_frame);
  }

  void send_bytes(const std::string& bytes) {
    shard_.begin(world_.now());
    shard_.take(peer_, bytes);
    shard_.finish();
    World::expect_nobody_overlooked(shard_);
    world_.after_input();
    read();
  }

  // Reads the session's output.
  void read() {
    std::string frame;
    while (shard_.drain(peer_, frame)) read_frame(frame);
  }

  // Runs a one-shot transaction. Returns its reply if it came at once.
  Reply run(std::uint64_t attempt, std::vector<Op> operations, std::uint64_t priority = 100, std::string label = "test") {
    replies.clear();
    add({.attempt = attempt,
         .begin_with_priority = priority,
         .label = std::move(label),
         .operations = std::move(operations),
         .prepare = std::vector<std::uint32_t>{}})
        .send();
    return replies.empty() ? Reply{} : replies.back();
  }

  // Begins an interactive transaction with these operations. Unlike run(), it waits for every holder with which they conflict.
  Reply ask(std::uint64_t attempt, std::vector<Op> operations, std::uint64_t priority = 100, std::string label = "test") {
    return step({.attempt = attempt, .begin_with_priority = priority, .label = std::move(label), .operations = std::move(operations)});
  }

  // Sends a step of an interactive transaction. Returns its reply if it came at once.
  Reply step(Step step) {
    replies.clear();
    add(step).send();
    return replies.empty() ? Reply{} : replies.back();
  }

  void hang_up() { shard_.disconnect(peer_, world_.now()); }

  std::vector<Reply> replies;
  std::map<std::uint64_t, NativeSeen> natives;  // by number
  std::uint64_t natives_below = 0;  // sent along: it has the answers to all below
  std::uint64_t serial = 0;  // as welcomed
  bool resumed_known = false;  // what the welcome said of a lost session; its answers are in `natives`
  std::vector<Value> native_results;  // of those that have one, in order of the answers
  std::vector<ChangeSeen> changes;
  std::vector<AnswerSeen> answers;
  std::vector<std::uint64_t> wounds;  // attempts
  std::vector<std::uint64_t> wounder_priorities;  // one for each entry of wounds
  std::vector<std::string> conditions;  // the kinds of locks reported to the session
  ChainsSeen seen;
  WarrantiesSeen warranties;
  std::string last_frame;  // as it was sent
  std::string closing;
  std::uint64_t acknowledged = 0;  // the last of its frames that the shard has acknowledged
  std::size_t frame_bytes_max = 0;  // size of the longest frame seen
  std::string bytes_seen;  // all frames, for comparing whole runs

 private:
  void read_frame(const std::string& bytes) {
    bytes_seen += bytes;
    frame_bytes_max = std::max(frame_bytes_max, bytes.size());
    protozero::pbf_reader frame(bytes);
    while (frame.next()) {
      if (seen.read(frame) || warranties.read(frame)) continue;
      switch (frame.tag()) {
        case 2:
          acknowledged = frame.get_uint64();
          break;
        case 3: {
          auto welcome = frame.get_message();
          while (welcome.next()) {
            if (welcome.tag() == 3) {
              incarnation_ = welcome.get_uint64();
            } else if (welcome.tag() == 5) {
              read_resumed(welcome.get_message());
            } else if (welcome.tag() == 6) {
              warranties.term_ms = welcome.get_uint32();
            } else if (welcome.tag() == 9) {
              serial = welcome.get_uint64();
            } else {
              welcome.skip();
            }
          }
          break;
        }
        case 4:
          replies.push_back(read_reply(frame.get_message(), warranties));
          break;
        case 5: {
          read_wound(frame.get_message());
          break;
        }
        case 6:
          read_change(frame.get_message());
          break;
        case 7:
          read_seen_answer(frame.get_message());
          break;
        case 8: {
          auto told = frame.get_message();
          told.next(1);
          conditions.push_back(told.get_string());
          break;
        }
        case 11:
          read_natives_done(frame.get_message());
          break;
        case 12:
          read_native_failed(frame.get_message());
          break;
        case 9:
          closing = error_code(frame.get_message(), nullptr);
          break;
        default:
          frame.skip();
      }
    }
  }

  void read_resumed(protozero::pbf_reader message) {
    while (message.next()) {
      if (message.tag() == 1) {
        resumed_known = message.get_bool();
      } else if (message.tag() == 11) {
        read_natives_done(message.get_message());
      } else if (message.tag() == 12) {
        read_native_failed(message.get_message());
      } else {
        message.skip();
      }
    }
  }

  void read_native_failed(protozero::pbf_reader message) {
    message.next(1);
    const std::uint64_t number = message.get_uint64();
    message.next(2);
    Reply told;
    natives[number].error = error_code(message.get_message(), &told);
    natives[number].error_at = told.error_at;
  }

  void read_natives_done(protozero::pbf_reader message) {
    std::uint64_t first = 0, count = 0;
    Timestamp at = 0;
    std::string_view problem;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          first = message.get_uint64();
          break;
        case 2:
          count = message.get_uint64();
          break;
        case 3:
          at = message.get_fixed64();
          break;
        case 4:
          native_results.push_back(read_value(message.get_message(), problem));
          break;
        default:
          message.skip();
      }
    }
    for (std::uint64_t i = 0; i < count; ++i) natives[first + i].at = HybridClock::after(at, i);
    if (count == 1 && !native_results.empty()) natives[first].result = native_results.back();
  }

  void read_wound(protozero::pbf_reader message) {
    std::uint64_t attempt = 0, priority = 0;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          attempt = message.get_uint64();
          break;
        case 3:
          priority = message.get_uint64();
          break;
        default:
          message.skip();
      }
    }
    wounds.push_back(attempt);
    wounder_priorities.push_back(priority);
  }

  void read_change(protozero::pbf_reader message) {
    ChangeSeen change;
    std::string_view problem;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          change.watch = message.get_uint64();
          break;
        case 2:
          change.timestamp = message.get_fixed64();
          break;
        case 3:
          change.value = read_value(message.get_message(), problem);
          break;
        case 4:
          change.error = error_code(message.get_message(), nullptr);
          break;
        default:
          message.skip();
      }
    }
    changes.push_back(std::move(change));
  }

  void read_seen_answer(protozero::pbf_reader message) {
    const InquiryAnswerMessage answer = read_answer(message);
    answers.push_back({answer.ticket, answer.state, answer.timestamp});
  }

  World& world_;
  Shard& shard_;
  std::uint32_t peer_;
  std::uint32_t identity_;
  std::uint64_t next_native_ = 1;
  std::uint64_t sequence_ = 0;
  std::map<std::uint64_t, std::uint64_t> withdrawals_;  // by chain
  std::uint64_t incarnation_ = 0;
  std::string body_;
};

// An attempt over both shards that votes at this one.
inline Timestamp vote(TestClient& client, std::uint64_t attempt, std::vector<Op> operations) {
  return client.step({.attempt = attempt, .begin_with_priority = 50, .operations = std::move(operations), .prepare = kBoth}).voted_at;
}

}  // namespace claret::testing

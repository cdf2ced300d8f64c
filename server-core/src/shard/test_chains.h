// For tests: what a client sees of its chains, boards and peeks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "shard/test_frames.h"
#include "shard/test_world.h"
#include "wire/value_codec.h"

namespace claret::testing {

// How a member is sent.
struct Membership {
  std::uint64_t chain = 1;
  bool ends = false;
  std::uint64_t attempt = 0;  // 0: member_attempt
  std::string label = "test";
  std::uint32_t expires_in_ms = 0;
  Timestamp turn = 0;  // set: wide
  bool timed = false;
};

// How a batch is sent. Its attempt has the number `attempt`.
struct BatchSent {
  std::uint64_t attempt = 0;
  std::vector<std::uint64_t> members;
  std::uint64_t chain = 1;
  std::optional<std::uint64_t> answers{};  // the number of answers that the client has; otherwise all that it has read
  std::vector<std::uint32_t> participants{0, 1};
  std::uint32_t expires_in_ms = 0;
  Timestamp not_after = 0;
  bool observes_only = false;
  // The numbers of the batch's first and last member, at whatever shards; 0: those of `members`.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

inline std::uint64_t member_attempt(std::uint64_t n, std::uint64_t chain = 1) { return 1'000'000 * chain + n; }

struct MemberSeen {
  std::uint64_t chain = 0;
  std::uint64_t n = 0;
  std::uint64_t withdrawals = 0;
  std::vector<Value> results;
  std::string error;  // code
  bool retryable = false;
  std::string blocking_label;
  std::uint32_t waited_us = 0;
  bool above = false;
  Timestamp committed_at = 0;
  Timestamp at = 0;
};

struct TurnSeen {
  Timestamp number = 0;
  bool recalled = false;
};

struct ChainBrokenSeen {
  std::uint64_t chain = 0;
  std::uint64_t decided = 0;
  std::string error;  // code
  std::string reason;
};

struct MemberCommitted {
  std::uint64_t chain = 0;
  std::uint64_t n = 0;
  Timestamp at = 0;
};

struct PeekSeen {
  bool busy = false;
  Value value;  // right from changed_at to at
  Timestamp changed_at = 0;
  Timestamp at = 0;
  std::string error;  // code
};

struct BoardSeen {
  struct Shown {
    std::string key;
    std::uint32_t code = 0;
    std::vector<Value> arguments;
    Value result;
  };
  Timestamp at = 0;
  bool anew = false;
  std::vector<std::string> gone;
  std::vector<Shown> shown;
};

// All that has come, in order.
struct ChainsSeen {
  std::vector<MemberSeen> members;
  std::vector<ChainBrokenSeen> broken;
  std::vector<MemberCommitted> committed;
  std::map<std::uint64_t, PeekSeen> peeks;  // by ticket
  std::vector<BoardSeen> boards;
  std::vector<TurnSeen> turns;
  std::map<std::uint64_t, std::uint64_t> answers;  // without errors and commits, by chain

  // The newest reply to the member; empty if there is none.
  MemberSeen reply(std::uint64_t n, std::uint64_t chain = 1) const {
    const auto found = std::find_if(members.rbegin(), members.rend(), [&](const auto& one) { return one.chain == chain && one.n == n; });
    return found == members.rend() ? MemberSeen{} : *found;
  }
  std::size_t replies(std::uint64_t n, std::uint64_t chain = 1) const {
    return static_cast<std::size_t>(
        std::count_if(members.begin(), members.end(), [&](const auto& one) { return one.chain == chain && one.n == n; }));
  }
  // The first result of the newest answer; absent if there is none.
  Value result(std::uint64_t n, std::uint64_t chain = 1) const {
    const MemberSeen seen = reply(n, chain);
    return seen.results.empty() ? Value{} : seen.results.front();
  }
  // When the member has committed; 0: the client does not know of a commit.
  Timestamp committed_at(std::uint64_t n, std::uint64_t chain = 1) const {
    for (const MemberCommitted& one : committed) {
      if (one.chain == chain && one.n == n) return one.at;
    }
    return reply(n, chain).committed_at;
  }
  // The code with which the chain was broken; empty if it was not.
  std::string broken_by(std::uint64_t chain = 1) const {
    for (const ChainBrokenSeen& one : broken) {
      if (one.chain == chain) return one.error;
    }
    return {};
  }

  // False if the field of a server frame is of something else.
  bool read(protozero::pbf_reader& frame) {
    switch (frame.tag()) {
      case 14:
        read_member(frame.get_message());
        return true;
      case 15:
        read_broken(frame.get_message());
        return true;
      case 16:
        read_committed(frame.get_message());
        return true;
      case 17:
        read_peek(frame.get_message());
        return true;
      case 19:
        read_board(frame.get_message());
        return true;
      case 20:
        read_turn(frame.get_message());
        return true;
      default:
        return false;
    }
  }

 private:
  static Value value_in(protozero::pbf_reader message) {
    std::string_view problem;
    return read_value(message, problem);
  }

  void read_member(protozero::pbf_reader message) {
    MemberSeen seen;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          seen.chain = message.get_uint64();
          break;
        case 2:
          seen.n = message.get_uint64();
          break;
        case 3:
          seen.withdrawals = message.get_uint64();
          break;
        case 4:
          seen.results.push_back(value_in(message.get_message()));
          break;
        case 5: {
          Reply told;
          seen.error = error_code(message.get_message(), &told);
          seen.retryable = told.retryable;
          seen.blocking_label = told.blocking_label;
          break;
        }
        case 6: {
          auto waited = message.get_message();
          waited.next(1);
          seen.waited_us = waited.get_uint32();
          break;
        }
        case 7:
          seen.above = message.get_bool();
          break;
        case 8:
          seen.committed_at = message.get_fixed64();
          break;
        case 9:
          seen.at = message.get_fixed64();
          break;
        default:
          message.skip();
      }
    }
    if (seen.error.empty() && seen.committed_at == 0) ++answers[seen.chain];
    members.push_back(std::move(seen));
  }

  void read_broken(protozero::pbf_reader message) {
    ChainBrokenSeen seen;
    while (message.next()) {
      if (message.tag() == 1) {
        seen.chain = message.get_uint64();
      } else if (message.tag() == 2) {
        seen.decided = message.get_uint64();
      } else if (message.tag() == 4) {
        seen.reason = message.get_string();
      } else {
        seen.error = error_code(message.get_message(), nullptr);
      }
    }
    broken.push_back(std::move(seen));
  }

  void read_committed(protozero::pbf_reader message) {
    std::uint64_t chain = 0;
    std::vector<std::uint64_t> members_in;
    std::size_t next = 0;
    while (message.next()) {
      if (message.tag() == 1) {
        chain = message.get_uint64();
      } else if (message.tag() == 2) {
        for (const std::uint64_t n : message.get_packed_uint64()) members_in.push_back(n);
      } else {
        for (const Timestamp at : message.get_packed_fixed64()) committed.push_back({chain, members_in.at(next++), at});
      }
    }
    EXPECT_EQ(next, members_in.size());
  }

  void read_turn(protozero::pbf_reader message) {
    TurnSeen seen;
    while (message.next()) {
      if (message.tag() == 1) {
        seen.number = message.get_fixed64();
      } else {
        seen.recalled = message.get_bool();
      }
    }
    turns.push_back(seen);
  }

  void read_peek(protozero::pbf_reader message) {
    std::uint64_t ticket = 0;
    PeekSeen seen;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          ticket = message.get_uint64();
          break;
        case 2:
          seen.busy = message.get_bool();
          break;
        case 3:
          seen.value = value_in(message.get_message());
          break;
        case 4:
          seen.at = message.get_fixed64();
          break;
        case 6:
          seen.changed_at = message.get_fixed64();
          break;
        default:
          seen.error = error_code(message.get_message(), nullptr);
      }
    }
    peeks[ticket] = std::move(seen);
  }

  void read_board(protozero::pbf_reader message) {
    BoardSeen board;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          board.at = message.get_fixed64();
          break;
        case 2:
          board.gone.push_back(message.get_string());
          break;
        case 4:
          board.anew = message.get_bool();
          break;
        default:
          board.shown.push_back(read_shown(message.get_message()));
      }
    }
    boards.push_back(std::move(board));
  }

  static BoardSeen::Shown read_shown(protozero::pbf_reader message) {
    BoardSeen::Shown shown;
    message.next(1);
    auto operation = message.get_message();
    while (operation.next()) {
      if (operation.tag() == 1) {
        shown.key = operation.get_string();
      } else if (operation.tag() == 2) {
        shown.code = operation.get_uint32();
      } else {
        shown.arguments.push_back(value_in(operation.get_message()));
      }
    }
    message.next(2);
    shown.result = value_in(message.get_message());
    return shown;
  }
};

}  // namespace claret::testing

// For tests: what a client sees of warranties.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "ground/clock.h"

namespace claret::testing {

struct GrantSeen {
  std::uint64_t attempt = 0;
  std::uint64_t grant = 0;  // 0: there is none
  std::uint32_t operation = 0;
  Timestamp from = 0;
  std::string digest;
};

struct StandingSeen {
  Timestamp now = 0;
  Timestamp until = 0;
  std::uint64_t clock_us = 0;
};

struct RecallSeen {
  std::uint64_t grant = 0;
  std::uint64_t priority = 0;
};

struct FirmSeen {
  std::uint64_t grant = 0;
  std::uint64_t for_us = 0;
};

struct WarrantiesSeen {
  std::uint32_t term_ms = 0;  // as the welcome said
  std::vector<GrantSeen> granted;
  StandingSeen standing;
  std::size_t standings = 0;
  std::vector<RecallSeen> recalls;
  std::vector<FirmSeen> firm;

  bool is_recalled(std::uint64_t grant) const {
    return std::any_of(recalls.begin(), recalls.end(), [&](const RecallSeen& one) { return one.grant == grant; });
  }

  // Reads `Reply.granted`.
  void read_granted(protozero::pbf_reader message, std::uint64_t attempt) {
    GrantSeen seen{.attempt = attempt};
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          seen.grant = message.get_uint64();
          break;
        case 2:
          seen.operation = message.get_uint32();
          break;
        case 3:
          seen.from = message.get_fixed64();
          break;
        case 4:
          seen.digest = message.get_bytes();
          break;
        default:
          message.skip();
      }
    }
    granted.push_back(seen);
  }

  // False if the field of a server frame is of something else.
  bool read(protozero::pbf_reader& frame) {
    if (frame.tag() == 21) {
      read_standing(frame.get_message());
    } else if (frame.tag() == 22) {
      read_recall(frame.get_message());
    } else if (frame.tag() == 23) {
      read_firm(frame.get_message());
    } else {
      return false;
    }
    return true;
  }

 private:
  void read_standing(protozero::pbf_reader message) {
    ++standings;
    message.next(1);
    standing.now = message.get_fixed64();
    message.next(2);
    standing.until = message.get_fixed64();
    message.next(3);
    standing.clock_us = message.get_uint64();
  }

  void read_firm(protozero::pbf_reader message) {
    FirmSeen seen;
    while (message.next()) {
      if (message.tag() == 1) {
        seen.grant = message.get_uint64();
      } else if (message.tag() == 2) {
        seen.for_us = message.get_uint64();
      } else {
        message.skip();
      }
    }
    firm.push_back(seen);
  }

  void read_recall(protozero::pbf_reader message) {
    RecallSeen seen;
    while (message.next()) {
      if (message.tag() == 1) {
        seen.grant = message.get_uint64();
      } else if (message.tag() == 2) {
        seen.priority = message.get_uint64();
      } else {
        message.skip();
      }
    }
    recalls.push_back(seen);
  }
};

}  // namespace claret::testing

// What a connection remembers of its client, and shows in CLIENT INFO.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace claret::resp {

enum class ReplyMode : std::uint8_t {
  kOn,
  kOff,
  kSkipNext,  // the reply to the next command is dropped
  kSkip,  // the reply to this command is dropped
};

struct ClientState {
  std::uint64_t id = 0;
  std::string address;  // host:port of the client
  std::string local_address;  // host:port that it called
  std::string name;
  std::string library_name;
  std::string library_version;
  ReplyMode replies = ReplyMode::kOn;
  std::int64_t asked_database = 0;  // by SELECT; another one than 0 is not there
  bool never_evicted = false;
  bool never_touches = false;
  bool reads_only = false;
  std::uint64_t connected_us = 0;
  std::uint64_t active_us = 0;  // when bytes came last
  std::string_view last_command;  // its whole name
};

}  // namespace claret::resp

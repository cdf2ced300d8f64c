// A stream to another door, for the commands of one client on keys that are there. One of its own for each client, so that what belongs to a
// connection, such as the keys that it watches, is there as well.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "resp/reply_scanner.h"

namespace claret {

struct DoorSession;

struct Link {
  std::uint32_t number = 0;
  std::string host;
  std::uint16_t port = 0;
  std::uint32_t peer = 0;  // 0: not connected yet
  DoorSession* client = nullptr;  // null: it is gone
  std::string out;
  resp::ReplyScanner in;
  int protocol = 2;
  std::uint32_t to_drop = 0;  // replies before those that the client is to get
  std::deque<std::uint64_t> owed;  // the places of those (door/session.h)
  bool is_write = false;  // what is being answered may change something
  bool has_output = false;
  bool closing = false;
};

}  // namespace claret

// A Redis client's session with the shard: its connection, its output until the log allows it to leave, and the command that waits.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "door/link.h"
#include "resp/connection.h"
#include "transaction/coordinator.h"
#include "transaction/natives.h"

namespace claret {

class Door;

inline constexpr std::uint32_t kNoVersions = 0xFFFFFFFF;
// Bytes of a client's output, from which on none of its commands runs, and no answers are read for it; and the same once all clients together
// have left so many bytes unread.
inline constexpr std::size_t kUnreadOutputMax = 8 << 20;
inline constexpr std::size_t kUnreadCrowdedMax = 128 << 10;
inline constexpr std::size_t kUnreadInAllMax = 64 << 20;

// The reply to a command that may be run while those before it have no reply yet. It leaves once all before it have left.
struct ReplyPlace {
  bool is_there = false;  // else another door owes it
  std::uint64_t needs = 0;  // the position in the log on which it depends
  std::string reply;
};

// A command with arguments of its own, or those of EXEC, which belong to the connection.
class HeldCommand {
 public:
  void hold(const resp::CommandSpec& spec, resp::Arguments arguments) {
    if (is_held(arguments)) return;
    std::size_t size = 0;
    for (const auto argument : arguments) size += argument.size();
    bytes_ = std::make_unique<char[]>(size);
    char* end = bytes_.get();
    arguments_.clear();
    for (const auto argument : arguments) {
      arguments_.emplace_back(end, argument.size());
      end = std::copy(argument.begin(), argument.end(), end);
    }
    spec_ = &spec;
    queued_ = {};
  }
  void hold(std::span<const resp::QueuedCommand> queued, const resp::WatchedKeys& watched) {
    spec_ = nullptr;
    queued_ = queued;
    watched_ = &watched;
  }
  bool is_exec() const { return spec_ == nullptr; }
  const resp::CommandSpec& spec() const { return *spec_; }
  resp::Arguments arguments() const { return arguments_; }
  std::span<const resp::QueuedCommand> queued() const { return queued_; }
  const resp::WatchedKeys& watched() const { return *watched_; }

 private:
  bool is_held(resp::Arguments arguments) const { return !arguments_.empty() && arguments.data() == arguments_.data(); }

  const resp::CommandSpec* spec_ = nullptr;
  std::unique_ptr<char[]> bytes_;
  std::vector<std::string_view> arguments_;
  std::span<const resp::QueuedCommand> queued_;
  const resp::WatchedKeys* watched_ = nullptr;
};

struct DoorSession final : Coordinator, NativeCommand {
  DoorSession(Door& door, std::uint32_t peer, const resp::CommandTable& table, resp::Backend& backend, resp::ConnectionOptions options)
      : door(door), peer(peer), connection(table, backend, std::move(options)) {}

  void run_again() override;
  void give_up(Error error) override;

  // Another door owes the reply to a command that comes behind all others.
  std::uint64_t owe() {
    places.emplace_back();
    return places_gone + places.size() - 1;
  }
  ReplyPlace& place(std::uint64_t number) { return places[number - places_gone]; }
  // The bytes of the replies that wait here. Those that the stream is writing already do not count.
  std::size_t unread_bytes() const { return output_bytes() + placed_bytes; }

  Door& door;
  std::uint32_t peer;
  resp::Connection connection;
  HeldCommand waiting;  // while connection.waits()
  std::deque<ReplyPlace> places;  // of replies, in the order of the commands; the first one is owed
  std::uint64_t places_gone = 0;  // before those
  std::size_t placed_bytes = 0;  // of the replies in them
  std::size_t leaving_bytes = 0;  // taken by its stream, which comes back for more once they are written
  std::size_t counted_bytes = 0;  // of the two, as the door's sum has them
  bool waits_for_answer = false;  // the command that waits does so for a reply of another door
  std::map<std::string, std::uint32_t> links;  // by address: the numbers of links to other doors
  std::vector<std::size_t> to_flush;  // nodes that FLUSHALL has to reach
  bool forwarded = false;  // another door has sent its commands on to this one: they are not sent on again
  bool has_output = false;  // reported to the caller of the shard
  std::uint64_t blocked = 0;  // its place among those that wait until something is there; 0: it does not
  double blocked_until_ms = 0;
  std::vector<std::string> blocked_keys;
  bool is_over = false;  // the time for which it waits has passed
  bool is_full = false;  // the connection has stopped at the limit of its output
  bool is_ready = false;  // the connection goes on at the end of the turn
  bool is_cut = false;  // replies of it were dropped: it gets nothing more, since it would take that for what is missing
  bool is_answered = false;  // the same, and the command for which it waited has its reply
  bool is_settled = false;  // the same, and no reply is owed any more
  // The link to the door that has the versions of what it watches; 0: this one; kNoVersions: nobody has all of them any more.
  std::uint32_t watched_at = 0;
  bool sends_watch = false;  // WATCH has been sent on, and not been answered
};

}  // namespace claret

// The sockets of a shard's Redis clients, on the event loop of the JavaScript environment: listens, reads, gives the bytes to the core and writes its
// replies. No JavaScript runs per read or write.
//
// What is read in one turn of the event loop, up to kTurnBytes, is one turn of the core: begin, take, finish. At its end the replies leave, in one
// write for each client. If the turn has output for other peers, entries of the log, or anything else of which only the owner knows what to do, the
// owner is told once, and has to call flush() itself when the entries are on their way.
//
// - Half open: a client that has sent its last byte still reads. The owner is told, and ends it.
// - A client is read as far as the core wants its input. It gets a reply piece by piece, and is dropped if it takes no piece for `blocked_ms`.
// - Beyond `connections_max`, connections are closed as they come. So are those that come while there is no shard.
//
// Its owner keeps it by a shared pointer, and calls shut_down() in the end; after that it lives until its handles are closed. Used on the event
// loop's thread only. The owner is only ever called by the event loop, never within a call from above.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <uv.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "polling.h"
#include "shard/shard.h"

namespace claret {

class RespSockets : public std::enable_shared_from_this<RespSockets> {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    // A client has come, between these addresses ("host:port"). Returns the peer's number, as which the shard knows it; 0: it is closed.
    virtual std::uint32_t opened(const std::string& address, const std::string& local_address) = 0;
    // A connection beyond the limit was closed.
    virtual void dropped() = 0;
    // The client has sent its last byte, and may still read: to be followed by end().
    virtual void ended(std::uint32_t peer) = 0;
    // Its socket is closed.
    virtual void gone(std::uint32_t peer) = 0;
    // A turn of the core is over, after which the owner has something to do; `others` have output. To be followed by flush().
    virtual void turned(const std::vector<std::uint32_t>& others) = 0;
    // The core wants to run before the owner expects it.
    virtual void wake() = 0;
    // No connection is left.
    virtual void emptied() = 0;
  };

  struct Service {
    double monotonic_ms;  // now, on the clock of all other calls of the shard
    double blocked_ms;  // a client that has taken nothing for so long is dropped
    double poll_ms;  // see Polling
    bool leased;  // replies leave only when the owner calls flush(): it is told of every turn
  };

  static std::shared_ptr<RespSockets> open(uv_loop_t* loop, Owner& owner, std::size_t connections_max);
  RespSockets(const RespSockets&) = delete;
  RespSockets& operator=(const RespSockets&) = delete;

  // ---- the port
  // Returns 0, or an error of libuv. REQUIRES: !listening(), !is_shut_down()
  int listen(const std::string& ip, int port);
  bool listening() const { return listener_ != nullptr; }
  void stop_listening();

  // ---- the shard
  // Those that come from now on are clients of the shard.
  void serve(Shard& shard, const Service& service);
  // No more clients are served. Those that are connected stay.
  void serve_no_more() { serves_ = false; }
  // The shard is no more, and its clients neither.
  void shard_is_gone();
  // Of peers that have output: removes those that are clients here, whose output the next flush() writes.
  void keep_own(std::vector<std::uint32_t>& peers);
  // Writes what clients have to get, unless that time has passed.
  void flush(double until_ms = std::numeric_limits<double>::infinity());
  // The owner will call the core at that time.
  void deadline_told(double deadline_ms) { deadline_told_ms_ = deadline_ms; }

  // ---- clients
  std::size_t connections() const { return connections_.size(); }
  // Closes the socket once everything has been written.
  void end(std::uint32_t peer);
  void destroy(std::uint32_t peer);
  void end_all();
  void destroy_all();

  // Closes all handles. The owner is not called any more. `closed` is called once they are.
  // REQUIRES: !is_shut_down()
  void shut_down(std::function<void()> closed);
  bool is_shut_down() const { return owner_ == nullptr; }

  // ---- for /metrics, in total
  double core_ms() const { return core_ms_; }
  double polled_ms() const { return polling_.polled_ms(); }
  std::uint64_t long_turns() const { return long_turns_; }

 private:
  struct Connection;
  template <typename T>
  struct Held;

  RespSockets(uv_loop_t* loop, Owner& owner, std::size_t connections_max);
  template <typename T>
  Held<T>* hold();
  template <typename T>
  void close(Held<T>*& held);
  void closed_one();

  double now_ms() const { return static_cast<double>(uv_hrtime()) / 1e6 - clock_offset_ms_; }
  Now now() const;

  void accept();
  void read(Connection& connection, ssize_t size);
  void checked();
  // A turn begins, unless one is under way; it ends at the end of this turn of the event loop, or earlier.
  void begin();
  void end_turn();
  bool needs_owner(const std::vector<std::uint32_t>& others);

  void ready(Connection& connection);
  void write(Connection& connection);
  void write_piece(Connection& connection);
  void written(Connection& connection, int status);
  void pause(Connection& connection);
  void read_on(Connection& connection);
  void block(Connection& connection);
  void drop_blocked_in(double ms);
  void drop_blocked();
  void end(Connection& connection);
  void shut(Connection& connection);
  void destroy(Connection& connection);
  void closed(Connection& connection);
  Connection* find(std::uint32_t peer);

  uv_loop_t* loop_;
  Owner* owner_;  // null: it is shut down
  std::size_t connections_max_;
  std::size_t handles_ = 0;  // that are open
  std::function<void()> on_closed_;
  Held<uv_tcp_t>* listener_ = nullptr;
  Held<uv_check_t>* check_ = nullptr;
  Held<uv_idle_t>* idle_ = nullptr;  // keeps the event loop awake while it polls
  Held<uv_timer_t>* timer_ = nullptr;  // for clients that take nothing

  Shard* shard_ = nullptr;
  bool serves_ = false;
  Service service_{};
  double clock_offset_ms_ = 0;
  Polling polling_;

  std::vector<Connection*> connections_;  // that are not closed, each at its place
  absl::flat_hash_map<std::uint32_t, Connection*> by_peer_;  // never iterated
  std::vector<Connection*> ready_;  // that have output
  std::vector<Connection*> paused_;  // whose input the core does not want
  std::vector<Connection*> blocked_;  // that have not taken what was written

  bool in_turn_ = false;
  bool tells_owner_ = false;  // of this turn, whatever comes of it
  std::size_t turn_bytes_ = 0;
  double turn_core_ms_ = 0;
  double deadline_told_ms_ = -std::numeric_limits<double>::infinity();
  double core_ms_ = 0;
  std::uint64_t long_turns_ = 0;
  std::string out_;  // used again
  std::array<char, 64 * 1024> buffer_;  // of all reads: the core copies what it keeps
};

}  // namespace claret

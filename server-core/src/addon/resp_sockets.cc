#include "resp_sockets.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace claret {

namespace {

// Redis clients send no heartbeats. As in Redis, a peer that has vanished is noticed some time after this.
constexpr unsigned kKeepAliveSeconds = 300;
constexpr int kBacklog = 511;
// Replies to what was read first leave while the rest is read.
constexpr std::size_t kTurnBytes = 16 * 1024;
// A client that takes nothing is given so many bytes at a time. Taking them is progress.
constexpr std::size_t kPieceBytes = 128 * 1024;
// A longer buffer is not used again.
constexpr std::size_t kBufferBytesMax = 64 * 1024;
// As in ShardHost: the limit that the core aims for.
constexpr double kLongTurnMs = 2;

uv_handle_t* handle_of(auto& handle) { return reinterpret_cast<uv_handle_t*>(&handle); }
uv_stream_t* stream_of(uv_tcp_t& tcp) { return reinterpret_cast<uv_stream_t*>(&tcp); }

// Empty if the socket has none: the client has gone already.
std::string address_of(const uv_tcp_t& tcp, int (*name)(const uv_tcp_t*, sockaddr*, int*)) {
  sockaddr_storage storage{};
  int size = sizeof(storage);
  auto* address = reinterpret_cast<sockaddr*>(&storage);
  if (name(&tcp, address, &size) != 0) return {};
  std::array<char, 64> text{};
  if (uv_ip_name(address, text.data(), text.size()) != 0) return {};
  const bool is_six = address->sa_family == AF_INET6;
  const auto port = is_six ? reinterpret_cast<sockaddr_in6*>(address)->sin6_port : reinterpret_cast<sockaddr_in*>(address)->sin_port;
  const std::string host = is_six ? '[' + std::string(text.data()) + ']' : std::string(text.data());
  return host + ':' + std::to_string(ntohs(port));
}

}  // namespace

// A handle of libuv, which keeps the sockets alive until it is closed.
template <typename T>
struct RespSockets::Held {
  T handle{};
  std::shared_ptr<RespSockets> sockets;
};

struct RespSockets::Connection {
  uv_tcp_t tcp{};
  uv_write_t writing{};
  uv_shutdown_t shutting{};
  std::shared_ptr<RespSockets> sockets;
  std::size_t place = 0;
  std::uint32_t peer = 0;  // 0: of nobody
  std::string rest;  // of a reply; while there is some, a write is under way
  std::size_t rest_written = 0;
  double blocked_since_ms = 0;
  bool is_ready = false;
  bool is_paused = false;
  bool is_blocked = false;
  bool is_ending = false;

  bool is_closing() const { return uv_is_closing(reinterpret_cast<const uv_handle_t*>(&tcp)) != 0; }
  static Connection& of(const void* handle) {
    return *static_cast<Connection*>(uv_handle_get_data(static_cast<const uv_handle_t*>(handle)));
  }
};

// ---- handles ------------------------------------------------------------------------------------------------------------------

template <typename T>
RespSockets::Held<T>* RespSockets::hold() {
  auto* held = new Held<T>{.sockets = shared_from_this()};  // deleted when the handle is closed
  uv_handle_set_data(handle_of(held->handle), held);
  ++handles_;
  return held;
}

template <typename T>
void RespSockets::close(Held<T>*& held) {
  if (held == nullptr) return;
  uv_close(handle_of(held->handle), [](uv_handle_t* handle) {
    const std::unique_ptr<Held<T>> own(static_cast<Held<T>*>(uv_handle_get_data(handle)));
    own->sockets->closed_one();
  });
  held = nullptr;
}

void RespSockets::closed_one() {
  if (--handles_ == 0 && on_closed_) std::exchange(on_closed_, {})();
}

RespSockets::RespSockets(uv_loop_t* loop, Owner& owner, std::size_t connections_max)
    : loop_(loop), owner_(&owner), connections_max_(connections_max) {}

std::shared_ptr<RespSockets> RespSockets::open(uv_loop_t* loop, Owner& owner, std::size_t connections_max) {
  std::shared_ptr<RespSockets> sockets(new RespSockets(loop, owner, connections_max));
  sockets->check_ = sockets->hold<uv_check_t>();
  uv_check_init(loop, &sockets->check_->handle);
  uv_check_start(&sockets->check_->handle,
                 [](uv_check_t* check) { static_cast<Held<uv_check_t>*>(uv_handle_get_data(handle_of(*check)))->sockets->checked(); });
  sockets->idle_ = sockets->hold<uv_idle_t>();
  uv_idle_init(loop, &sockets->idle_->handle);
  sockets->timer_ = sockets->hold<uv_timer_t>();
  uv_timer_init(loop, &sockets->timer_->handle);
  for (uv_handle_t* handle : {handle_of(sockets->check_->handle), handle_of(sockets->idle_->handle), handle_of(sockets->timer_->handle)}) {
    uv_unref(handle);
  }
  return sockets;
}

void RespSockets::shut_down(std::function<void()> closed) {
  owner_ = nullptr;
  serves_ = false;
  on_closed_ = std::move(closed);
  stop_listening();
  destroy_all();
  close(check_);
  close(idle_);
  close(timer_);
}

// ---- the port -----------------------------------------------------------------------------------------------------------------

int RespSockets::listen(const std::string& ip, int port) {
  sockaddr_storage storage{};
  auto* address = reinterpret_cast<sockaddr*>(&storage);
  if (uv_ip4_addr(ip.c_str(), port, reinterpret_cast<sockaddr_in*>(address)) != 0) {
    if (const int error = uv_ip6_addr(ip.c_str(), port, reinterpret_cast<sockaddr_in6*>(address)); error != 0) return error;
  }
  listener_ = hold<uv_tcp_t>();
  uv_tcp_t& tcp = listener_->handle;
  uv_tcp_init(loop_, &tcp);
  int error = uv_tcp_bind(&tcp, address, 0);
  if (error == 0) {
    error = uv_listen(stream_of(tcp), kBacklog, [](uv_stream_t* stream, int status) {
      if (status == 0) static_cast<Held<uv_tcp_t>*>(uv_handle_get_data(handle_of(*stream)))->sockets->accept();
    });
  }
  if (error != 0) stop_listening();
  return error;
}

void RespSockets::stop_listening() { close(listener_); }

void RespSockets::accept() {
  if (listener_ == nullptr) return;
  auto* connection = new Connection{.sockets = shared_from_this(), .place = connections_.size()};  // deleted when it is closed
  uv_tcp_init(loop_, &connection->tcp);
  uv_handle_set_data(handle_of(connection->tcp), connection);
  connections_.push_back(connection);
  ++handles_;
  if (uv_accept(stream_of(listener_->handle), stream_of(connection->tcp)) != 0) return destroy(*connection);
  if (connections_.size() > connections_max_) {
    destroy(*connection);
    return owner_->dropped();
  }
  const std::string address = address_of(connection->tcp, uv_tcp_getpeername);
  if (!serves_ || address.empty()) return destroy(*connection);
  uv_tcp_nodelay(&connection->tcp, 1);
  uv_tcp_keepalive(&connection->tcp, 1, kKeepAliveSeconds);
  const std::uint32_t peer = owner_->opened(address, address_of(connection->tcp, uv_tcp_getsockname));
  if (connection->is_closing()) return;
  if (peer == 0) return destroy(*connection);
  connection->peer = peer;
  by_peer_[peer] = connection;
  read_on(*connection);
}

// ---- the shard ----------------------------------------------------------------------------------------------------------------

void RespSockets::serve(Shard& shard, const Service& service) {
  shard_ = &shard;
  serves_ = true;
  service_ = service;
  polling_ = Polling(service.poll_ms);
  clock_offset_ms_ = static_cast<double>(uv_hrtime()) / 1e6 - service.monotonic_ms;
}

void RespSockets::shard_is_gone() {
  shard_ = nullptr;
  serves_ = in_turn_ = false;
  destroy_all();
}

void RespSockets::keep_own(std::vector<std::uint32_t>& peers) {
  std::erase_if(peers, [this](std::uint32_t peer) {
    Connection* connection = find(peer);
    if (connection != nullptr) ready(*connection);
    return connection != nullptr;
  });
}

void RespSockets::flush(double until_ms) {
  if (shard_ == nullptr) return;
  if (!std::isfinite(until_ms) || now_ms() < until_ms) {
    for (Connection* connection : ready_) {
      connection->is_ready = false;
      write(*connection);
    }
    ready_.clear();
  }
  if (paused_.empty()) return;
  std::erase_if(paused_, [this](Connection* connection) {
    if (!shard_->door().wants_input(connection->peer)) return false;
    connection->is_paused = false;
    read_on(*connection);
    return true;
  });
}

Now RespSockets::now() const {
  // As Date.now(): whole milliseconds.
  const auto wall = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  return {.wall_ms = static_cast<double>(wall.count()), .monotonic_ms = now_ms()};
}

// ---- turns --------------------------------------------------------------------------------------------------------------------

void RespSockets::begin() {
  if (std::exchange(in_turn_, true)) return;
  turn_bytes_ = 0;
  turn_core_ms_ = 0;
  shard_->begin(now());
}

void RespSockets::read(Connection& connection, ssize_t size) {
  if (size == 0) return;
  if (size > 0) {
    begin();
    const double began_ms = now_ms();
    shard_->take(connection.peer, {buffer_.data(), static_cast<std::size_t>(size)});
    turn_core_ms_ += now_ms() - began_ms;
    turn_bytes_ += static_cast<std::size_t>(size);
    if (!shard_->door().wants_input(connection.peer)) pause(connection);
    if (turn_bytes_ >= kTurnBytes) end_turn();
    return;
  }
  uv_read_stop(stream_of(connection.tcp));
  if (size != UV_EOF) return destroy(connection);
  if (in_turn_) end_turn();
  if (owner_ != nullptr && !connection.is_ending && !connection.is_closing()) owner_->ended(connection.peer);
}

void RespSockets::end_turn() {
  in_turn_ = false;
  const double began_ms = now_ms();
  std::vector<std::uint32_t> others = shard_->finish();
  const double ended_ms = now_ms();
  turn_core_ms_ += ended_ms - began_ms;
  core_ms_ += turn_core_ms_;
  if (turn_core_ms_ > kLongTurnMs) ++long_turns_;
  if (turn_bytes_ > 0 && polling_.on()) {
    polling_.came(ended_ms);
    if (idle_ != nullptr) uv_idle_start(&idle_->handle, [](uv_idle_t*) {});
  }
  keep_own(others);
  if (needs_owner(others)) {
    tells_owner_ = false;
    owner_->turned(others);
  } else {
    flush();
  }
  if (shard_ == nullptr || owner_ == nullptr || shard_->next_deadline_ms() >= deadline_told_ms_) return;
  deadline_told_ms_ = -std::numeric_limits<double>::infinity();  // it will look
  owner_->wake();
}

bool RespSockets::needs_owner(const std::vector<std::uint32_t>& others) {
  if (owner_ == nullptr) return false;
  return !others.empty() || service_.leased || tells_owner_ || shard_->any_log() || shard_->door().wants_any() ||
         !shard_->wanted_shards().empty();
}

// At the end of a turn of the event loop.
void RespSockets::checked() {
  if (in_turn_) end_turn();
  if (idle_ != nullptr && uv_is_active(handle_of(idle_->handle)) != 0 && !polling_.awake(now_ms())) uv_idle_stop(&idle_->handle);
}

// ---- reading and writing ------------------------------------------------------------------------------------------------------

RespSockets::Connection* RespSockets::find(std::uint32_t peer) {
  const auto found = by_peer_.find(peer);
  return found == by_peer_.end() ? nullptr : found->second;
}

void RespSockets::read_on(Connection& connection) {
  if (connection.is_ending || connection.is_closing()) return;
  uv_read_start(
      stream_of(connection.tcp),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        auto& bytes = Connection::of(handle).sockets->buffer_;
        *buffer = uv_buf_init(bytes.data(), bytes.size());
      },
      [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
        Connection& connection = Connection::of(stream);
        connection.sockets->read(connection, size);
      });
}

void RespSockets::pause(Connection& connection) {
  uv_read_stop(stream_of(connection.tcp));
  if (!std::exchange(connection.is_paused, true)) paused_.push_back(&connection);
}

void RespSockets::ready(Connection& connection) {
  if (!std::exchange(connection.is_ready, true)) ready_.push_back(&connection);
}

void RespSockets::write(Connection& connection) {
  if (connection.is_ending || connection.is_closing() || !connection.rest.empty()) return;
  while (shard_->door().drain(connection.peer, out_)) {
    const uv_buf_t buffer = uv_buf_init(out_.data(), static_cast<unsigned>(out_.size()));
    const int size = uv_try_write(stream_of(connection.tcp), &buffer, 1);
    if (size < 0 && size != UV_EAGAIN) return destroy(connection);
    const auto written = static_cast<std::size_t>(std::max(size, 0));
    if (written < out_.size()) {
      connection.rest.swap(out_);
      connection.rest_written = written;
      block(connection);
      return write_piece(connection);
    }
    if (out_.capacity() > kBufferBytesMax) out_ = {};
  }
  if (shard_->door().closed(connection.peer)) end(connection);
}

void RespSockets::write_piece(Connection& connection) {
  const std::size_t size = std::min(connection.rest.size() - connection.rest_written, kPieceBytes);
  const uv_buf_t buffer = uv_buf_init(connection.rest.data() + connection.rest_written, static_cast<unsigned>(size));
  connection.rest_written += size;
  const int error = uv_write(&connection.writing, stream_of(connection.tcp), &buffer, 1, [](uv_write_t* request, int status) {
    Connection& connection = Connection::of(request->handle);
    connection.sockets->written(connection, status);
  });
  if (error != 0) destroy(connection);
}

void RespSockets::written(Connection& connection, int status) {
  if (connection.is_closing()) return;
  if (status != 0) return destroy(connection);
  connection.blocked_since_ms = now_ms();
  if (connection.rest_written < connection.rest.size()) return write_piece(connection);
  connection.rest = {};
  if (std::exchange(connection.is_blocked, false)) std::erase(blocked_, &connection);
  if (connection.is_ending) return shut(connection);
  if (shard_ == nullptr) return;
  // It takes more, and what had to wait for that goes on: commands of its own, and those on links to other doors.
  ready(connection);
  tells_owner_ = true;
  begin();
}

void RespSockets::block(Connection& connection) {
  connection.blocked_since_ms = now_ms();
  if (!std::exchange(connection.is_blocked, true)) blocked_.push_back(&connection);
  if (timer_ != nullptr && uv_is_active(handle_of(timer_->handle)) == 0) drop_blocked_in(service_.blocked_ms);
}

void RespSockets::drop_blocked_in(double ms) {
  uv_timer_start(
      &timer_->handle,
      [](uv_timer_t* timer) { static_cast<Held<uv_timer_t>*>(uv_handle_get_data(handle_of(*timer)))->sockets->drop_blocked(); },
      static_cast<std::uint64_t>(std::ceil(ms)), 0);
}

void RespSockets::drop_blocked() {
  double oldest_ms = std::numeric_limits<double>::infinity();
  const double limit_ms = now_ms() - service_.blocked_ms;
  for (Connection* connection : std::vector(blocked_)) {
    if (connection->blocked_since_ms <= limit_ms) {
      destroy(*connection);
    } else {
      oldest_ms = std::min(oldest_ms, connection->blocked_since_ms);
    }
  }
  if (std::isfinite(oldest_ms)) drop_blocked_in(oldest_ms - limit_ms);
}

// ---- ends ---------------------------------------------------------------------------------------------------------------------

void RespSockets::end(std::uint32_t peer) {
  if (Connection* connection = find(peer)) end(*connection);
}

void RespSockets::destroy(std::uint32_t peer) {
  if (Connection* connection = find(peer)) destroy(*connection);
}

void RespSockets::end_all() {
  for (Connection* connection : std::vector(connections_)) end(*connection);
}

void RespSockets::destroy_all() {
  for (Connection* connection : std::vector(connections_)) destroy(*connection);
}

void RespSockets::end(Connection& connection) {
  if (connection.is_closing() || std::exchange(connection.is_ending, true)) return;
  uv_read_stop(stream_of(connection.tcp));
  // A client that has been told why is not waited for.
  if (std::exchange(connection.is_blocked, false)) std::erase(blocked_, &connection);
  if (connection.rest.empty()) shut(connection);
}

void RespSockets::shut(Connection& connection) {
  const int error = uv_shutdown(&connection.shutting, stream_of(connection.tcp), [](uv_shutdown_t* request, int) {
    Connection& connection = Connection::of(request->handle);
    connection.sockets->destroy(connection);
  });
  if (error != 0) destroy(connection);
}

void RespSockets::destroy(Connection& connection) {
  if (connection.is_closing()) return;
  if (std::exchange(connection.is_blocked, false)) std::erase(blocked_, &connection);
  if (std::exchange(connection.is_paused, false)) std::erase(paused_, &connection);
  uv_close(handle_of(connection.tcp), [](uv_handle_t* handle) {
    Connection& connection = Connection::of(handle);
    const std::shared_ptr<RespSockets> sockets = connection.sockets;
    sockets->closed(connection);
  });
}

void RespSockets::closed(Connection& connection) {
  const std::unique_ptr<Connection> own(&connection);
  if (connection.is_ready) std::erase(ready_, &connection);
  connections_.back()->place = connection.place;
  std::swap(connections_[connection.place], connections_.back());
  connections_.pop_back();
  if (connection.peer != 0) by_peer_.erase(connection.peer);
  if (owner_ != nullptr && connection.peer != 0) owner_->gone(connection.peer);
  if (owner_ != nullptr && connections_.empty()) owner_->emptied();
  closed_one();
}

}  // namespace claret

#include "door/door.h"

#include <algorithm>
#include <limits>

#include "door/run.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "resp/command_keys.h"
#include "resp/request_writer.h"

namespace claret {

namespace {

constexpr std::string_view kWatchesSeveral = "CROSSSLOT WATCH needs all keys of the transaction on one shard";

constexpr std::string_view kAboutConnection =
    "CROSSSLOT CLIENT and HELLO in a transaction need all its keys at the shard of the connection";

constexpr std::string_view kWaitsAtSeveral = "CROSSSLOT A command that waits needs all its keys on one shard";

// Noted for a key whose version another door has: no record here has it.
constexpr std::uint64_t kVersionElsewhere = std::numeric_limits<std::uint64_t>::max();

// It asks for the state of the connection, or changes it: the door to which a transaction is sent has another one.
bool is_about_connection(const resp::QueuedCommand& command) {
  return command.own() && (command.spec().name.starts_with("client") || command.spec().name == "hello");
}

// FLUSHALL [ASYNC | SYNC]: there is no difference.
bool may_flush(resp::Arguments arguments) {
  return arguments.size() == 1 ||
         (arguments.size() == 2 && (resp::same_name(arguments[1], "async") || resp::same_name(arguments[1], "sync")));
}

}  // namespace

void DoorSession::run_again() { door.run_again(*this); }
void DoorSession::give_up(Error error) { door.give_up(*this, error); }

Door::Door(const Shard& shard, std::function<void(std::uint32_t)> has_output) : shard_(shard), has_output_(std::move(has_output)) {}

Door::~Door() = default;

void Door::open(DoorOptions options) {
  options_ = std::move(options);
  is_open_ = true;
  opened_ms_ = shard_.clock.wall_ms();
}

// ---- peers ------------------------------------------------------------------------------------------------------------------

void Door::connect(std::uint32_t peer, std::string address, std::string local_address) {
  CLARET_CHECK(is_open_);
  resp::ConnectionOptions options{.id = ++clients_made_, .address = std::move(address), .local_address = std::move(local_address)};
  options.limits.output = kUnreadOutputMax;
  auto session = std::make_unique<DoorSession>(*this, peer, door_commands(), *this, std::move(options));
  session->name = "redis";
  sessions_.insert_or_assign(peer, std::move(session));
}

void Door::take(std::uint32_t peer, std::string_view bytes) {
  if (const auto link = links_by_peer_.find(peer); link != links_by_peer_.end()) {
    take_answers(*link->second, bytes);
    return;
  }
  DoorSession& session = *sessions_.at(peer);
  work(session, [&] { session.connection.take(bytes); });
}

bool Door::wants_input(std::uint32_t peer) const {
  if (const auto link = links_by_peer_.find(peer); link != links_by_peer_.end()) {
    const DoorSession* client = link->second->client;
    if (client == nullptr) return true;
    const auto& owed = link->second->owed;
    // Nothing that has come can leave before what is owed first.
    const bool is_first = !owed.empty() && owed.front() == client->places_gone;
    return is_first ? client->output_bytes() < unread_max() : !is_unread(*client);
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return true;
  return found->second->connection.wants_input() && !is_unread(*found->second);
}

void Door::disconnect(std::uint32_t peer) {
  if (const auto link = links_by_peer_.find(peer); link != links_by_peer_.end()) {
    const std::uint32_t number = link->second->number;
    lose_link(*link->second);
    links_by_peer_.erase(peer);
    links_.erase(number);
    return;
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return;
  shard_.natives.lose(*found->second);
  end_block(*found->second);
  for (const auto& [address, number] : found->second->links) end_link(*links_.at(number));
  for (const auto& [number, spread] : spreads_) {
    if (spread->session() == found->second.get()) spread->leave();
  }
  std::erase(ready_, peer);
  unread_bytes_ -= found->second->counted_bytes;
  sessions_.erase(found);
}

bool Door::closed(std::uint32_t peer) const {
  if (const auto link = links_by_peer_.find(peer); link != links_by_peer_.end()) return link->second->closing;
  const auto found = sessions_.find(peer);
  return found != sessions_.end() && found->second->connection.closing() && found->second->output_bytes() == 0;
}

bool Door::drain(std::uint32_t peer, std::string& bytes) {
  bytes.clear();
  if (const auto link = links_by_peer_.find(peer); link != links_by_peer_.end()) {
    link->second->has_output = false;
    bytes.swap(link->second->out);
    return !bytes.empty();
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return false;
  DoorSession& session = *found->second;
  session.has_output = false;
  const std::uint64_t durable = shard_.journal.durable();
  if (session.out_needs > durable) session.seal();  // later output depends on later entries, and must not delay this
  while (!session.full.empty() && session.full.front().needs <= durable) {
    bytes += session.full.front().bytes;
    session.full_bytes -= session.full.front().bytes.size();
    session.full.pop_front();
  }
  if (session.full.empty()) {
    if (bytes.empty()) {
      bytes.swap(session.out);
    } else {
      bytes += session.out;
      session.out.clear();
    }
  }
  session.leaving_bytes = bytes.size();
  count_unread(session);
  const bool may_go_on = session.is_full && !session.is_ready;
  if (may_go_on && session.output_bytes() < unread_max()) {
    session.is_ready = true;
    ready_.push_back(peer);
  }
  return !bytes.empty();
}

void Door::durable() {
  const std::uint64_t durable = shard_.journal.durable();
  for (const auto& [peer, session] : sessions_) {
    if (!session->full.empty() && session->full.front().needs <= durable) tell_output(*session);
  }
}

void Door::refuse_changes() {
  for (const auto& [peer, session] : sessions_) {
    const std::uint64_t durable = shard_.journal.durable();
    if (session->out_needs <= durable && (session->full.empty() || session->full.back().needs <= durable)) continue;
    session->drop_output();
    drop_places(*session);
    count_unread(*session);
    session->is_cut = true;
    session->connection.close();
    shard_.natives.lose(*session);
    end_block(*session);
    tell_output(*session);
  }
}

void Door::tell_output(DoorSession& session) {
  if (session.has_output) return;
  session.has_output = true;
  has_output_(session.peer);
}

// ---- running ----------------------------------------------------------------------------------------------------------------

template <typename Step>
void Door::work(DoorSession& session, Step step) {
  current_ = &session;
  session.connection.hold(is_unread(session));
  session.connection.limit_output(unread_max());
  const std::size_t placed = session.places.size();
  shard_.natives.open(session);
  step();
  const std::uint64_t needs = shard_.natives.close();
  for (std::size_t n = placed; n < session.places.size(); ++n) {
    if (session.places[n].is_there) session.places[n].needs = needs;
  }
  hand_over(session, needs);
  current_ = nullptr;
}

void Door::hand_over(DoorSession& session, std::uint64_t needs) {
  std::string& output = session.connection.output();
  if (session.is_cut) output.clear();
  session.is_full = output.size() + session.output_bytes() >= unread_max();
  if (!output.empty()) {
    session.depend_on(needs, shard_.journal.durable());
    if (session.out.empty()) {
      session.out.swap(output);
    } else {
      session.out += output;
    }
    output.clear();
  }
  count_unread(session);
  if (!session.out.empty() || session.connection.closing()) tell_output(session);
}

void Door::finish() {
  // What goes on may put something where others wait for it.
  do {
    go_on();
    serve_blocked();
  } while (!ready_.empty());
}

void Door::go_on() {
  for (const std::uint32_t peer : std::exchange(ready_, {})) {
    const auto found = sessions_.find(peer);
    if (found == sessions_.end()) continue;
    DoorSession& session = *found->second;
    const bool is_answered = std::exchange(session.is_answered, false);
    // More may be owed again.
    const bool is_settled = std::exchange(session.is_settled, false) && session.places.empty() && session.connection.pends();
    session.is_ready = false;
    work(session, [&] {
      if (is_settled) session.connection.settle();
      if (is_answered) session.connection.resume();
      if (!is_settled && !is_answered) session.connection.drained();
    });
  }
}

void Door::answered(DoorSession& session) {
  session.is_answered = session.is_ready = true;
  ready_.push_back(session.peer);
}

void Door::run_again(DoorSession& session) {
  bool is_done = false;
  work(session, [&] {
    const HeldCommand& held = session.waiting;
    const std::size_t begin = session.connection.output().size();
    shard_.natives.begin_command(held.is_exec() ? std::string_view("exec") : held.spec().name);
    const Route route = held.is_exec() ? route_of(held.queued(), held.watched()) : route_of(held.spec(), held.arguments());
    if (route.place != At::kHere) {  // a slot has moved while it waited
      session.connection.reply().error("TRYAGAIN The slots of the keys move to other shards");
      is_done = true;
    } else if (held.is_exec()) {
      is_done = execute_here(session, held.queued(), held.watched());
    } else {
      is_done = run_here(session, held.spec(), held.arguments()) && !goes_on_elsewhere(session, held.spec());
    }
    if (is_done) put_in_place(session, begin);
  });
  if (!is_done) return;
  end_block(session);
  answered(session);
}

void Door::give_up(DoorSession& session, const Error& error) {
  session.to_flush.clear();
  const std::size_t begin = session.connection.output().size();
  session.connection.reply().error(redis_error(error));
  put_in_place(session, begin);
  hand_over(session, 0);
  end_block(session);
  answered(session);
}

resp::Backend::Ran Door::run(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) {
  DoorSession& session = current();
  shard_.natives.begin_command(spec.name);
  if (!session.forwarded) ++shard_.counters.totals.redis_commands;  // else its client's door has counted it
  if (is_of_door(spec)) {
    if (is_mark_of_link(spec)) {
      session.forwarded = true;
      connection.reply().ok();
      return Ran::kReplied;
    }
    if (is_scan(spec)) return scan(session, arguments);
    if (!is_flush(spec)) return keys(session, arguments), Ran::kReplied;
    if (!may_flush(arguments)) return connection.reply().error(resp::kSyntaxError), Ran::kReplied;
    for (std::size_t node = 0; node < view_.nodes.size() && !session.forwarded; ++node) {
      if (node != view_.own && view_.nodes[node].port != 0) session.to_flush.push_back(node);
    }
  }
  const Route route = route_of(spec, arguments);
  if (route.place != At::kHere) {
    if (const std::string error = session.forwarded ? moved(route) : hindrance(route); !error.empty()) {
      connection.reply().error(error);
      return Ran::kReplied;
    }
    if (route.place == At::kSeveral) {
      if (spec.has(resp::CommandFlag::kBlocking)) return connection.reply().error(kWaitsAtSeveral), Ran::kReplied;
      session.waiting.hold(spec, arguments);
      return spread(session);
    }
    std::string request;
    resp::append_request(request, arguments);
    const bool is_write = spec.has(resp::CommandFlag::kWrite);
    // What is behind one that blocks comes after it.
    if (!connection.may_pend() || spec.has(resp::CommandFlag::kBlocking)) return send_on(session, route, request, 0, is_write);
    send_on(session, route, request, 0, is_write);
    session.waits_for_answer = false;
    return Ran::kPending;
  }
  const std::size_t begin = connection.output().size();
  if (!run_here(session, spec, arguments)) {
    session.waiting.hold(spec, arguments);
    return Ran::kWaits;
  }
  put_in_place(session, begin);
  return goes_on_elsewhere(session, spec) ? Ran::kWaits : Ran::kReplied;
}

bool Door::run_here(DoorSession& session, const resp::CommandSpec& spec, resp::Arguments arguments, bool may_block) {
  if (!is_flush(spec)) return DoorRun(*this, session, spec, arguments).run(may_block);
  return flush_here(session);
}

bool Door::goes_on_elsewhere(DoorSession& session, const resp::CommandSpec& spec) { return is_flush(spec) && flush_next(session); }

bool Door::flush_here(DoorSession& session) {
  std::vector<std::string> keys;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    for (const Record* record = shard_.records.newest_in(slot); record != nullptr; record = record->next_in_slot) {
      if (!is_vacant(*record)) keys.push_back(record->key);
    }
  }
  const auto has_failed = [&](const Natives::Executed& executed) {
    if (executed.error == nullptr) return false;
    session.to_flush.clear();
    session.connection.reply().error(redis_error(*executed.error));
    return true;
  };
  for (const std::string& key : keys) {
    const auto cleared = shard_.natives.clear(key, false, session);
    if (cleared.waits()) return false;
    if (has_failed(cleared)) return true;
  }
  const OperationSpec* deletion = record_operations().find(record_operation::kDelete);
  Call call{.operation = deletion, .arguments = {}};
  for (const std::string& key : keys) {
    const auto deleted = shard_.natives.execute(key, record_operations(), call, session);
    CLARET_CHECK(!deleted.waits());  // its key was cleared
    if (has_failed(deleted)) return true;
  }
  if (session.to_flush.empty()) session.connection.reply().ok();
  return true;
}

// ---- MULTI, EXEC, WATCH -----------------------------------------------------------------------------------------------------

std::uint64_t Door::version(std::string_view key) {
  shard_.natives.look(key);  // what has expired has changed
  return shard_.records.changed_at(shard_.records.find(key), slot_of(key));
}

resp::Backend::Ran Door::watch(resp::Connection& connection, resp::Arguments keys) {
  DoorSession& session = current();
  shard_.natives.begin_command("watch");
  for (const auto key : keys) {
    if (const std::string fault = fault_of_key(key); !fault.empty()) {
      connection.reply().error(fault);
      return Ran::kReplied;
    }
  }
  Route route;
  for (const auto key : keys) route.join(route_of(key));
  for (const auto& [key, version] : connection.queue().watched()) route.join(route_of(key));
  std::string error = session.forwarded ? moved(route) : hindrance(route);
  if (error.empty() && route.place == At::kSeveral) error = kWatchesSeveral;
  if (!error.empty()) {
    connection.reply().error(error);
    return Ran::kReplied;
  }
  const bool is_first = connection.queue().watched().empty();
  if (route.place == At::kHere) {
    if (is_first) session.watched_at = 0;
    return Backend::watch(connection, keys);
  }
  // The version is noted there. Here the key is noted, so that EXEC goes there too.
  std::string requests;
  std::uint32_t dropped = 0;
  if (is_first) {
    resp::append_request(requests, {"UNWATCH"});
    ++dropped;
  }
  std::vector<std::string_view> words = {"WATCH"};
  words.insert(words.end(), keys.begin(), keys.end());
  resp::append_request(requests, words);
  for (const auto key : keys) connection.note(key, kVersionElsewhere);
  const std::uint32_t link = link_to(session, view_.nodes[route.node]).number;
  session.watched_at = is_first || session.watched_at == link ? link : kNoVersions;
  session.sends_watch = true;
  return send_on(session, route, requests, dropped, false);
}

resp::Backend::Ran Door::execute(resp::Connection& connection, std::span<const resp::QueuedCommand> commands,
                                 const resp::WatchedKeys& watched) {
  DoorSession& session = current();
  const Route route = route_of(commands, watched);
  shard_.natives.begin_command("exec");
  if (!session.forwarded) shard_.counters.totals.redis_commands += commands.size();
  if (route.place == At::kHere) {
    if (execute_here(session, commands, watched)) return Ran::kReplied;
    session.waiting.hold(commands, watched);
    return Ran::kWaits;
  }
  std::string error = session.forwarded ? moved(route) : hindrance(route);
  if (error.empty() && route.place == At::kSeveral && !watched.empty()) error = kWatchesSeveral;
  if (error.empty() && std::any_of(commands.begin(), commands.end(), is_about_connection)) error = kAboutConnection;
  if (!error.empty()) {
    connection.reply().error(error);
    return Ran::kReplied;
  }
  if (route.place == At::kSeveral) {
    session.waiting.hold(commands, watched);
    return spread(session);
  }
  if (!watched.empty() && !has_versions(session, view_.nodes[route.node])) {
    connection.reply().null_array();  // whether something has changed is not known any more
    return Ran::kReplied;
  }
  std::string requests;
  std::uint32_t dropped = 1;
  if (watched.empty()) {
    resp::append_request(requests, {"UNWATCH"});
    ++dropped;
  }
  resp::append_request(requests, {"MULTI"});
  for (const auto& command : commands) resp::append_request(requests, command.arguments());
  resp::append_request(requests, {"EXEC"});
  return send_on(session, route, requests, dropped + static_cast<std::uint32_t>(commands.size()), true);
}

std::optional<bool> Door::clear_keys(DoorSession& session, std::span<const resp::QueuedCommand> commands,
                                     const resp::WatchedKeys& watched) {
  const auto clear = [&](std::string_view key, bool observes) -> std::optional<bool> {
    const auto cleared = shard_.natives.clear(key, observes, session);
    if (cleared.waits()) return std::nullopt;
    if (cleared.error != nullptr) session.connection.reply().error(redis_error(*cleared.error));
    return cleared.error == nullptr;
  };
  for (const auto& [key, version] : watched) {
    if (const auto cleared = clear(key, true); cleared != true) return cleared;
  }
  for (const auto& command : commands) {
    if (command.own()) continue;
    const bool observes = !command.spec().has(resp::CommandFlag::kWrite);
    const auto keys = resp::CommandKeys::of(command.spec(), command.arguments());
    for (std::size_t n = 0; keys && n < keys->size(); ++n) {
      if (const auto cleared = clear(command.arguments()[keys->place(n)], observes); cleared != true) return cleared;
    }
  }
  return true;
}

bool Door::execute_here(DoorSession& session, std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched) {
  const std::optional<bool> cleared = clear_keys(session, commands, watched);
  if (cleared != true) return cleared.has_value();
  resp::ReplyWriter& reply = session.connection.reply();
  for (const auto& [key, noted] : watched) {
    if (version(key) == noted) continue;
    reply.null_array();
    return true;
  }
  reply.array(commands.size());
  for (const auto& command : commands) {
    if (command.own()) {
      session.connection.run_queued(command);
    } else {
      const bool is_done = run_here(session, command.spec(), command.arguments(), false);
      CLARET_CHECK(is_done);  // its keys were cleared
    }
  }
  return true;
}

}  // namespace claret

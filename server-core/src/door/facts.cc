// The door, continued: what it tells of the server, and what it asks of all commands.
#include <array>
#include <cstdint>
#include <string>

#include "adt/check.h"
#include "door/door.h"
#include "gate/record_operations.h"
#include "ground/utf8.h"
#include "resp/command_keys.h"
#include "wire/limits.h"

namespace claret {

namespace {

void line(std::string& text, std::string_view name, std::string_view value) { text.append(name).append(":").append(value).append("\r\n"); }
void line(std::string& text, std::string_view name, std::uint64_t value) { line(text, name, std::to_string(value)); }

// Whether a section was asked for, by its name or with all others.
bool wants(resp::Arguments sections, std::string_view section) {
  if (sections.empty()) return true;
  for (const auto name : sections) {
    for (const std::string_view wanted : {section, std::string_view("all"), std::string_view("everything"), std::string_view("default")}) {
      if (resp::same_name(name, wanted)) return true;
    }
  }
  return false;
}

}  // namespace

std::string fault_of_key(std::string_view key) {
  if (key.empty() || key.size() > limits::kKeyBytesMax) return "ERR a key has 1 to " + std::to_string(limits::kKeyBytesMax) + " bytes";
  return is_valid_utf8(key) ? "" : "ERR keys of Claret are UTF-8 text";
}

std::string Door::fault_of(const resp::CommandSpec& spec, resp::Arguments arguments) const {
  for (const auto argument : arguments.subspan(1)) {
    if (argument.size() > kTextBytesMax) return "ERR string exceeds maximum allowed size (64 KiB)";
  }
  if (const auto keys = resp::has_keys(spec) ? resp::CommandKeys::of(spec, arguments) : std::nullopt) {
    for (std::size_t n = 0; n < keys->size(); ++n) {
      if (std::string fault = fault_of_key(arguments[keys->place(n)]); !fault.empty()) return fault;
    }
  }
  return options_.redirect ? hindrance(route_of(spec, arguments)) : "";
}

bool Door::refuses(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) {
  const std::string fault = fault_of(spec, arguments);
  if (fault.empty()) return false;
  connection.reply().error(fault);
  return true;
}

std::uint64_t Door::now_us() { return static_cast<std::uint64_t>(shard_.clock.wall_ms() * 1000); }

std::int64_t Door::keys() {
  shard_.natives.depend_on_all();
  return static_cast<std::int64_t>(shard_.records.present());
}

std::int64_t Door::keys_in_slot(std::uint32_t slot) {
  shard_.natives.depend_on_all();
  std::int64_t there = 0;
  for (const Record* record = shard_.records.newest_in(slot); record != nullptr; record = record->next_in_slot)
    there += !is_vacant(*record);
  return there;
}

std::vector<std::pair<std::string, std::string>> Door::configuration() {
  return {{"appendonly", shard_.journal.on() ? "yes" : "no"},
          {"databases", "1"},
          {"maxmemory", "0"},
          {"maxmemory-policy", "noeviction"},
          {"save", ""}};
}

std::string Door::info(resp::Arguments sections) {
  std::string text;
  const auto begin = [&](std::string_view title) {
    if (!text.empty()) text.append("\r\n");
    text.append("# ").append(title).append("\r\n");
  };
  if (wants(sections, "server")) {
    begin("Server");
    line(text, "redis_version", "7.0.15");
    line(text, "server_name", "claret");
    line(text, "redis_mode", cluster() == nullptr ? "standalone" : "cluster");
    line(text, "run_id", view_.nodes.empty() ? std::string(40, '0') : view_.nodes[view_.own].id);
    line(text, "uptime_in_seconds", static_cast<std::uint64_t>((shard_.clock.wall_ms() - opened_ms_) / 1000));
  }
  if (wants(sections, "clients")) {
    begin("Clients");
    line(text, "connected_clients", sessions_.size());
    line(text, "blocked_clients", blocked_.size());
  }
  if (wants(sections, "memory")) {
    begin("Memory");
    const std::uint64_t memory = options_.memory ? options_.memory() : 0;
    line(text, "used_memory", memory);
    line(text, "used_memory_rss", memory);
    line(text, "maxmemory", std::uint64_t{0});
    line(text, "maxmemory_policy", "noeviction");
  }
  if (wants(sections, "persistence")) {
    begin("Persistence");
    line(text, "loading", std::uint64_t{0});
    line(text, "aof_enabled", std::uint64_t{shard_.journal.on()});
  }
  if (wants(sections, "stats")) {
    begin("Stats");
    line(text, "total_connections_received", clients_made_);
    line(text, "total_commands_processed", shard_.counters.totals.redis_commands);
  }
  if (wants(sections, "replication")) {
    begin("Replication");
    line(text, "role", "master");
    line(text, "connected_slaves", std::uint64_t{0});
  }
  if (wants(sections, "cluster")) {
    begin("Cluster");
    line(text, "cluster_enabled", std::uint64_t{cluster() != nullptr});
  }
  if (wants(sections, "keyspace")) {
    begin("Keyspace");
    const std::size_t expire = shard_.records.expiries().size();
    if (const auto count = keys(); count > 0) {
      line(text, "db0", "keys=" + std::to_string(count) + ",expires=" + std::to_string(expire) + ",avg_ttl=0");
    }
  }
  return text;
}

std::string Door::clients(resp::Connection&) {
  std::string text;
  for (const auto& [peer, session] : sessions_) text += session->connection.describe();
  return text;
}

bool Door::accepts(std::string_view user, std::string_view password) {
  std::uint8_t differs = user != "default" || password.size() != options_.password.size();
  for (std::size_t i = 0; i < password.size(); ++i) {
    const char expected = options_.password.empty() ? '\0' : options_.password[i % options_.password.size()];
    differs |= static_cast<std::uint8_t>(password[i] ^ expected);
  }
  return differs == 0;
}

}  // namespace claret

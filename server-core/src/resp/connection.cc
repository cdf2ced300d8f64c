#include "resp/connection.h"

#include <utility>

#include "ground/check.h"

namespace claret::resp {

namespace {

constexpr std::size_t kQuotedBytes = 128;  // of a client's words in an error

// A text as C sees it.
std::string_view until_zero(std::string_view text) { return text.substr(0, text.find('\0')); }

std::string unknown_command(Arguments arguments) {
  std::string words;
  for (const auto argument : arguments.subspan(1)) {
    if (words.size() >= kQuotedBytes) break;
    const std::string_view shown = until_zero(argument.substr(0, kQuotedBytes - words.size()));
    words.append("'").append(shown).append("' ");
  }
  std::string error = "ERR unknown command '";
  error.append(until_zero(arguments[0].substr(0, kQuotedBytes))).append("', with args beginning with: ");
  return error.append(words);
}

std::string unknown_subcommand(std::string_view container, std::string_view name) {
  std::string error = "ERR unknown subcommand '";
  error.append(until_zero(name.substr(0, kQuotedBytes))).append("'. Try ");
  for (const char letter : container) error.push_back('a' <= letter && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter);
  return error.append(" HELP.");
}

// What is meant for another database must not go to this one.
std::string no_database(std::int64_t number) {
  return "ERR there is no database " + std::to_string(number) + ", only 0: nothing is read or changed until SELECT 0";
}

std::string wrong_arity(std::string_view name) {
  return std::string("ERR wrong number of arguments for '").append(name).append("' command");
}

// A browser can be made to send a request here, whose lines would then be commands.
bool is_of_http(std::string_view name) { return same_name(name, "post") || same_name(name, "host:"); }

}  // namespace

Backend::Ran Backend::watch(Connection& connection, Arguments keys) {
  for (const auto key : keys) connection.note(key, version(key));
  connection.reply().ok();
  return Ran::kReplied;
}

std::string Backend::clients(Connection& asking) { return asking.describe(); }

Connection::Connection(const CommandTable& table, Backend& backend, ConnectionOptions options)
    : table_(table), backend_(backend), options_(std::move(options)), parser_(options_.limits.requests) {
  client_.id = options_.id;
  client_.address = options_.address;
  client_.local_address = options_.local_address;
  client_.connected_us = client_.active_us = backend_.now_us();
  set_authenticated(!backend_.has_password());
}

void Connection::set_authenticated(bool authenticated) {
  authenticated_ = authenticated;
  parser_.set_authenticated(authenticated);
}

void Connection::set_replies(ReplyMode mode) {
  client_.replies = mode;
  reply_.mute(mode == ReplyMode::kOff || mode == ReplyMode::kSkip);
}

void Connection::reset() {
  queue_.end();
  client_.name.clear();
  client_.never_evicted = client_.never_touches = client_.reads_only = false;
  client_.asked_database = 0;
  if (client_.replies == ReplyMode::kOff) set_replies(ReplyMode::kOn);
  reply_.speak(2);
  set_authenticated(!backend_.has_password());
}

bool Connection::wants_input() const {
  return !closing_ && output_.size() < options_.limits.output && (!waits_ || parser_.unparsed() < options_.limits.kept_input);
}

void Connection::take(std::string_view chunk) {
  if (closing_) return;
  client_.active_us = backend_.now_us();
  parser_.feed(chunk);
  work();
}

void Connection::resume() {
  CLARET_CHECK(waits_ && !defers_);
  waits_ = false;
  if (closing_) return;
  end_command();
  work();
}

void Connection::settle() {
  CLARET_CHECK(pending_);
  pending_ = false;
  if (closing_) return;
  if (std::exchange(defers_, false)) run_deferred();
  work();
}

void Connection::defer(Arguments arguments) {
  deferred_.assign(arguments.begin(), arguments.end());
  waits_ = defers_ = true;
}

void Connection::run_deferred() {
  waits_ = false;
  const std::vector<std::string> words = std::exchange(deferred_, {});
  if (words.empty()) return;  // the parser repeats its error
  const std::vector<std::string_view> arguments(words.begin(), words.end());
  run(arguments);
  if (!waits_) end_command();
}

bool Connection::may_join(Arguments arguments) {
  if (queue_.open() || client_.replies != ReplyMode::kOn) return false;
  const CommandTable::Entry* entry = table_.find(arguments);
  return entry != nullptr && !entry->own && entry->spec->takes(arguments.size()) && backend_.joins(*this, *entry->spec, arguments);
}

void Connection::work() {
  while (!waits_ && !closing_ && !held_ && output_.size() < options_.limits.output) {
    switch (parser_.next()) {
      case RequestParser::Step::kCommand:
        run(parser_.arguments());
        if (!waits_) end_command();
        break;
      case RequestParser::Step::kMore:
        return;
      case RequestParser::Step::kTooLarge:
      case RequestParser::Step::kError:
        if (pending_) {
          defer({});
          break;
        }
        queue_.fail();
        reply_.error(parser_.error());
        if (!parser_.pass()) closing_ = true;
        end_command();
        break;
    }
  }
  parser_.keep();
}

void Connection::end_command() {
  if (std::exchange(executes_, false)) queue_.end();
  if (client_.replies == ReplyMode::kSkip) set_replies(ReplyMode::kOn);
  if (client_.replies == ReplyMode::kSkipNext) set_replies(ReplyMode::kSkip);
}

void Connection::run(Arguments arguments) {
  if (pending_ && !may_join(arguments)) return defer(arguments);
  if (is_of_http(arguments[0])) return close();
  const CommandTable::Entry* container = nullptr;
  const CommandTable::Entry* entry = find(arguments, container);
  if (entry == nullptr) {
    return reject(nullptr, container == nullptr ? unknown_command(arguments) : unknown_subcommand(container->spec->name, arguments[1]));
  }
  const CommandSpec& spec = *entry->spec;
  client_.last_command = spec.name;
  if (!spec.takes(arguments.size())) return reject(&spec, wrong_arity(spec.name));
  if (!authenticated_ && !spec.has(CommandFlag::kNoAuth)) return reject(&spec, "NOAUTH Authentication required.");
  const bool may_queue = !spec.has(CommandFlag::kNoMulti) && !spec.has(CommandFlag::kNotInMulti);
  if (queue_.open() && !may_queue) return reject(&spec, "ERR Command not allowed inside a transaction");
  if (!entry->own && client_.asked_database != 0) return reject(&spec, no_database(client_.asked_database));
  if (!entry->own && backend_.refuses(*this, spec, arguments)) return queue_.fail();
  if (queue_.open() && !spec.has(CommandFlag::kNeverQueued)) return enqueue(*entry, arguments);
  run_entry(*entry, arguments);
}

// Most commands come many times in a row, written in the same way.
const CommandTable::Entry* Connection::find(Arguments arguments, const CommandTable::Entry*& container) {
  if (last_entry_ != nullptr && arguments[0] == last_name_) return last_entry_;
  const CommandTable::Entry* entry = table_.find(arguments, &container);
  if (entry != nullptr && entry->subcommands.empty() && !table_.is_subcommand(*entry)) {
    last_entry_ = entry;
    last_name_.assign(arguments[0]);
  }
  return entry;
}

void Connection::run_entry(const CommandTable::Entry& entry, Arguments arguments) {
  if (entry.own) {
    static_cast<const OwnCommand*>(entry.spec->runner)->run(*this, arguments);
    executes_ = waits_ && entry.spec->name == "exec";
  } else {
    await(backend_.run(*this, *entry.spec, arguments));
  }
}

void Connection::run_queued(const QueuedCommand& command) {
  CLARET_CHECK(command.own());
  static_cast<const OwnCommand*>(command.spec().runner)->run(*this, command.arguments());
}

void Connection::enqueue(const CommandTable::Entry& entry, Arguments arguments) {
  const auto& limits = options_.limits;
  if (queue_.commands().size() >= limits.queued_commands || queue_.bytes() >= limits.queued_bytes) {
    return reject(entry.spec, "ERR too many commands queued by MULTI");
  }
  queue_.add(entry, arguments);
  reply_.simple("QUEUED");
}

void Connection::reject(const CommandSpec* spec, std::string_view error) {
  queue_.fail();
  if (spec == nullptr || spec->name != "exec") return reply_.error(error);
  queue_.end();
  if (error.starts_with("ERR ")) error.remove_prefix(4);
  reply_.error(std::string("EXECABORT Transaction discarded because of: ").append(error));
}

}  // namespace claret::resp

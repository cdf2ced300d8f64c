#include "door/spread.h"

#include <algorithm>
#include <utility>

#include "adt/check.h"
#include "adt/registry.h"
#include "adt/state_codec.h"
#include "door/door.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "resp/command_keys.h"

namespace claret {

namespace {

constexpr std::size_t kOperationsMax = 4096;
constexpr std::string_view kTooMany = "CROSSSLOT A transaction on several shards has at most 4096 operations";

constexpr std::string_view kNeedsChanged =
    "CROSSSLOT A command needs a record that an earlier one changes, which a transaction over several shards cannot";
constexpr std::string_view kNeedsOneShard = "CROSSSLOT A command of the transaction needs all keys on one shard";

void add_value(std::string& name, StateWriter& writer, const Value& value) {
  name.push_back(value.is_list() ? 'l' : 's');
  if (!value.is_list()) return writer.value(value);
  writer.count(value.list().size());
  for (const Value& item : value.list()) add_value(name, writer, item);
}

std::string name_of(std::string_view key, const DataType& type, const OperationSpec& operation, const std::vector<Value>& values) {
  std::string name;
  StateWriter writer(name);
  writer.text(key);
  name.push_back(static_cast<char>(type.id()));
  name.push_back(static_cast<char>(operation.id));
  for (const Value& value : values) add_value(name, writer, value);
  return name;
}

}  // namespace

class SpreadRun final : public CommandRun {
 public:
  SpreadRun(Spread& spread, resp::Arguments arguments)
      : CommandRun(arguments, spread.writer_, operands_), spread_(spread), begin_(spread.reply_.size()) {}

  const DataType* type_of(std::string_view key) override {
    if (const auto found = spread_.changed_.find(key); found != spread_.changed_.end()) return found->second;
    const Value& name = execute(key, record_operations(), record_operation::kType);
    return name.is_text() ? find_type(name.text()) : nullptr;
  }
  bool expires(std::string_view key) override { return expires_at_ms(key).has_value(); }
  std::size_t memory_of(std::string_view) override {
    end_all(kNeedsOneShard);
    return 0;
  }
  bool clear(std::string_view) override { return !stopped(); }
  bool block(double) override { return false; }  // in EXEC; the door refuses what may wait otherwise
  bool has_waited() override { return false; }
  std::int64_t now_ms() override { return spread_.now_ms_; }
  std::uint64_t draw(std::uint64_t below) override { return static_cast<std::uint64_t>(spread_.now_ms_) % below; }

 protected:
  const Value& execute_now(std::string_view key, const DataType& type, std::uint8_t operation, std::vector<Value>& operands) override {
    const OperationSpec* spec = type.find(operation);
    CLARET_CHECK(spec != nullptr);
    if (const auto error = check_call(type, *spec, operands)) {
      fail(redis_error(*error));
      return nothing();
    }
    if (++spread_.operations_ > kOperationsMax) {
      spread_.failure_ = kTooMany;
      stop();
      return nothing();
    }
    const bool overwrites = spec->operation_class == OperationClass::kBlind && spec->result == Kind::kVoid;
    if (spread_.changed_.contains(key) && !overwrites) {
      end_all(kNeedsChanged);
      return nothing();
    }
    WantedOperation wanted{.key = std::string(key), .type = &type, .operation = spec, .arguments = std::move(operands)};
    const bool observes = spec->operation_class == OperationClass::kObserve;
    return observes ? observe(std::move(wanted)) : change(std::move(wanted));
  }
  void fail_now(std::string_view error) override {
    spread_.reply_.resize(begin_);
    reply().error(error);
  }

 private:
  const DataType& record_operations() override { return claret::record_operations(); }

  const Value& observe(WantedOperation wanted) {
    std::string name = name_of(wanted.key, *wanted.type, *wanted.operation, wanted.arguments);
    if (const auto found = spread_.observed_.find(name); found != spread_.observed_.end()) return found->second;
    const Value* type = known_type(wanted.key);
    if (type != nullptr && type->absent()) return observe_nothing(std::move(name), wanted);
    const bool is_typed = !is_of_record(*wanted.type);
    if (is_typed && type == nullptr && (guesses_ || spread_.shared_.contains(wanted.key))) {
      want_type(wanted.key);
    } else if (!guesses_ || !is_typed || type->text() == wanted.type->name()) {
      want(std::move(name), std::move(wanted));
    }
    guesses_ = true;
    return nothing();
  }

  // Null: nobody has asked for it.
  const Value* known_type(const std::string& key) const {
    const OperationSpec* operation = claret::record_operations().find(record_operation::kType);
    const auto found = spread_.observed_.find(name_of(key, claret::record_operations(), *operation, {}));
    return found == spread_.observed_.end() ? nullptr : &found->second;
  }

  const Value& observe_nothing(std::string name, const WantedOperation& wanted) {
    const std::unique_ptr<State> empty = is_of_record(*wanted.type) ? nullptr : wanted.type->create();
    const Call call{.operation = wanted.operation, .arguments = wanted.arguments};
    Outcome outcome = execute_on_nothing(empty.get(), *wanted.type, call, spread_.context_);
    if (outcome.refused()) {
      fail(redis_error({.code = outcome.refusal().code, .message = outcome.refusal().message}));
      return nothing();
    }
    return spread_.observed_.insert_or_assign(std::move(name), outcome.take_result()).first->second;
  }

  void want(std::string name, WantedOperation wanted) {
    const bool is_new = spread_.wanted_names_.try_emplace(std::move(name), spread_.wanted_.size()).second;
    if (is_new) spread_.wanted_.push_back(std::move(wanted));
  }

  void want_type(const std::string& key) {
    const OperationSpec* operation = claret::record_operations().find(record_operation::kType);
    want(name_of(key, claret::record_operations(), *operation, {}),
         {.key = key, .type = &claret::record_operations(), .operation = operation, .arguments = {}});
  }

  const Value& change(WantedOperation wanted) {
    // A guess may be wrong, so this may never be asked for: the step is not the last one.
    if (guesses_) {
      spread_.is_cut_ = true;
      return nothing();
    }
    const Spread::Place place{spread_.command_, changes_++};
    spread_.changed_.insert_or_assign(wanted.key, is_of_record(*wanted.type) ? nullptr : wanted.type);
    if (const auto found = spread_.changes_.find(place); found != spread_.changes_.end()) return found->second.result;
    if (is_late(place, wanted.key)) {
      end_all(kNeedsChanged);
      return nothing();
    }
    guesses_ = wanted.operation->result != Kind::kVoid && !is_for_reply();
    if (spread_.is_cut_) return nothing();
    spread_.wanted_changes_.push_back(std::move(wanted));
    spread_.wanted_places_.push_back(place);
    return nothing();
  }

  // A later command has changed the record already.
  bool is_late(const Spread::Place& place, std::string_view key) const {
    return std::any_of(spread_.changes_.upper_bound(place), spread_.changes_.end(),
                       [&](const auto& later) { return later.second.key == key; });
  }

  void end_all(std::string_view failure) {
    if (!guesses_ && spread_.failure_.empty()) spread_.failure_ = failure;
    stop();
  }

  std::vector<Value> operands_;
  Spread& spread_;
  std::size_t begin_;
  std::size_t changes_ = 0;
  bool guesses_ = false;  // a result is missing: what follows may be wrong
};

Spread::Spread(DoorSession& session, std::int64_t now_ms, const Context& context) : session_(&session), now_ms_(now_ms), context_(context) {
  writer_.speak(session.connection.reply().protocol());
  if (!session.waiting.is_exec()) return;
  std::set<std::string_view> seen;
  for (const resp::QueuedCommand& command : session.waiting.queued()) {
    if (command.own()) continue;
    const auto keys = resp::CommandKeys::of(command.spec(), command.arguments());
    for (std::size_t n = 0; keys && n < keys->size(); ++n) {
      const std::string_view key = command.arguments()[keys->place(n)];
      if (!seen.insert(key).second) shared_.emplace(key);
    }
  }
}

void Spread::restart() {
  observed_.clear();
  changes_.clear();
}

void Spread::know(std::vector<Value> results) {
  for (const auto& [name, place] : wanted_names_) {
    if (place < results.size()) observed_.insert_or_assign(name, std::move(results[place]));
  }
  if (!wanted_names_.empty()) return;  // the changes come later
  for (std::size_t i = 0; i < std::min(results.size(), wanted_places_.size()); ++i) {
    changes_.at(wanted_places_[i]).result = std::move(results[i]);
  }
}

std::vector<WantedOperation> Spread::step() {
  CLARET_CHECK(session_ != nullptr);
  reply_.clear();
  failure_.clear();
  command_ = 0;
  is_cut_ = false;
  changed_.clear();
  wanted_.clear();
  wanted_names_.clear();
  operations_ = 0;
  wanted_changes_.clear();
  wanted_places_.clear();
  const HeldCommand& held = session_->waiting;
  if (held.is_exec()) {
    writer_.array(held.queued().size());
    for (const resp::QueuedCommand& command : held.queued()) {
      if (command.own()) {
        run_own(command);
      } else {
        run(command.spec(), command.arguments());
      }
      if (!failure_.empty()) return {};
      ++command_;
    }
  } else {
    run(held.spec(), held.arguments());
  }
  if (!failure_.empty()) return {};
  if (!wanted_.empty()) return std::move(wanted_);
  for (std::size_t i = 0; i < wanted_places_.size(); ++i) changes_.insert_or_assign(wanted_places_[i], Changed{wanted_changes_[i].key, {}});
  return std::move(wanted_changes_);
}

void Spread::run(const resp::CommandSpec& spec, resp::Arguments arguments) {
  SpreadRun command(*this, arguments);
  static_cast<const CommandRunner*>(spec.runner)->run(command);
}

// Its reply is written where those of the connection are.
void Spread::run_own(const resp::QueuedCommand& command) {
  std::string& output = session_->connection.output();
  const std::size_t begin = output.size();
  session_->connection.run_queued(command);
  reply_.append(output, begin);
  output.resize(begin);
}

}  // namespace claret

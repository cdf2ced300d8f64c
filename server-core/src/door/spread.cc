#include "door/spread.h"

#include "adt/check.h"
#include "adt/registry.h"
#include "door/door.h"
#include "gate/record_operations.h"
#include "ground/check.h"

namespace claret {

namespace {

constexpr std::string_view kNeedsChanged =
    "CROSSSLOT A command needs a record that an earlier one changes, which a transaction over several shards cannot";

}  // namespace

class SpreadRun final : public CommandRun {
 public:
  SpreadRun(Spread& spread, resp::Arguments arguments)
      : CommandRun(arguments, spread.writer_), spread_(spread), begin_(spread.reply_.size()) {}

  const DataType* type_of(std::string_view key) override {
    if (const auto found = spread_.changed_.find(key); found != spread_.changed_.end()) return found->second;
    const Value& name = execute(key, record_operations(), record_operation::kType);
    return name.is_text() ? find_type(name.text()) : nullptr;
  }
  bool expires(std::string_view key) override { return expires_at_ms(key).has_value(); }
  std::size_t memory_of(std::string_view) override { return 0; }  // no command with several keys asks for it
  bool clear(std::string_view) override { return !stopped(); }
  bool block(double) override { return false; }  // the door refuses what may wait
  bool has_waited() override { return false; }
  std::int64_t now_ms() override { return spread_.now_ms_; }
  std::uint64_t draw(std::uint64_t below) override { return static_cast<std::uint64_t>(spread_.now_ms_) % below; }

 protected:
  const Value& execute_now(std::string_view key, const DataType& type, std::uint8_t operation, std::vector<Value> values) override {
    static const Value kNothing;
    const OperationSpec* spec = type.find(operation);
    CLARET_CHECK(spec != nullptr);
    if (const auto error = check_call(type, *spec, values)) {
      fail(redis_error(*error));
      return kNothing;
    }
    const bool overwrites = spec->operation_class == OperationClass::kBlind && spec->result == Kind::kVoid;
    if (spread_.changed_.contains(key) && !overwrites) {
      fail(kNeedsChanged);
      return kNothing;
    }
    if (spec->operation_class != OperationClass::kObserve) {
      spread_.changed_.insert_or_assign(std::string(key), is_of_record(type) ? nullptr : &type);
    }
    if (spread_.place_ < spread_.results_.size()) return spread_.results_[spread_.place_++];
    spread_.wanted_ = {.key = std::string(key), .type = &type, .operation = spec, .arguments = std::move(values)};
    stop();
    return kNothing;
  }
  void fail_now(std::string_view error) override {
    spread_.reply_.resize(begin_);
    reply().error(error);
  }

 private:
  const DataType& record_operations() override { return claret::record_operations(); }

  Spread& spread_;
  std::size_t begin_;
};

Spread::Spread(DoorSession& session, std::int64_t now_ms) : session_(&session), now_ms_(now_ms) {
  writer_.speak(session.connection.reply().protocol());
}

std::optional<WantedOperation> Spread::step() {
  CLARET_CHECK(session_ != nullptr);
  reply_.clear();
  place_ = 0;
  changed_.clear();
  wanted_.reset();
  const HeldCommand& held = session_->waiting;
  if (!held.is_exec()) {
    run(held.spec(), held.arguments());
    return std::move(wanted_);
  }
  writer_.array(held.queued().size());
  for (const resp::QueuedCommand& command : held.queued()) {
    if (command.own()) {
      run_own(command);
    } else {
      run(command.spec(), command.arguments());
    }
    if (wanted_) break;
  }
  return std::move(wanted_);
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

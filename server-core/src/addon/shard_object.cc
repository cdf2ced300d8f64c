#include "shard_object.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "convert.h"

namespace claret {

namespace {

// After the first invalid option an exception is pending, and no JavaScript value may be read.
double number(const Napi::Object& object, const char* name) {
  if (object.Env().IsExceptionPending()) return 0;
  const Napi::Value value = object.Get(name);
  if (!value.IsNumber()) {
    Napi::TypeError::New(object.Env(), std::string("ShardOptions.") + name + " must be a number").ThrowAsJavaScriptException();
    return 0;
  }
  return value.As<Napi::Number>().DoubleValue();
}

bool flag(const Napi::Object& object, const char* name) {
  if (object.Env().IsExceptionPending()) return false;
  const Napi::Value value = object.Get(name);
  if (!value.IsBoolean()) {
    Napi::TypeError::New(object.Env(), std::string("ShardOptions.") + name + " must be a boolean").ThrowAsJavaScriptException();
    return false;
  }
  return value.As<Napi::Boolean>().Value();
}

double number_or(const Napi::Object& object, const char* name, double otherwise) {
  if (object.Env().IsExceptionPending() || object.Get(name).IsUndefined()) return otherwise;
  return number(object, name);
}

DigestKey digest_key(const Napi::Object& object) {
  DigestKey key{};
  if (object.Env().IsExceptionPending()) return key;
  const Napi::Value value = object.Get("digestKey");
  if (value.IsUndefined()) return key;
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().ByteLength() != key.size()) {
    Napi::TypeError::New(object.Env(), "ShardOptions.digestKey must have 16 bytes").ThrowAsJavaScriptException();
    return key;
  }
  const auto bytes = value.As<Napi::Uint8Array>();
  std::copy_n(bytes.Data(), key.size(), key.begin());
  return key;
}

double stopwatch_ms() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

ShardOptions read_options(const Napi::Object& object) {
  ShardOptions options;
  options.engine.place.shard = static_cast<std::uint32_t>(number(object, "shard"));
  options.engine.place.shards = static_cast<std::uint32_t>(number(object, "shards"));
  options.engine.incarnation = static_cast<std::uint64_t>(number(object, "incarnation"));
  options.engine.patience.phase_cap_ms = number(object, "phaseCapMs");
  options.engine.patience.wound_delay_ms = number(object, "woundDelayMs");
  options.engine.patience.wound_grace_ms = number(object, "woundGraceMs");
  options.engine.patience.idle_ms = number(object, "idleMs");
  options.engine.logged = flag(object, "logged");
  if (!object.Env().IsExceptionPending() && !object.Get("stopwatch").IsUndefined() && flag(object, "stopwatch")) {
    options.engine.stopwatch = stopwatch_ms;
  }
  options.engine.heat_hot = number_or(object, "heatHot", options.engine.heat_hot);
  options.session_lease_ms = number(object, "sessionLeaseMs");
  options.engine.warranties = {.term_ms = number_or(object, "warrantyTermMs", 0),
                               .firm_ms_max = number_or(object, "warrantyFirmMsMax", 0),
                               .uses_min = static_cast<std::uint64_t>(number_or(object, "warrantyUsesMin", 0)),
                               .digest_key = digest_key(object)};
  const PastSettings defaults;
  options.engine.past = {.keep_ms = number_or(object, "pastMs", defaults.keep_ms),
                         .bytes_max = static_cast<std::size_t>(number_or(object, "pastBytes", static_cast<double>(defaults.bytes_max)))};
  options.frame_bytes_max = static_cast<std::size_t>(number(object, "frameBytesMax"));
  options.output_bytes_max = static_cast<std::size_t>(number(object, "outputBytesMax"));
  return options;
}

void throw_problem(Napi::Env env, const std::optional<std::string>& problem) {
  if (problem) Napi::Error::New(env, *problem).ThrowAsJavaScriptException();
}

std::string qualified(const ConflictPair& pair, const OperationSpec& operation) {
  return std::string(pair.type->name()) + '.' + std::string(operation.name);
}

// False if one is not named that has to be, or has a value that it cannot have.
bool read_conditions(const Napi::Object& object, Conditions& conditions) {
  bool valid = true;
  for_each_condition(conditions, [&]<typename Value>(const ConditionField& field, Value& value, const auto& /*usual*/) {
    const Napi::Value given = object.Get(field.name);
    if (given.IsUndefined()) {
      valid = valid && !field.always;
    } else if constexpr (Choice<Value>) {
      const std::optional<Value> choice = choice_named<Value>(given.ToString().Utf8Value());
      valid = valid && choice;
      value = choice.value_or(value);
    } else {
      value = given.ToBoolean();
    }
  });
  return valid;
}

// "locks: rw | abstract; phasing: true | false; …"
std::string allowed_conditions() {
  std::string words;
  const Conditions usual;
  const auto add = [&words](std::string_view word, std::string_view before) { words.append(before).append(word); };
  for_each_condition(usual, [&]<typename Value>(const ConditionField& field, const Value& value, const auto& /*usual*/) {
    add(field.name, words.empty() ? "" : "; ");
    if constexpr (Choice<Value>) {
      std::string_view before = ": ";
      for (const std::string_view word : words_of(value)) add(word, std::exchange(before, " | "));
    } else {
      add("true | false", ": ");
    }
  });
  return words;
}

void set_records(const auto& set, const Records& records) {
  set("records", static_cast<double>(records.present()));
  set("vacantRecords", static_cast<double>(records.vacant()));
}

}  // namespace

Napi::Function ShardObject::Define(Napi::Env env) {
  return DefineClass(env, "Shard",
                     {
                         InstanceMethod("connect", &ShardObject::Connect),
                         InstanceMethod("disconnect", &ShardObject::Disconnect),
                         InstanceMethod("process", &ShardObject::Process),
                         InstanceMethod("restoreCheckpoint", &ShardObject::RestoreCheckpoint),
                         InstanceMethod("restore", &ShardObject::Restore),
                         InstanceMethod("restored", &ShardObject::Restored),
                         InstanceMethod("takeLog", &ShardObject::TakeLog),
                         InstanceMethod("logPosition", &ShardObject::LogPosition),
                         InstanceMethod("beginCheckpoint", &ShardObject::BeginCheckpoint),
                         InstanceMethod("takeCheckpoint", &ShardObject::TakeCheckpoint),
                         InstanceMethod("prepareCut", &ShardObject::PrepareCut),
                         InstanceMethod("setCut", &ShardObject::SetCut),
                         InstanceMethod("cut", &ShardObject::Cut),
                         InstanceMethod("callOffCut", &ShardObject::CallOffCut),
                         InstanceMethod("beginGive", &ShardObject::BeginGive),
                         InstanceMethod("takeGive", &ShardObject::TakeGive),
                         InstanceMethod("drainGive", &ShardObject::DrainGive),
                         InstanceMethod("isDrained", &ShardObject::IsDrained),
                         InstanceMethod("callOffDrain", &ShardObject::CallOffDrain),
                         InstanceMethod("callOffGive", &ShardObject::CallOffGive),
                         InstanceMethod("give", &ShardObject::GiveRun),
                         InstanceMethod("given", &ShardObject::Given),
                         InstanceMethod("settleGive", &ShardObject::SettleGive),
                         InstanceMethod("importPiece", &ShardObject::ImportPiece),
                         InstanceMethod("takeOver", &ShardObject::TakeOver),
                         InstanceMethod("hasTaken", &ShardObject::HasTaken),
                         InstanceMethod("dropImport", &ShardObject::DropImport),
                         InstanceMethod("slots", &ShardObject::Slots),
                         InstanceMethod("moves", &ShardObject::GetMoves),
                         InstanceMethod("setShards", &ShardObject::SetShards),
                         InstanceMethod("listWarranties", &ShardObject::ListWarranties),
                         InstanceMethod("recallWarranties", &ShardObject::RecallWarranties),
                         InstanceMethod("openDoor", &ShardObject::OpenDoor),
                         InstanceMethod("connectResp", &ShardObject::ConnectResp),
                         InstanceMethod("wantsInput", &ShardObject::WantsInput),
                         InstanceMethod("setRespNodes", &ShardObject::SetRespNodes),
                         InstanceMethod("wantedLinks", &ShardObject::WantedLinks),
                         InstanceMethod("connectLink", &ShardObject::ConnectLink),
                         InstanceMethod("wantedSpreads", &ShardObject::WantedSpreads),
                         InstanceMethod("restartSpread", &ShardObject::RestartSpread),
                         InstanceMethod("stepSpread", &ShardObject::StepSpread),
                         InstanceMethod("endSpread", &ShardObject::EndSpread),
                         InstanceMethod("durable", &ShardObject::Durable),
                         InstanceMethod("drain", &ShardObject::Drain),
                         InstanceMethod("closed", &ShardObject::Closed),
                         InstanceMethod("nextDeadlineMs", &ShardObject::NextDeadlineMs),
                         InstanceMethod("wantedShards", &ShardObject::WantedShards),
                         InstanceMethod("bindShard", &ShardObject::BindShard),
                         InstanceMethod("conditions", &ShardObject::GetConditions),
                         InstanceMethod("setConditions", &ShardObject::SetConditions),
                         InstanceMethod("changeType", &ShardObject::ChangeType),
                         InstanceMethod("installedTypes", &ShardObject::InstalledTypes),
                         InstanceMethod("catalogue", &ShardObject::GetCatalogue),
                         InstanceMethod("refuseChanges", &ShardObject::RefuseChanges),
                         InstanceMethod("setSkewed", &ShardObject::SetSkewed),
                         InstanceMethod("observe", &ShardObject::Observe),
                         InstanceMethod("takeTelemetry", &ShardObject::TakeTelemetry),
                         InstanceMethod("counters", &ShardObject::Counters),
                     });
}

ShardObject::ShardObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ShardObject>(info) {
  if (info.Length() < 1 || !info[0].IsObject()) {
    Napi::TypeError::New(info.Env(), "Shard takes an options object").ThrowAsJavaScriptException();
    return;
  }
  const ShardOptions options = read_options(info[0].As<Napi::Object>());
  if (info.Env().IsExceptionPending()) return;
  const ShardPlace& place = options.engine.place;
  if (place.shards < 1 || place.shards > kShardsMax || place.shard >= kShardsMax) {
    Napi::RangeError::New(info.Env(), "shards are numbered from 0 to 255, and slots dealt among 1 to 256").ThrowAsJavaScriptException();
    return;
  }
  shard_ = std::make_unique<Shard>(options);
}

ShardObject::~ShardObject() {
  if (sockets_) sockets_->shard_is_gone();
}

void ShardObject::serve(std::shared_ptr<RespSockets> sockets, const RespSockets::Service& service) {
  sockets_ = std::move(sockets);
  sockets_->serve(*shard_, service);
}

Napi::Array ShardObject::others(Napi::Env env, std::vector<std::uint32_t> peers) {
  if (sockets_) sockets_->keep_own(peers);
  return to_array(env, peers);
}

void ShardObject::Connect(const Napi::CallbackInfo& info) { shard_->connect(peer_of(info[0]), now_of(info, 1)); }

void ShardObject::Disconnect(const Napi::CallbackInfo& info) { shard_->disconnect(peer_of(info[0]), now_of(info, 1)); }

Napi::Value ShardObject::Process(const Napi::CallbackInfo& info) {
  const auto peers = info[0].As<Napi::Array>();
  const auto frames = info[1].As<Napi::Array>();
  shard_->begin(now_of(info, 2));
  const std::uint32_t count = frames.Length();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Napi::HandleScope scope(info.Env());
    const auto bytes = frames.Get(i).As<Napi::Uint8Array>();
    shard_->take(peer_of(peers.Get(i)), {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()});
  }
  return others(info.Env(), shard_->finish());
}

void ShardObject::RestoreCheckpoint(const Napi::CallbackInfo& info) {
  const auto bytes = info[0].As<Napi::Uint8Array>();
  throw_problem(info.Env(), shard_->restore_checkpoint({reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()}));
}

void ShardObject::Restore(const Napi::CallbackInfo& info) {
  const auto bytes = info[0].As<Napi::Uint8Array>();
  throw_problem(info.Env(), shard_->restore({reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()}));
}

void ShardObject::Restored(const Napi::CallbackInfo& info) {
  const auto incarnation = info[2].IsUndefined() ? 0 : static_cast<std::uint64_t>(info[2].As<Napi::Number>().Int64Value());
  throw_problem(info.Env(), shard_->restored(now_of(info, 0), incarnation));
}

Napi::Value ShardObject::TakeLog(const Napi::CallbackInfo& info) {
  std::string entries;
  if (!shard_->take_log(entries)) return info.Env().Null();
  return Napi::Buffer<char>::Copy(info.Env(), entries.data(), entries.size());
}

Napi::Value ShardObject::LogPosition(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(shard_->log_position()));
}

void ShardObject::BeginCheckpoint(const Napi::CallbackInfo& info) { throw_problem(info.Env(), shard_->begin_checkpoint()); }

Napi::Value ShardObject::TakeCheckpoint(const Napi::CallbackInfo& info) {
  CheckpointPiece piece;
  const auto bytes_max = static_cast<std::size_t>(info[0].As<Napi::Number>().DoubleValue());
  if (const auto problem = shard_->take_checkpoint(bytes_max, piece)) {
    throw_problem(info.Env(), problem);
    return info.Env().Undefined();
  }
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("pairs", Napi::Buffer<char>::Copy(info.Env(), piece.pairs.data(), piece.pairs.size()));
  out.Set("position", Napi::Number::New(info.Env(), static_cast<double>(piece.position)));
  return out;
}

Napi::Value ShardObject::PrepareCut(const Napi::CallbackInfo& info) {
  if (!shard_->engine().ground.journal.on()) {
    Napi::Error::New(info.Env(), "a shard without a log has nothing to cut").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const Timestamp reached = shard_->prepare_cut();
  return reached == 0 ? info.Env().Null() : Napi::Value(Napi::BigInt::New(info.Env(), std::uint64_t{reached}));
}

Napi::Value ShardObject::SetCut(const Napi::CallbackInfo& info) {
  if (!shard_->cut_prepared()) {
    Napi::Error::New(info.Env(), "a cut that was not prepared, or was called off").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  bool lossless = false;
  return Napi::Boolean::New(info.Env(), shard_->set_cut(info[0].As<Napi::BigInt>().Uint64Value(&lossless)));
}

Napi::Value ShardObject::Cut(const Napi::CallbackInfo& info) {
  if (!shard_->cut_set()) {
    Napi::Error::New(info.Env(), "a cut that has no time, or was called off").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::Number::New(info.Env(), static_cast<double>(shard_->cut()));
}

void ShardObject::CallOffCut(const Napi::CallbackInfo&) { shard_->call_off_cut(); }

Napi::Value ShardObject::Durable(const Napi::CallbackInfo& info) {
  const auto position = static_cast<std::uint64_t>(info[0].As<Napi::Number>().DoubleValue());
  if (position > shard_->log_position()) {
    Napi::RangeError::New(info.Env(), "the log does not reach that far").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return others(info.Env(), shard_->durable(position, now_of(info, 1)));
}

Napi::Value ShardObject::Drain(const Napi::CallbackInfo& info) {
  if (!shard_->drain(peer_of(info[0]), frame_)) return info.Env().Null();
  return Napi::Buffer<char>::Copy(info.Env(), frame_.data(), frame_.size());
}

Napi::Value ShardObject::Closed(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), shard_->closed(peer_of(info[0]))); }

Napi::Value ShardObject::NextDeadlineMs(const Napi::CallbackInfo& info) {
  const double deadline_ms = shard_->next_deadline_ms();
  if (sockets_) sockets_->deadline_told(deadline_ms);
  return Napi::Number::New(info.Env(), deadline_ms);
}

Napi::Value ShardObject::WantedShards(const Napi::CallbackInfo& info) { return to_array(info.Env(), shard_->wanted_shards()); }

void ShardObject::BindShard(const Napi::CallbackInfo& info) {
  shard_->bind_shard(peer_of(info[0]), info[1].As<Napi::Number>().Uint32Value());
}

Napi::Value ShardObject::GetConditions(const Napi::CallbackInfo& info) {
  const Conditions& conditions = shard_->conditions();
  Napi::Object out = Napi::Object::New(info.Env());
  for_each_condition(conditions, [&]<typename Value>(const ConditionField& field, const Value& value, const auto& /*usual*/) {
    if constexpr (Choice<Value>) {
      out.Set(field.name, text(info.Env(), name_of(value)));
    } else {
      out.Set(field.name, value);
    }
  });
  return out;
}

void ShardObject::SetConditions(const Napi::CallbackInfo& info) {
  Conditions conditions;
  if (!info[0].IsObject() || !read_conditions(info[0].As<Napi::Object>(), conditions)) {
    Napi::TypeError::New(info.Env(), allowed_conditions()).ThrowAsJavaScriptException();
    return;
  }
  shard_->set_conditions(conditions, now_of(info, 1));
}

void ShardObject::RefuseChanges(const Napi::CallbackInfo& info) {
  LogTrouble why = LogTrouble::kNone;
  if (info[0].IsString()) {
    const std::string code = info[0].As<Napi::String>().Utf8Value();
    why = code == errors::kDiskFull ? LogTrouble::kDiskFull : LogTrouble::kUnavailable;
  }
  shard_->refuse_changes(why, now_of(info, 1));
}

void ShardObject::SetSkewed(const Napi::CallbackInfo& info) {
  const auto listed = info[0].As<Napi::Array>();
  std::vector<std::uint32_t> shards;
  for (std::uint32_t i = 0; i < listed.Length(); ++i) shards.push_back(listed.Get(i).ToNumber().Uint32Value());
  shard_->set_skewed(std::move(shards));
}

void ShardObject::Observe(const Napi::CallbackInfo& info) { shard_->observe(info[0].ToBoolean(), now_of(info, 1)); }

Napi::Value ShardObject::TakeTelemetry(const Napi::CallbackInfo& info) {
  if (!shard_->observed()) return info.Env().Null();
  return Napi::String::New(info.Env(), to_json(shard_->take_telemetry(now_of(info, 0))));
}

Napi::Value ShardObject::Counters(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const claret::Counters& counters = shard_->counters();
  Engine& engine = shard_->engine();
  Napi::Object out = Napi::Object::New(env);
  const auto set = [&](const char* name, double value) { out.Set(name, Napi::Number::New(env, value)); };
  counters.totals.for_each_sum([&](std::string_view name, auto value, bool /*in_frames*/) {
    out.Set(std::string(name), Napi::Number::New(env, static_cast<double>(value)));
  });
  set("respConnections", static_cast<double>(shard_->door().clients()));
  set("grantsStanding", static_cast<double>(engine.warranties.grants()));
  set("pastVersions", static_cast<double>(engine.ground.past.versions()));
  set("pastBytes", static_cast<double>(engine.ground.past.bytes()));
  set("latencyTotalMs", counters.totals.latencies.total_ms());
  set("conflictsDropped", static_cast<double>(counters.conflicts.dropped()));
  set("attemptsInFlight", static_cast<double>(engine.attempts_in_flight()));
  set("undecidedMembers", static_cast<double>(engine.chains.members()));
  set("waiting", static_cast<double>(engine.ground.wounds.waiting().size()));
  set("inDoubt", static_cast<double>(engine.ground.doubts.in_doubt()));
  set_records(set, engine.ground.records);
  set("sessions", static_cast<double>(shard_->sessions()));
  set("watches", static_cast<double>(shard_->watches()));

  Napi::Array latencies = Napi::Array::New(env);
  const auto& counts = counters.totals.latencies.counts();
  for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
    if (counts[bucket] == 0) continue;
    latencies.Set(latencies.Length(), to_array(env, std::array{static_cast<double>(bucket), static_cast<double>(counts[bucket])}));
  }
  out.Set("latencies", latencies);

  const auto set_counts = [&](const char* name, const absl::btree_map<std::string_view, std::uint64_t>& counted) {
    Napi::Object by_word = Napi::Object::New(env);
    for (const auto& [word, count] : counted) by_word.Set(text(env, word), Napi::Number::New(env, static_cast<double>(count)));
    out.Set(name, by_word);
  };
  set_counts("aborts", counters.totals.aborts);
  set_counts("breaks", counters.totals.breaks);
  set_counts("standBacks", counters.totals.stand_backs);

  Napi::Object waits = Napi::Object::New(env);
  for (const auto& [cause, total] : counters.totals.waits) {
    Napi::Object wait = Napi::Object::New(env);
    wait.Set("count", Napi::Number::New(env, static_cast<double>(total.count)));
    wait.Set("totalMs", Napi::Number::New(env, total.total_ms));
    waits.Set(text(env, cause), wait);
  }
  out.Set("waits", waits);

  Napi::Array conflicts = Napi::Array::New(env, counters.conflicts.rows().size());
  std::uint32_t index = 0;
  for (const auto& [pair, count] : counters.conflicts.rows()) {
    Napi::Object row = Napi::Object::New(env);
    row.Set("holderLabel", counters.label(pair.holder_label));
    row.Set("comerLabel", counters.label(pair.comer_label));
    row.Set("holderOperation", qualified(pair, *pair.holder_operation));
    row.Set("comerOperation", qualified(pair, *pair.comer_operation));
    row.Set("outcome", text(env, pair.outcome()));
    row.Set("count", Napi::Number::New(env, static_cast<double>(count)));
    conflicts.Set(index++, row);
  }
  out.Set("conflicts", conflicts);
  return out;
}

}  // namespace claret

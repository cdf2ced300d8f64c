// ShardObject, continued: runs of slots that move.
#include <string>

#include "convert.h"
#include "shard_object.h"

namespace claret {

namespace {

// Null: nothing was refused.
Napi::Value refusal(Napi::Env env, const std::optional<Error>& error) {
  if (!error) return env.Null();
  Napi::Object out = Napi::Object::New(env);
  out.Set("code", text(env, error->code));
  out.Set("message", error->message);
  out.Set("retryable", Napi::Boolean::New(env, error->retryable));
  return out;
}

std::string move_of(const Napi::Value& value) { return value.As<Napi::String>().Utf8Value(); }

void set_slots(Napi::Object& out, const SlotRun& slots) {
  out.Set("first", Napi::Number::New(out.Env(), slots.first));
  out.Set("last", Napi::Number::New(out.Env(), slots.last));
}

Napi::Value kept_move(Napi::Env env, const std::optional<KeptMove>& move, const char* peer) {
  if (!move) return env.Null();
  Napi::Object out = Napi::Object::New(env);
  out.Set("move", move->id);
  set_slots(out, move->slots);
  out.Set("version", Napi::Number::New(env, move->version));
  out.Set(peer, Napi::Number::New(env, move->peer));
  return out;
}

}  // namespace

Napi::Value ShardObject::BeginGive(const Napi::CallbackInfo& info) {
  const auto slots = info[1].As<Napi::Object>();
  Give give{.move = move_of(info[0]), .to = info[2].As<Napi::Number>().Uint32Value()};
  give.slots = {slots.Get("first").ToNumber().Uint32Value(), slots.Get("last").ToNumber().Uint32Value()};
  return refusal(info.Env(), shard_->begin_give(std::move(give)));
}

Napi::Value ShardObject::TakeGive(const Napi::CallbackInfo& info) {
  GivePiece piece;
  const auto bytes_max = static_cast<std::size_t>(info[0].As<Napi::Number>().DoubleValue());
  if (const auto error = shard_->take_give(bytes_max, piece)) return refusal(info.Env(), error);
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("bytes", Napi::Buffer<char>::Copy(info.Env(), piece.bytes.data(), piece.bytes.size()));
  out.Set("complete", Napi::Boolean::New(info.Env(), piece.complete));
  out.Set("bytesLeft", Napi::Number::New(info.Env(), static_cast<double>(piece.bytes_left)));
  return out;
}

Napi::Value ShardObject::DrainGive(const Napi::CallbackInfo& info) {
  return refusal(info.Env(), shard_->drain_give(info[0].As<Napi::Number>().DoubleValue(), now_of(info, 1)));
}

Napi::Value ShardObject::IsDrained(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), shard_->is_drained()); }

Napi::Value ShardObject::CallOffDrain(const Napi::CallbackInfo& info) {
  return refusal(info.Env(), shard_->call_off_drain(now_of(info, 0)));
}

Napi::Value ShardObject::CallOffGive(const Napi::CallbackInfo& info) { return refusal(info.Env(), shard_->call_off_give(now_of(info, 0))); }

Napi::Value ShardObject::GiveRun(const Napi::CallbackInfo& info) { return refusal(info.Env(), shard_->give(now_of(info, 0))); }

Napi::Value ShardObject::Given(const Napi::CallbackInfo& info) {
  const std::optional<Timestamp> at = shard_->given(move_of(info[0]));
  return at ? Napi::Value(Napi::BigInt::New(info.Env(), std::uint64_t{*at})) : info.Env().Null();
}

Napi::Value ShardObject::SettleGive(const Napi::CallbackInfo& info) { return refusal(info.Env(), shard_->settle_give(move_of(info[0]))); }

Napi::Value ShardObject::ImportPiece(const Napi::CallbackInfo& info) {
  const std::uint32_t from = info[1].As<Napi::Number>().Uint32Value();
  return refusal(info.Env(), shard_->import_piece(move_of(info[0]), from, bytes_of(info[2]), now_of(info, 3)));
}

Napi::Value ShardObject::TakeOver(const Napi::CallbackInfo& info) {
  bool lossless = false;
  const Timestamp at = info[1].As<Napi::BigInt>().Uint64Value(&lossless);
  return refusal(info.Env(), shard_->take_over(move_of(info[0]), at, now_of(info, 2)));
}

Napi::Value ShardObject::HasTaken(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), shard_->has_taken(move_of(info[0])));
}

Napi::Value ShardObject::DropImport(const Napi::CallbackInfo& info) {
  return refusal(info.Env(), shard_->drop_import(move_of(info[0]), now_of(info, 1)));
}

Napi::Value ShardObject::Slots(const Napi::CallbackInfo& info) {
  const std::vector<OwnedRun> runs = shard_->slots();
  Napi::Array out = Napi::Array::New(info.Env(), runs.size());
  std::uint32_t index = 0;
  for (const OwnedRun& run : runs) {
    Napi::Object one = Napi::Object::New(info.Env());
    set_slots(one, run.slots);
    one.Set("version", Napi::Number::New(info.Env(), run.version));
    out.Set(index++, one);
  }
  return out;
}

Napi::Value ShardObject::GetMoves(const Napi::CallbackInfo& info) {
  const claret::Moves& moves = shard_->moves();
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("given", kept_move(info.Env(), moves.given(), "to"));
  const Napi::Value imported = kept_move(info.Env(), moves.imported(), "from");
  if (moves.imported()) {
    imported.As<Napi::Object>().Set("pieces", Napi::Number::New(info.Env(), static_cast<double>(moves.imported()->pieces)));
    imported.As<Napi::Object>().Set("complete", Napi::Boolean::New(info.Env(), moves.imported()->complete));
  }
  out.Set("imported", imported);
  return out;
}

void ShardObject::SetShards(const Napi::CallbackInfo& info) { shard_->set_shards(info[0].As<Napi::Number>().Uint32Value()); }

}  // namespace claret

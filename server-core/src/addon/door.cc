// The Redis door's part of the class `Shard` of core.d.ts.
#include <uv.h>

#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "shard_object.h"
#include "values.h"

namespace claret {

void ShardObject::OpenDoor(const Napi::CallbackInfo& info) {
  const auto options = info[0].As<Napi::Object>();
  const auto memory = [] {
    std::size_t bytes = 0;
    return std::uint64_t{uv_resident_set_memory(&bytes) == 0 ? bytes : 0};
  };
  shard_->door().open({.password = options.Get("password").ToString(),
                       .redirect = options.Get("redirect").ToBoolean(),
                       .memory = memory,
                       .spreads = options.Get("spreads").ToBoolean()});
}

void ShardObject::ConnectResp(const Napi::CallbackInfo& info) {
  if (!shard_->door().is_open()) {
    Napi::Error::New(info.Env(), "the shard has no open Redis door").ThrowAsJavaScriptException();
    return;
  }
  shard_->connect_resp(peer_of(info[0]), info[1].ToString(), info[2].ToString(), now_of(info, 3));
}

Napi::Value ShardObject::WantsInput(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), shard_->door().wants_input(peer_of(info[0])));
}

void ShardObject::SetRespNodes(const Napi::CallbackInfo& info) {
  const auto list = info[0].As<Napi::Array>();
  std::vector<resp::ClusterNode> nodes;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::HandleScope scope(info.Env());
    const auto given = list.Get(i).As<Napi::Object>();
    resp::ClusterNode node{.id = given.Get("id").ToString(),
                           .host = given.Get("host").ToString(),
                           .port = static_cast<std::uint16_t>(given.Get("port").As<Napi::Number>().Uint32Value())};
    const auto runs = given.Get("slots").As<Napi::Array>();
    for (std::uint32_t run = 0; run < runs.Length(); ++run) {
      const auto ends = runs.Get(run).As<Napi::Array>();
      const SlotRun slots{.first = peer_of(ends.Get(std::uint32_t{0})), .last = peer_of(ends.Get(std::uint32_t{1}))};
      if (slots.valid()) node.slots.push_back(slots);
    }
    nodes.push_back(std::move(node));
  }
  const std::uint32_t own = peer_of(info[1]);
  if (own >= nodes.size()) {
    Napi::RangeError::New(info.Env(), "this shard has to be one of the nodes").ThrowAsJavaScriptException();
    return;
  }
  shard_->door().set_nodes(std::move(nodes), own);
}

Napi::Value ShardObject::WantedLinks(const Napi::CallbackInfo& info) {
  const auto wanted = shard_->door().wanted_links();
  Napi::Array out = Napi::Array::New(info.Env(), wanted.size());
  std::uint32_t place = 0;
  for (const WantedLink& link : wanted) {
    Napi::Object one = Napi::Object::New(info.Env());
    one.Set("link", Napi::Number::New(info.Env(), link.number));
    one.Set("host", link.host);
    one.Set("port", Napi::Number::New(info.Env(), link.port));
    out.Set(place++, one);
  }
  return out;
}

void ShardObject::ConnectLink(const Napi::CallbackInfo& info) { shard_->connect_link(peer_of(info[0]), peer_of(info[1]), now_of(info, 2)); }

Napi::Value ShardObject::WantedSpreads(const Napi::CallbackInfo& info) {
  const auto wanted = shard_->door().wanted_spreads();
  Napi::Array out = Napi::Array::New(info.Env(), wanted.size());
  std::uint32_t place = 0;
  for (const std::uint32_t number : wanted) out.Set(place++, Napi::Number::New(info.Env(), number));
  return out;
}

void ShardObject::RestartSpread(const Napi::CallbackInfo& info) {
  if (Spread* spread = shard_->door().spread(peer_of(info[0]))) spread->restart();
}

Napi::Value ShardObject::StepSpread(const Napi::CallbackInfo& info) {
  Spread* spread = shard_->door().spread(peer_of(info[0]));
  if (spread == nullptr) return info.Env().Undefined();  // its client has left
  if (info[1].IsArray()) spread->know(value_from_js(info[1]).list());
  const std::vector<WantedOperation> wanted = spread->step();
  if (!spread->failure().empty()) return info.Env().Undefined();
  Napi::Array out = Napi::Array::New(info.Env(), wanted.size());
  for (std::uint32_t place = 0; place < wanted.size(); ++place) {
    const WantedOperation& one = wanted[place];
    Napi::Object operation = Napi::Object::New(info.Env());
    operation.Set("key", one.key);
    operation.Set("type", text(info.Env(), one.type->name()));
    operation.Set("operation", text(info.Env(), one.operation->name));
    operation.Set("arguments", value_to_js(info.Env(), claret::Value(one.arguments)));
    out.Set(place, operation);
  }
  return out;
}

void ShardObject::EndSpread(const Napi::CallbackInfo& info) {
  shard_->begin(now_of(info, 3));
  shard_->door().end_spread(peer_of(info[0]), info[1].ToString().Utf8Value(), info[2].ToBoolean());
}

}  // namespace claret

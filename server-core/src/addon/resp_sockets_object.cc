#include "resp_sockets_object.h"

#include <limits>
#include <utility>

#include "convert.h"
#include "shard_object.h"

namespace claret {

namespace {

Napi::Number number_to_js(Napi::Env env, double value) { return Napi::Number::New(env, value); }

// Keeps the environment from ending before the handles are closed. Belongs to the sockets, which may outlive their object.
struct Hook {
  std::weak_ptr<RespSockets> sockets;
  napi_async_cleanup_hook_handle handle = nullptr;
};

void remove_hook(Hook* hook) {
  napi_remove_async_cleanup_hook(hook->handle);
  delete hook;
}

}  // namespace

Napi::Function RespSocketsObject::Define(Napi::Env env) {
  return DefineClass(env, "RespSockets",
                     {
                         InstanceMethod("listen", &RespSocketsObject::Listen),
                         InstanceMethod("stopListening", &RespSocketsObject::StopListening),
                         InstanceMethod("serve", &RespSocketsObject::Serve),
                         InstanceMethod("serveNoMore", &RespSocketsObject::ServeNoMore),
                         InstanceMethod("flush", &RespSocketsObject::Flush),
                         InstanceMethod("end", &RespSocketsObject::End),
                         InstanceMethod("destroy", &RespSocketsObject::Destroy),
                         InstanceMethod("endAll", &RespSocketsObject::EndAll),
                         InstanceMethod("destroyAll", &RespSocketsObject::DestroyAll),
                         InstanceMethod("shutDown", &RespSocketsObject::ShutDown),
                         InstanceMethod("connections", &RespSocketsObject::Connections),
                         InstanceMethod("counters", &RespSocketsObject::Counters),
                     });
}

RespSocketsObject::RespSocketsObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<RespSocketsObject>(info), context_(info.Env(), "claret.redis") {
  const Napi::Env env = info.Env();
  if (!info[0].IsNumber() || !info[1].IsObject()) {
    Napi::TypeError::New(env, "RespSockets takes a number and an object").ThrowAsJavaScriptException();
    return;
  }
  uv_loop_t* loop = nullptr;
  if (napi_get_uv_event_loop(env, &loop) != napi_ok) {
    Napi::Error::New(env, "this environment has no event loop").ThrowAsJavaScriptException();
    return;
  }
  const double most = info[0].As<Napi::Number>().DoubleValue();
  constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();
  server_ = Napi::Persistent(info[1].As<Napi::Object>());
  sockets_ = RespSockets::open(loop, *this, most < 1e15 ? static_cast<std::size_t>(most) : kNoLimit);
  auto* hook = new Hook{.sockets = sockets_};
  hook_ = hook;
  const auto env_ends = [](napi_async_cleanup_hook_handle, void* data) {
    auto* ending = static_cast<Hook*>(data);
    const std::shared_ptr<RespSockets> sockets = ending->sockets.lock();
    if (sockets == nullptr) return remove_hook(ending);
    if (!sockets->is_shut_down()) sockets->shut_down([ending] { remove_hook(ending); });
  };
  napi_add_async_cleanup_hook(env, env_ends, hook, &hook->handle);
}

RespSocketsObject::~RespSocketsObject() { shut_down(); }

void RespSocketsObject::shut_down() {
  if (sockets_ == nullptr || sockets_->is_shut_down()) return;
  sockets_->shut_down([hook = static_cast<Hook*>(hook_)] { remove_hook(hook); });
}

Napi::Value RespSocketsObject::Listen(const Napi::CallbackInfo& info) {
  return number_to_js(info.Env(), sockets_->listen(info[0].ToString(), info[1].As<Napi::Number>().Int32Value()));
}

void RespSocketsObject::StopListening(const Napi::CallbackInfo&) { sockets_->stop_listening(); }

void RespSocketsObject::Serve(const Napi::CallbackInfo& info) {
  const auto shard = info[0].As<Napi::Object>();
  const auto service = info[1].As<Napi::Object>();
  const auto number = [&](const char* name) { return service.Get(name).ToNumber().DoubleValue(); };
  host_ = Napi::Persistent(info[2].As<Napi::Object>());
  ShardObject::Unwrap(shard)->serve(sockets_, {.monotonic_ms = number("monotonicMs"),
                                               .blocked_ms = number("blockedMs"),
                                               .poll_ms = number("pollMs"),
                                               .leased = service.Get("leased").ToBoolean()});
}

void RespSocketsObject::ServeNoMore(const Napi::CallbackInfo&) { sockets_->serve_no_more(); }

void RespSocketsObject::Flush(const Napi::CallbackInfo& info) { sockets_->flush(info[0].As<Napi::Number>().DoubleValue()); }

void RespSocketsObject::End(const Napi::CallbackInfo& info) { sockets_->end(peer_of(info[0])); }

void RespSocketsObject::Destroy(const Napi::CallbackInfo& info) { sockets_->destroy(peer_of(info[0])); }

void RespSocketsObject::EndAll(const Napi::CallbackInfo&) { sockets_->end_all(); }

void RespSocketsObject::DestroyAll(const Napi::CallbackInfo&) { sockets_->destroy_all(); }

void RespSocketsObject::ShutDown(const Napi::CallbackInfo&) {
  shut_down();
  server_.Reset();
  host_.Reset();
}

Napi::Value RespSocketsObject::Connections(const Napi::CallbackInfo& info) {
  return number_to_js(info.Env(), static_cast<double>(sockets_->connections()));
}

Napi::Value RespSocketsObject::Counters(const Napi::CallbackInfo& info) {
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("coreMs", number_to_js(info.Env(), sockets_->core_ms()));
  out.Set("polledMs", number_to_js(info.Env(), sockets_->polled_ms()));
  out.Set("longTurns", number_to_js(info.Env(), static_cast<double>(sockets_->long_turns())));
  return out;
}

// ---- the owner ----------------------------------------------------------------------------------------------------------------

Napi::Value RespSocketsObject::call(const Napi::ObjectReference& owner, const char* method, std::initializer_list<napi_value> arguments) {
  const Napi::Env env = Env();
  const Napi::Object object = owner.Value();
  const Napi::Value result = object.Get(method).As<Napi::Function>().MakeCallback(object, arguments, context_);
  if (env.IsExceptionPending()) napi_fatal_exception(env, env.GetAndClearPendingException().Value());
  return result;
}

std::uint32_t RespSocketsObject::opened(const std::string& address, const std::string& local_address) {
  const Napi::HandleScope scope(Env());
  const Napi::Value peer = call(host_, "opened", {Napi::String::New(Env(), address), Napi::String::New(Env(), local_address)});
  return peer.IsEmpty() || !peer.IsNumber() ? 0 : peer_of(peer);
}

void RespSocketsObject::dropped() {
  const Napi::HandleScope scope(Env());
  call(server_, "dropped", {});
}

void RespSocketsObject::emptied() {
  const Napi::HandleScope scope(Env());
  call(server_, "emptied", {});
}

void RespSocketsObject::ended(std::uint32_t peer) {
  const Napi::HandleScope scope(Env());
  call(host_, "ended", {Napi::Number::New(Env(), peer)});
}

void RespSocketsObject::gone(std::uint32_t peer) {
  const Napi::HandleScope scope(Env());
  call(host_, "gone", {Napi::Number::New(Env(), peer)});
}

void RespSocketsObject::turned(const std::vector<std::uint32_t>& others) {
  const Napi::HandleScope scope(Env());
  call(host_, "turned", {to_array(Env(), others)});
}

void RespSocketsObject::wake() {
  const Napi::HandleScope scope(Env());
  call(host_, "wake", {});
}

}  // namespace claret

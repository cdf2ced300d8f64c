// The JavaScript class `RespSockets` of core.d.ts: converts arguments, and calls the sockets and their JavaScript owner. It has no logic of its own.
#pragma once

#include <napi.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "resp_sockets.h"

namespace claret {

class RespSocketsObject : public Napi::ObjectWrap<RespSocketsObject>, private RespSockets::Owner {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit RespSocketsObject(const Napi::CallbackInfo& info);
  ~RespSocketsObject() override;

 private:
  Napi::Value Listen(const Napi::CallbackInfo& info);
  void StopListening(const Napi::CallbackInfo& info);
  void Serve(const Napi::CallbackInfo& info);
  void ServeNoMore(const Napi::CallbackInfo& info);
  void Flush(const Napi::CallbackInfo& info);
  void End(const Napi::CallbackInfo& info);
  void Destroy(const Napi::CallbackInfo& info);
  void EndAll(const Napi::CallbackInfo& info);
  void DestroyAll(const Napi::CallbackInfo& info);
  void ShutDown(const Napi::CallbackInfo& info);
  Napi::Value Connections(const Napi::CallbackInfo& info);
  Napi::Value Counters(const Napi::CallbackInfo& info);

  // ---- RespSockets::Owner
  std::uint32_t opened(const std::string& address, const std::string& local_address) override;
  void dropped() override;
  void ended(std::uint32_t peer) override;
  void gone(std::uint32_t peer) override;
  void turned(const std::vector<std::uint32_t>& others) override;
  void wake() override;
  void emptied() override;

  // Calls a method of one of the two owners below. An exception is the process's, as one of any event.
  Napi::Value call(const Napi::ObjectReference& owner, const char* method, std::initializer_list<napi_value> arguments);
  void shut_down();

  std::shared_ptr<RespSockets> sockets_;
  Napi::AsyncContext context_;
  void* hook_ = nullptr;  // into the end of the environment
  Napi::ObjectReference server_;  // RespServerCalls of core.d.ts
  Napi::ObjectReference host_;  // RespHostCalls
};

}  // namespace claret

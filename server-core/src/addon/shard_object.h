// The JavaScript class `Shard` of core.d.ts: converts arguments, calls the core, converts results. It has no logic of its own.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "resp_sockets.h"
#include "shard/shard.h"

namespace claret {

class ShardObject : public Napi::ObjectWrap<ShardObject> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit ShardObject(const Napi::CallbackInfo& info);
  ~ShardObject() override;

  // Clients of these sockets are clients of the shard.
  void serve(std::shared_ptr<RespSockets> sockets, const RespSockets::Service& service);

 private:
  void Connect(const Napi::CallbackInfo& info);
  void Disconnect(const Napi::CallbackInfo& info);
  void RestoreCheckpoint(const Napi::CallbackInfo& info);
  void Restore(const Napi::CallbackInfo& info);
  void Restored(const Napi::CallbackInfo& info);
  Napi::Value TakeLog(const Napi::CallbackInfo& info);
  Napi::Value LogPosition(const Napi::CallbackInfo& info);
  void BeginCheckpoint(const Napi::CallbackInfo& info);
  Napi::Value TakeCheckpoint(const Napi::CallbackInfo& info);
  Napi::Value PrepareCut(const Napi::CallbackInfo& info);
  Napi::Value SetCut(const Napi::CallbackInfo& info);
  Napi::Value Cut(const Napi::CallbackInfo& info);
  void CallOffCut(const Napi::CallbackInfo& info);
  Napi::Value Durable(const Napi::CallbackInfo& info);

  // ---- moves.cc
  Napi::Value BeginGive(const Napi::CallbackInfo& info);
  Napi::Value TakeGive(const Napi::CallbackInfo& info);
  Napi::Value DrainGive(const Napi::CallbackInfo& info);
  Napi::Value IsDrained(const Napi::CallbackInfo& info);
  Napi::Value CallOffDrain(const Napi::CallbackInfo& info);
  Napi::Value CallOffGive(const Napi::CallbackInfo& info);
  Napi::Value GiveRun(const Napi::CallbackInfo& info);
  Napi::Value Given(const Napi::CallbackInfo& info);
  Napi::Value SettleGive(const Napi::CallbackInfo& info);
  Napi::Value ImportPiece(const Napi::CallbackInfo& info);
  Napi::Value TakeOver(const Napi::CallbackInfo& info);
  Napi::Value HasTaken(const Napi::CallbackInfo& info);
  Napi::Value DropImport(const Napi::CallbackInfo& info);
  Napi::Value Slots(const Napi::CallbackInfo& info);
  Napi::Value GetMoves(const Napi::CallbackInfo& info);
  void SetShards(const Napi::CallbackInfo& info);

  // ---- warranties.cc
  Napi::Value ListWarranties(const Napi::CallbackInfo& info);
  void RecallWarranties(const Napi::CallbackInfo& info);

  // ---- door.cc
  void OpenDoor(const Napi::CallbackInfo& info);
  void ConnectResp(const Napi::CallbackInfo& info);
  Napi::Value WantsInput(const Napi::CallbackInfo& info);
  void SetRespNodes(const Napi::CallbackInfo& info);
  Napi::Value WantedLinks(const Napi::CallbackInfo& info);
  void ConnectLink(const Napi::CallbackInfo& info);
  Napi::Value WantedSpreads(const Napi::CallbackInfo& info);
  void RestartSpread(const Napi::CallbackInfo& info);
  Napi::Value StepSpread(const Napi::CallbackInfo& info);
  void EndSpread(const Napi::CallbackInfo& info);

  Napi::Value Process(const Napi::CallbackInfo& info);
  Napi::Value Drain(const Napi::CallbackInfo& info);
  Napi::Value Closed(const Napi::CallbackInfo& info);
  Napi::Value NextDeadlineMs(const Napi::CallbackInfo& info);
  Napi::Value WantedShards(const Napi::CallbackInfo& info);
  void BindShard(const Napi::CallbackInfo& info);
  Napi::Value GetConditions(const Napi::CallbackInfo& info);
  void SetConditions(const Napi::CallbackInfo& info);
  Napi::Value ChangeType(const Napi::CallbackInfo& info);
  Napi::Value InstalledTypes(const Napi::CallbackInfo& info);
  Napi::Value GetCatalogue(const Napi::CallbackInfo& info);
  void RefuseChanges(const Napi::CallbackInfo& info);
  void SetSkewed(const Napi::CallbackInfo& info);
  void Observe(const Napi::CallbackInfo& info);
  Napi::Value TakeTelemetry(const Napi::CallbackInfo& info);
  Napi::Value Counters(const Napi::CallbackInfo& info);

  // The peers as JavaScript gets them: without those whose sockets are here.
  Napi::Array others(Napi::Env env, std::vector<std::uint32_t> peers);

  std::unique_ptr<Shard> shard_;
  std::shared_ptr<RespSockets> sockets_;  // null: JavaScript has all sockets
  std::string frame_;  // reused by Drain
};

}  // namespace claret

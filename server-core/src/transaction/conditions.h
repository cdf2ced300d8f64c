// The concurrency control in effect at a shard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/lock_rule.h"
#include "gate/locks.h"
#include "ground/errors.h"

namespace claret {

// Whether results are promised to clients (warranties.h).
enum class WarrantyPolicy : std::uint8_t {
  kOff,
  kAuto,  // where it is likely to be worth while
  kOn,  // wherever the rules allow
};

constexpr std::string_view name_of(WarrantyPolicy policy) {
  switch (policy) {
    case WarrantyPolicy::kOff:
      return "off";
    case WarrantyPolicy::kOn:
      return "on";
    case WarrantyPolicy::kAuto:
      break;
  }
  return "auto";
}
constexpr std::optional<WarrantyPolicy> warranty_policy(std::string_view name) {
  for (const WarrantyPolicy policy : {WarrantyPolicy::kOff, WarrantyPolicy::kAuto, WarrantyPolicy::kOn}) {
    if (name == name_of(policy)) return policy;
  }
  return std::nullopt;
}

// Whether lists of operations run in epochs (epochs.h). Clients choose; a shard only takes them or not.
enum class EpochPolicy : std::uint8_t {
  kOff,
  kAuto,  // where it is likely to be worth while
  kOn,
};

constexpr std::string_view name_of(EpochPolicy policy) {
  switch (policy) {
    case EpochPolicy::kOff:
      return "off";
    case EpochPolicy::kOn:
      return "on";
    case EpochPolicy::kAuto:
      break;
  }
  return "auto";
}
constexpr std::optional<EpochPolicy> epoch_policy(std::string_view name) {
  for (const EpochPolicy policy : {EpochPolicy::kOff, EpochPolicy::kAuto, EpochPolicy::kOn}) {
    if (name == name_of(policy)) return policy;
  }
  return std::nullopt;
}

struct Conditions {
  LockKind locks = LockKind::kAbstract;
  bool phasing = true;
  std::string combining = "auto";
  bool natives_pass = true;  // false: natives and one-shot transactions wait for the attempts that they would break or pass
  WarrantyPolicy warranties = WarrantyPolicy::kOff;
  EpochPolicy epochs = EpochPolicy::kAuto;
  std::uint32_t epoch_ms = 0;  // how often epochs are closed; 0: as often as is worth while

  bool operator==(const Conditions&) const = default;
};

// The names on the wire, in the configuration and in the addon.
constexpr std::string_view natives_name(bool natives_pass) { return natives_pass ? "pass" : "wait"; }

inline LockSettings lock_settings(const Conditions& conditions, double phase_cap_ms) {
  return {.rule = LockRule{conditions.locks, conditions.natives_pass}, .phasing = conditions.phasing, .phase_cap_ms = phase_cap_ms};
}

inline Error condition_changed() {
  return {.code = errors::kConditionChanged,
          .message = "the cluster's concurrency control was switched meanwhile",
          .retryable = true,
          .cause = errors::kConditionChanged};
}

}  // namespace claret

// The commands of the Redis door that concern a record of any type: its deletion, its type, and its expiry.
#pragma once

#include <span>

#include "resp/command.h"

namespace claret {

std::span<const resp::CommandSpec> record_commands();

}  // namespace claret

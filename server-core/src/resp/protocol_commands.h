// The commands that the protocol itself needs, with what runs them.
#pragma once

#include <span>

#include "resp/command.h"

namespace claret::resp {

// The runner of each is an OwnCommand. Containers come before their subcommands.
std::span<const CommandSpec> protocol_commands();

}  // namespace claret::resp

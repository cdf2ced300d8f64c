// The replies of COMMAND INFO and COMMAND DOCS about one command.
#pragma once

#include <span>
#include <string_view>

#include "resp/command.h"
#include "resp/command_table.h"
#include "resp/reply_writer.h"

namespace claret::resp {

// An array of ten elements, as of Redis 7.0.
void write_details(ReplyWriter& reply, const CommandTable& table, const CommandTable::Entry& entry);

// Two elements of a map: the name and a map.
void write_docs(ReplyWriter& reply, const CommandTable& table, const CommandTable::Entry& entry);

// What is done to keys, as flags; those of the keys that an argument counts may differ.
void write_key_use(ReplyWriter& reply, const CommandSpec& spec, bool counted);

// Whether the command is in the category of that name; without case.
bool is_in_category(const CommandSpec& spec, std::string_view category);

}  // namespace claret::resp

// The fields of warranties in frames (client/proto/claret.proto).
#pragma once

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

ReturnedMessage read_returned(protozero::pbf_reader message);
UsedMessage read_used(protozero::pbf_reader message);
FirmWantedMessage read_firm_wanted(protozero::pbf_reader message);

// Appends a Granted as the submessage `tag` of `parent`.
void add_granted(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, const GrantedMessage& granted);

}  // namespace claret

// The fields of a ClientFrame that are about chains. For wire/client_frame.cc only.
#pragma once

#include <protozero/pbf_reader.hpp>

#include "wire/client_frame.h"

namespace claret {

OperationMessage read_operation(protozero::pbf_reader message);
RequestMessage read_request(protozero::pbf_reader message);

// Skips any other field.
void read_chain_field(protozero::pbf_reader& message, ClientFrame& frame);

}  // namespace claret

// For tests: reads a reply to a request.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string_view>

#include "shard/test_frames.h"
#include "shard/test_warranties.h"

namespace claret::testing {

// The grants in it go to `warranties`.
inline Reply read_reply(protozero::pbf_reader message, WarrantiesSeen& warranties) {
  Reply reply;
  std::string_view problem;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        reply.attempt = message.get_uint64();
        break;
      case 2:
        reply.results.push_back(read_value(message.get_message(), problem));
        break;
      case 3:
        reply.voted_at = message.get_fixed64();
        break;
      case 4:
        reply.committed_at = message.get_fixed64();
        break;
      case 10:
        reply.holds_until = message.get_fixed64();
        break;
      case 11:
        warranties.read_granted(message.get_message(), reply.attempt);
        break;
      case 5:
        reply.error = error_code(message.get_message(), &reply);
        break;
      case 6:
        reply.denied = error_code(message.get_message(), &reply);
        break;
      case 7: {
        auto waited = message.get_message();
        while (waited.next()) {
          if (waited.tag() == 1) {
            reply.waited_us = waited.get_uint32();
          } else if (waited.tag() == 2) {
            reply.locks_waited_for = waited.get_uint32();
          } else if (waited.tag() == 3) {
            reply.runs_waited_for = waited.get_uint32();
          } else {
            waited.skip();
          }
        }
        break;
      }
      case 9: {
        auto committed = message.get_message();
        while (committed.next()) {
          if (committed.tag() == 1) {
            reply.committed_before = committed.get_fixed64();
          } else if (committed.tag() == 2) {
            reply.answer = committed.get_bytes();
          } else {
            committed.skip();
          }
        }
        break;
      }
      default:
        message.skip();
    }
  }
  return reply;
}

}  // namespace claret::testing

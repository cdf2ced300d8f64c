// The messages of epochs between shards (client/proto/claret.proto), as bytes and back.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "ground/identifiers.h"

namespace claret {

struct EpochWantMessage {
  bool urgent = false;  // the sender has gathered so many members that the epoch is to close at once
  ShardList shards;  // the other shards that take part in these members
};

struct ListedMember {
  AttemptId id{};
  ShardList others;  // the other shards that take part
  Timestamp voted_at = 0;
};

struct EpochListMessage {
  EpochNumber epoch = 0;
  std::vector<ListedMember> members;  // those that take part at other shards too
};

struct EpochCloseMessage {
  EpochNumber epoch = 0;
  Timestamp floor = 0;
  ShardList shards;
};

struct EpochSealMessage {
  EpochNumber epoch = 0;
  // For each member of the receiver's list, in order: 0 if a participant has not listed it, otherwise the time from its vote to its commit, and 1
  // more.
  std::vector<std::uint64_t> committed;
  bool called_off = false;
  std::vector<std::uint32_t> late;  // the shards whose lists were late, if it is called off
};

struct EpochAnswerMessage {
  EpochNumber epoch = 0;
  bool undecided = false;
};

struct ClientFrame;

// False if the field is none of epochs.
bool read_epoch_field(protozero::pbf_reader& message, ClientFrame& frame);
EpochCloseMessage read_epoch_close(protozero::pbf_reader message);
EpochSealMessage read_epoch_seal(protozero::pbf_reader message);
EpochAnswerMessage read_epoch_answer(protozero::pbf_reader message);

namespace client_frame {

void add_epoch_want(std::string& frame, const EpochWantMessage& want);
void add_epoch_list(std::string& frame, const EpochListMessage& list);
void add_epoch_asked(std::string& frame, EpochNumber epoch);

}  // namespace client_frame

namespace server_frame {

void add_epoch_close(std::string& frame, const EpochCloseMessage& close);
void add_epoch_seal(std::string& frame, const EpochSealMessage& seal);
void add_epoch_answer(std::string& frame, const EpochAnswerMessage& answer);

}  // namespace server_frame

}  // namespace claret

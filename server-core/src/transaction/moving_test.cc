// Runs of slots that move from one shard to another, while both serve.
#include <gtest/gtest.h>

#include "transaction/move_errors.h"
#include "transaction/test_moves.h"

namespace claret::testing {
namespace {

using Step = TestClient::Step;

// ---- records --------------------------------------------------------------------------------------------------------------

TEST(SlotsThatMove, TakeTheirRecordsWithThem) {
  MovingShards two;
  TestClient client = two.client(0);
  client.run(1, {add(in_run("c"), 3), set_add(in_run("s"), "x"), add(beside_run("c"), 7)});
  two.client(1).run(1, {add(of_other("c"), 9)});
  const Timestamp last = two.record(0, in_run("c"))->last_commit;
  two.move();
  EXPECT_EQ(two.error(0, in_run("c")), "wrong_shard");
  EXPECT_EQ(two.value(1, in_run("c")), 3);
  EXPECT_EQ(two.client(1).run(1, {set_size(in_run("s"))}, 1).results.at(0).integer(), 1);
  EXPECT_EQ(two.record(1, in_run("c"))->last_commit, last);
  EXPECT_EQ(two.value(0, beside_run("c")), 7);
  EXPECT_EQ(two.value(1, of_other("c")), 9);
  EXPECT_EQ(two.record(0, in_run("c")), nullptr);
  const std::uint32_t slot = two.run.first;
  EXPECT_EQ(two.shard(0).slots(), (std::vector<OwnedRun>{{{0, slot - 1}, 0}, {{slot + 1, 8191}, 0}}));
  EXPECT_EQ(two.shard(1).slots(), (std::vector<OwnedRun>{{two.run, 1}, {{8192, 16383}, 0}}));
}

TEST(SlotsThatMove, AreServedWhileTheyAreCopied) {
  MovingShards two;
  TestClient client = two.client(0);
  for (int i = 0; i < 20; ++i) client.run(1 + i, {add(in_run("c" + std::to_string(i)), 1)});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.piece_bytes = 100;
  for (int i = 0; i < 40; ++i) {
    if (i % 2 == 0) two.mover.take_piece();
    client.run(100 + i, {add(in_run("c" + std::to_string(i % 20)), 10)});
    client.run(200 + i, {add(in_run("new" + std::to_string(i)), 1)});
  }
  two.mover.run();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(two.value(1, in_run("c" + std::to_string(i))), 21);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(two.value(1, in_run("new" + std::to_string(i))), 1);
}

TEST(SlotsThatMove, TakeLargeRecordsInPartsThatShowOneMoment) {
  MovingShards two;
  TestClient client = two.client(0);
  for (int i = 0; i < 200; ++i) client.run(1 + i, {set_add(in_run("s"), "member" + std::to_string(i))});
  client.run(300, {{in_run("d"), "Dict.set", {Value(Value::List{Value(Value::List{Value("field"), Value(std::string(3000, 'x'))})})}}});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.piece_bytes = 300;
  for (int i = 0; i < 60; ++i) {
    two.mover.take_piece();
    client.run(1000 + i, {set_remove(in_run("s"), "member" + std::to_string(i * 3)), set_add(in_run("s"), "later" + std::to_string(i))});
  }
  std::string before, after;
  two.mover.run();
  const Record* record = two.record(1, in_run("s"));
  ASSERT_NE(record, nullptr);
  record->type->encode(*record->state, after);
  two.disks.rebuilt(0, two.disks.written(0))->engine();
  EXPECT_EQ(two.client(1).run(1, {set_size(in_run("s"))}, 1).results.at(0).integer(), 200);
  for (int i = 0; i < 60; ++i) {
    const Op has{in_run("s"), "Set.contains", {Value("later" + std::to_string(i))}};
    EXPECT_TRUE(two.client(1).run(1, {has}, 1).results.at(0).boolean());
  }
  EXPECT_EQ(two.client(1).run(1, {{in_run("d"), "Dict.get", {Value(Value::List{Value("field")})}}}, 1).results.size(), 1u);
}

TEST(SlotsThatMove, AreOfNobodyFromGaveOnUntilTookIsDurable) {
  MovingShards two;
  two.client(0).run(1, {add(in_run("c"), 3)});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  EXPECT_EQ(two.error(1, in_run("c")), "wrong_shard") << "it only has pieces";
  two.durable = false;
  two.mover.drain();
  two.mover.take_piece();
  two.disks.sync(1);
  two.mover.step();
  EXPECT_EQ(two.mover.stage(), Mover::Stage::kTakes);
  EXPECT_EQ(two.error(0, in_run("c")), "wrong_shard");
  EXPECT_FALSE(two.shard(0).given(two.mover.move())) << "it is not durable";
  two.disks.sync(0);
  ASSERT_TRUE(two.shard(0).given(two.mover.move()));
  two.mover.step();
  EXPECT_EQ(two.mover.stage(), Mover::Stage::kSettles);
  EXPECT_EQ(two.error(1, in_run("c")), "wrong_shard");
  EXPECT_FALSE(two.shard(1).has_taken(two.mover.move()));
  two.disks.sync(1);
  EXPECT_TRUE(two.shard(1).has_taken(two.mover.move()));
  two.durable = true;
  EXPECT_EQ(two.value(1, in_run("c")), 3);
  EXPECT_FALSE(two.shard(1).take_over(two.mover.move(), 1, two.world.now())) << "once more is the same";
}

TEST(SlotsThatMove, ComeBackWithAGreaterVersion) {
  MovingShards two;
  two.client(0).run(1, {add(in_run("c"), 1), set_add(in_run("s"), "x")});
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    const std::uint32_t from = turn % 2, to = 1 - from;
    two.move(from, to);
    EXPECT_EQ(two.shard(to).engine().ground.slots().version(two.run.first), turn + 1);
    two.client(to).run(1, {add(in_run("c"), 1), add(in_run("new" + std::to_string(turn)), 1)}, 1);
    EXPECT_EQ(two.value(to, in_run("c")), turn + 2);
    EXPECT_EQ(two.error(from, in_run("c")), "wrong_shard");
    if (turn % 3 == 0) two.checkpoint(from);
  }
  EXPECT_EQ(two.shard(0).engine().ground.records.size(), 6u);
  EXPECT_EQ(two.shard(1).engine().ground.records.size(), 0u);
}

TEST(SlotsThatMove, MakeAShardThatJoinedLaterServe) {
  MovingShards three(3, 2);
  EXPECT_TRUE(three.shard(2).slots().empty());
  EXPECT_EQ(three.error(2, in_run("c")), "wrong_shard");
  three.client(0).run(1, {add(in_run("c"), 5)});
  three.move(0, 2);
  EXPECT_EQ(three.value(2, in_run("c")), 5);
  // It takes part in transactions over several shards.
  TestClient zero(three.world, 100, 0, 50), two(three.world, 100, 2, 50);
  const std::vector<std::uint32_t> both{0, 2};
  const Step step{.attempt = 1, .begin_with_priority = 10, .prepare = both};
  Step here = step, there = step;
  here.operations = {add(beside_run("c"), 1)};
  there.operations = {add(in_run("c"), 1)};
  const Timestamp at = std::max(zero.step(here).voted_at, two.step(there).voted_at);
  zero.commit_outcome(1, at).send();
  two.commit_outcome(1, at).send();
  EXPECT_EQ(three.value(0, beside_run("c")), 1);
  EXPECT_EQ(three.value(2, in_run("c")), 6);
}

TEST(SlotsThatMove, GiveNoUniqueIdTwice) {
  MovingShards two;
  const Op next{in_run("ids"), "UIdGenerator.next", {}};
  std::set<std::string> seen;
  const auto draw = [&](std::uint32_t shard) {
    for (int i = 0; i < 3; ++i) {
      const Reply reply = two.client(shard).run(1, {next}, 1);
      ASSERT_EQ(reply.results.size(), 1u);
      EXPECT_TRUE(seen.insert(reply.results[0].text()).second) << reply.results[0].text();
    }
  };
  draw(0);
  two.move(0, 1);
  draw(1);
  two.crash(1);
  draw(1);
  two.move(1, 0);
  draw(0);
  EXPECT_EQ(two.client(0).run(1, {{beside_run("ids"), "UIdGenerator.next", {}}}, 1).results[0].text().find_last_of('-'), 1u);
}

TEST(SlotsThatMove, RaiseTheClockOfTheTaker) {
  MovingShards two;
  TestClient zero = two.client(0, 50), one = two.client(1, 50);
  const Step step{.attempt = 1, .begin_with_priority = 10, .prepare = kBoth};
  Step here = step, there = step;
  here.operations = {add(beside_run("c"), 1)};
  there.operations = {add(of_other("c"), 1)};
  zero.step(here);
  one.step(there);
  // An outcome far ahead takes the clock of the giver with it.
  const Timestamp far = HybridClock::later(two.shard(0).engine().ground.clock.reached(), 60'000);
  zero.commit_outcome(1, far).send();
  const Timestamp told = zero.run(2, {add(in_run("c"), 1), value(in_run("c"))}).committed_at;
  EXPECT_GT(told, far);
  ASSERT_LT(two.shard(1).engine().ground.clock.reached(), far);
  two.move();
  EXPECT_GT(two.client(1).run(1, {add(in_run("c"), 1)}, 1).committed_at, told);
  two.crash(1);
  EXPECT_GT(two.shard(1).engine().ground.clock.reached(), told);
}

// ---- answers --------------------------------------------------------------------------------------------------------------

// Ids of transactions with their home in the run, and beside it.
std::string home_in(const SlotRun& run, char name) {
  std::string id(16, name);
  id[0] = static_cast<char>(run.first >> 8);
  id[1] = static_cast<char>(run.first & 0xFF);
  return id;
}

TEST(KeptAnswersThatMove, AnswerARetryAtTheNewHome) {
  MovingShards two;
  TestClient client = two.client(0);
  std::map<std::string, Timestamp> committed;
  const auto commit = [&](std::uint64_t attempt, const std::string& id) {
    client.step({.attempt = attempt, .begin_with_priority = 10, .operations = {add(beside_run("c"))}, .transaction = id});
    committed[id] = client.step({.attempt = attempt, .sent_before = 1, .prepare = kAlone, .answer = id}).committed_at;
  };
  commit(1, home_in(two.run, 'a'));
  commit(2, home_in({77, 77}, 'b'));
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  commit(3, home_in(two.run, 'c'));
  two.mover.run();
  for (const char name : {'a', 'c'}) {
    const std::string id = home_in(two.run, name);
    const Step claim{.attempt = 9, .begin_with_priority = 10, .transaction = id};
    EXPECT_EQ(two.client(0).step(claim).error, "wrong_shard");
    const Reply again = two.client(1).step(claim);
    EXPECT_EQ(again.committed_before, committed[id]);
    EXPECT_EQ(again.answer, id);
  }
  const Step beside{.attempt = 9, .begin_with_priority = 10, .transaction = home_in({77, 77}, 'b')};
  EXPECT_EQ(two.client(0).step(beside).answer, home_in({77, 77}, 'b')) << "the others stay";
  EXPECT_EQ(two.shard(0).engine().ground.deduplication.size(), 1u);
  two.crash(1);
  const Step claim{.attempt = 9, .begin_with_priority = 10, .transaction = home_in(two.run, 'a')};
  EXPECT_EQ(two.client(1).step(claim).answer, home_in(two.run, 'a')) << "also after a restart";
}

TEST(KeptAnswersThatMove, AreKeptForTheSameTimeByAnotherClock) {
  MovingShards two;
  two.world.wall_ahead_ms = 3'600'000;
  two.crash(1);  // no change: its time goes on
  TestClient client = two.client(0);
  const std::string id = home_in(two.run, 'a');
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(beside_run("c"))}, .transaction = id});
  client.step({.attempt = 1, .sent_before = 1, .prepare = kAlone, .answer = "42", .keep_ms = 100'000});
  for (int i = 0; i < 60; ++i) two.world.tick(1'000);
  two.move();
  const Step claim{.attempt = 9, .begin_with_priority = 10, .transaction = id};
  for (int i = 0; i < 30; ++i) two.world.tick(1'000);
  EXPECT_EQ(two.client(1).step(claim).answer, "42") << "after 90 s";
  for (int i = 0; i < 20; ++i) two.world.tick(1'000);
  EXPECT_EQ(two.client(1).step(claim).answer, "") << "after 110 s";
}

// ---- what is refused ------------------------------------------------------------------------------------------------------

std::string begin(MovingShards& two, std::uint32_t from, const Give& give) { return Mover::code_of(two.shard(from).begin_give(give)); }

TEST(MovesThatAreRefused, AreThoseOfSlotsThatTheShardDoesNotOwn) {
  MovingShards two;
  EXPECT_EQ(begin(two, 0, {"m", {8000, 8192}, 1}), "invalid_move");
  EXPECT_EQ(begin(two, 0, {"m", {5, 4}, 1}), "invalid_move");
  EXPECT_EQ(begin(two, 1, {"m", {16383, 16384}, 0}), "invalid_move");
  EXPECT_EQ(begin(two, 0, {"m", {1, 1}, 0}), "invalid_move") << "to itself";
  EXPECT_EQ(begin(two, 0, {"m", {1, 1}, 256}), "invalid_move");
  EXPECT_EQ(begin(two, 0, {"", {1, 1}, 1}), "invalid_move");
  EXPECT_EQ(begin(two, 0, {std::string(65, 'm'), {1, 1}, 1}), "invalid_move");
  EXPECT_EQ(begin(two, 0, {std::string(64, 'm'), {0, 8191}, 1}), "");
  World without_log(2);
  EXPECT_EQ(Mover::code_of(without_log.shards[0]->begin_give({"m", {1, 1}, 1})), "invalid_move");
  EXPECT_EQ(Mover::code_of(without_log.shards[0]->import_piece("m", 1, "", without_log.now())), "invalid_move");
}

TEST(MovesThatAreRefused, AreASecondGiveAndASecondImport) {
  MovingShards three(3);
  const SlotRun of_one{slot_of("{a1}"), slot_of("{a1}")};
  EXPECT_EQ(begin(three, 0, {"m", three.run, 2}), "");
  EXPECT_EQ(begin(three, 0, {"n", {1, 1}, 2}), "move_in_progress");
  EXPECT_EQ(begin(three, 1, {"o", of_one, 2}), "") << "another shard gives at the same time";
  three.client(0).run(1, {add(in_run("c"))});
  three.client(1).run(1, {add("{a1}")});
  GivePiece first, second;
  ASSERT_FALSE(three.shard(0).take_give(kEverything, first));
  ASSERT_FALSE(three.shard(1).take_give(kEverything, second));
  EXPECT_EQ(Mover::code_of(three.shard(2).import_piece("m", 0, first.bytes, three.world.now())), "");
  EXPECT_EQ(Mover::code_of(three.shard(2).import_piece("o", 1, second.bytes, three.world.now())), "move_in_progress");
}

TEST(MovesThatAreRefused, AreStepsOutOfOrder) {
  MovingShards two;
  Shard& giver = two.shard(0);
  Shard& taker = two.shard(1);
  const Now now = two.world.now();
  GivePiece piece;
  EXPECT_EQ(Mover::code_of(giver.take_give(100, piece)), "unknown_move");
  EXPECT_EQ(Mover::code_of(giver.drain_give(0, now)), "unknown_move");
  EXPECT_EQ(Mover::code_of(giver.give(now)), "unknown_move");
  EXPECT_EQ(Mover::code_of(giver.call_off_give(now)), "unknown_move");
  EXPECT_EQ(Mover::code_of(giver.settle_give("m")), "unknown_move");
  EXPECT_EQ(Mover::code_of(taker.take_over("m", 1 << 20, now)), "unknown_move");
  EXPECT_EQ(Mover::code_of(taker.drop_import("m", now)), "unknown_move");
  for (int i = 0; i < 50; ++i) two.client(0).run(1, {add(in_run(std::to_string(i)))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.piece_bytes = 200;
  two.mover.take_piece();
  const std::string& id = two.mover.move();
  EXPECT_EQ(Mover::code_of(giver.give(now)), "move_not_ready") << "it is not drained";
  EXPECT_EQ(Mover::code_of(taker.take_over(id, 1 << 20, now)), "move_not_ready");
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 0, two.mover.last_piece, now)), "invalid_move") << "twice";
  two.mover.drain();
  EXPECT_EQ(Mover::code_of(giver.give(now)), "move_not_ready") << "pieces are missing";
  ASSERT_FALSE(giver.take_give(200, piece));
  GivePiece next;
  ASSERT_FALSE(giver.take_give(200, next));
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 0, next.bytes, now)), "invalid_move") << "one was left out";
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 5, piece.bytes, now)), "invalid_move") << "from another shard";
  EXPECT_EQ(Mover::code_of(taker.import_piece("other", 0, piece.bytes, now)), "move_in_progress");
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 0, piece.bytes, now)), "");
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 0, next.bytes, now)), "");
  EXPECT_EQ(Mover::code_of(taker.import_piece(id, 0, "nonsense", now)), "invalid_move");
}

TEST(MovesOfSlots, TellWhatIsLeftAlsoIfRecordsAreCreatedMeanwhile) {
  MovingShards two;
  for (int i = 0; i < 20; ++i) two.client(0).run(1, {add(in_run("before " + std::to_string(i)))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  for (int i = 0; i < 20; ++i) two.client(0).run(1, {add(in_run("meanwhile " + std::to_string(i)))});
  std::size_t bytes_left = 1;
  for (int pieces = 0; bytes_left > 0; ++pieces) {
    ASSERT_LT(pieces, 100);
    GivePiece piece;
    ASSERT_FALSE(two.shard(0).take_give(200, piece));
    bytes_left = piece.bytes_left;
    EXPECT_LT(bytes_left, 40 * 1000u);
  }
}

TEST(MovesThatAreRefused, AreOlderVersionsAndSlotsThatTheTakerOwns) {
  MovingShards three(3);
  three.client(0).run(1, {add(in_run("c"))});
  ASSERT_EQ(three.mover.begin(0, 1, three.run), "");
  three.mover.take_piece();
  const std::string first = three.mover.last_piece;
  EXPECT_EQ(Mover::code_of(three.shard(0).import_piece("own", 1, first, three.world.now())), "invalid_move") << "it owns the slots";
  three.mover.run();
  three.move(1, 2);
  EXPECT_EQ(Mover::code_of(three.shard(1).import_piece("late", 0, first, three.world.now())), "invalid_move");
  EXPECT_EQ(three.value(2, in_run("c")), 1);
}

TEST(MovesThatAreRefused, ArePiecesThatHoldSomethingElse) {
  MovingShards two;
  for (int i = 0; i < 3; ++i) two.client(0).run(1, {add(in_run(std::to_string(i)))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  GivePiece piece;
  ASSERT_FALSE(two.shard(0).take_give(kEverything, piece));
  const std::size_t records = two.shard(1).engine().ground.records.size();
  std::size_t refused = 0;
  for (std::size_t at = 0; at < piece.bytes.size(); ++at) {
    std::string damaged = piece.bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    const std::string id = "m" + std::to_string(at);
    if (two.shard(1).import_piece(id, 0, damaged, two.world.now())) {
      ++refused;
    } else {
      EXPECT_FALSE(two.shard(1).drop_import(id, two.world.now()));
    }
    two.world.tick(0);
    EXPECT_EQ(two.shard(1).engine().ground.records.size(), records);
  }
  EXPECT_GT(refused, 50u);
  EXPECT_FALSE(two.shard(1).moves().imported());
  two.mover.call_off();
  two.move();
  EXPECT_EQ(two.value(1, in_run("2")), 1);
}

TEST(MovesThatAreRefused, ArePiecesWithMoreAnswersThanTheTakerHasRoomFor) {
  Deduplication few(2, 100);
  TransactionId id{};
  few.claim(id, "answer");
  EXPECT_TRUE(few.has_room_for(1, 94));
  EXPECT_FALSE(few.has_room_for(2, 1));
  EXPECT_FALSE(few.has_room_for(1, 95));
}

// ---- what is called off ---------------------------------------------------------------------------------------------------

TEST(AMoveThatIsCalledOff, LeavesEverythingAsItWas) {
  MovingShards two;
  TestClient client = two.client(0);
  for (int i = 0; i < 50; ++i) client.run(1 + i, {add(in_run(std::to_string(i)))});
  const std::string id = home_in(two.run, 'a');
  client.step({.attempt = 100, .begin_with_priority = 10, .operations = {add(in_run("once"))}, .transaction = id});
  client.step({.attempt = 100, .sent_before = 1, .prepare = kAlone, .answer = "42"});
  for (const bool drained : {false, true}) {
    ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
    two.copy();
    if (drained) {
      two.mover.drain();
      two.mover.take_piece();
      EXPECT_EQ(two.mover.stage(), Mover::Stage::kGives);
    }
    EXPECT_EQ(two.shard(1).engine().ground.records.size(), 51u);
    EXPECT_EQ(two.shard(1).engine().ground.deduplication.size(), 1u);
    two.mover.call_off();
    two.world.tick(0);
    EXPECT_EQ(two.shard(1).engine().ground.records.size(), 0u);
    EXPECT_EQ(two.shard(1).engine().ground.deduplication.size(), 0u);
    EXPECT_FALSE(two.shard(1).moves().imported());
    client.run(200 + drained, {add(in_run("0"))});
  }
  EXPECT_EQ(two.value(0, in_run("0")), 3);
  two.move();
  EXPECT_EQ(two.value(1, in_run("0")), 3);
  EXPECT_EQ(two.value(1, in_run("49")), 1);
}

TEST(AMoveThatIsCalledOff, GoesOnCopyingIfOnlyItsDrainWas) {
  MovingShards two;
  TestClient client = two.client(0);
  client.run(1, {add(in_run("c"))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.drain();
  two.mover.take_piece();
  ASSERT_EQ(two.mover.stage(), Mover::Stage::kGives);
  two.mover.call_off_drain();
  EXPECT_EQ(Mover::code_of(two.shard(0).give(two.world.now())), "move_not_ready");
  client.run(2, {add(in_run("c"))});
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 2);
}

TEST(WhatIsLeftBehind, IsRemovedInSteps) {
  MovingShards two;
  TestClient client = two.client(0);
  for (int i = 0; i < 3000; ++i) client.run(1 + i, {add(in_run(std::to_string(i)))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.piece_bytes = 100'000;
  two.copy();
  two.give();
  Shard& giver = two.shard(0);
  const std::size_t left = giver.engine().ground.records.size();
  EXPECT_GT(left, 1000u) << "not all in one turn";
  EXPECT_EQ(giver.next_deadline_ms(), two.world.ms) << "the next turn is due";
  two.world.tick(0);
  EXPECT_LT(giver.engine().ground.records.size(), left);
  two.mover.run();
  EXPECT_EQ(giver.engine().ground.records.size(), 0u);
  EXPECT_GT(giver.next_deadline_ms(), two.world.ms);
  EXPECT_EQ(two.shard(1).engine().ground.records.size(), 3000u);
}

}  // namespace
}  // namespace claret::testing

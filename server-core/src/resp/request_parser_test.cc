#include "resp/request_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace claret::resp {
namespace {

using Commands = std::vector<std::vector<std::string>>;

struct Parsed {
  Commands commands;
  std::string error;
  bool operator==(const Parsed&) const = default;
};

void PrintTo(const Parsed& parsed, std::ostream* out) { *out << ::testing::PrintToString(parsed.commands) << parsed.error; }

// Feeds each chunk from memory of its own, which is gone before the next: a view that is left behind shows under the sanitizer.
void feed(RequestParser& parser, std::string_view chunk, Parsed& parsed) {
  if (!parsed.error.empty()) return;
  const auto bytes = std::make_unique<char[]>(chunk.size());
  std::copy(chunk.begin(), chunk.end(), bytes.get());
  parser.feed({bytes.get(), chunk.size()});
  for (;;) {
    switch (parser.next()) {
      case RequestParser::Step::kMore:
        return;
      case RequestParser::Step::kError:
        parsed.error = parser.error();
        return;
      case RequestParser::Step::kTooLarge:
        parsed.commands.push_back({"too large", std::string(parser.error())});
        EXPECT_TRUE(parser.pass());
        break;
      case RequestParser::Step::kCommand:
        parsed.commands.emplace_back(parser.arguments().begin(), parser.arguments().end());
        break;
    }
  }
}

Parsed parse(const std::vector<std::string_view>& chunks, RequestLimits limits = {}) {
  RequestParser parser(limits);
  Parsed parsed;
  for (const auto chunk : chunks) feed(parser, chunk, parsed);
  return parsed;
}

Parsed parse(std::string_view stream, RequestLimits limits = {}) { return parse(std::vector{stream}, limits); }

std::string error_of(std::string_view stream, bool authenticated = true) {
  RequestParser parser;
  parser.set_authenticated(authenticated);
  Parsed parsed;
  feed(parser, stream, parsed);
  EXPECT_TRUE(parsed.commands.empty());
  return parsed.error;
}

std::string request(const std::vector<std::string>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const auto& word : words) bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}

std::string with_zeros(std::string text) {
  std::replace(text.begin(), text.end(), '~', '\0');
  return text;
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> kStreams = {
      "PING\r\n",
      request({"PING"}) + request({"SET", "key", "value"}) + request({"GET", "key"}),
      request({"ECHO", ""}) + request({""}) + request({"", "", ""}),
      request({"SET", "binary", with_zeros("a\r\n~$1\r\n*1\r\n")}) + "PING\n",
      "*0\r\n*-1\r\n*-12\r\n" + request({"PING"}) + "\r\n   \r\n\n*0\r\n" + request({"END"}),
      "SET key \"a b\\x41\\r\\n\\t\\b\\a\\\\\\\"\\q\"\r\nSET key 'a \\n \\' b'\r\n  GET\t key \v x\r\n",
      "ECHO \"\" ''\nECHO a\"b c\" d'e f'\n",
      "PING\r\n" + request({"MULTI"}) + "set a 1\r\n" + request({"EXEC"}),
      "*1\rx$4\ryPINGzz*1\r\n$4\r\nPONGab",
      request({"A", std::string(700, 'x'), std::string(1500, 'y')}) + request({"B"}) + request({"C", std::string(20, 'z')}),
      // ---- with an error at the end
      request({"PING"}) + "*x\r\nPING\r\n",
      request({"PING"}) + "*1\r\n$-1\r\n",
      "PING\r\n*2\r\n$1\r\na\r\n:1\r\n",
      "PING\r\nECHO \"a\r\nPING\r\n",
      "ECHO \"a\"b\r\n",
      "*9223372036854775808\r\n",
      "*5000\r\n",
      request({"PING"}) + "*2\r\n$4\r\nECHO\r\n$2000000\r\n",
  };
  return kStreams;
}

TEST(RespRequests, AreTheSameHoweverTheyAreCut) {
  for (const auto& stream : corpus()) {
    const Parsed whole = parse(stream);
    const std::string_view bytes = stream;
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
      ASSERT_EQ(parse({bytes.substr(0, cut), bytes.substr(cut)}), whole) << ::testing::PrintToString(stream) << " at " << cut;
    }
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < stream.size(); ++i) single.push_back(bytes.substr(i, 1));
    EXPECT_EQ(parse(single), whole) << ::testing::PrintToString(stream);
  }
}

TEST(RespRequests, AreTheSameHoweverTheyAreCutTwice) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 3000; ++round) {
    std::string stream;
    for (int i = 0; i < 3; ++i) stream += corpus()[random() % 10];  // the last may have an error
    stream += corpus()[random() % corpus().size()];
    std::size_t from = random() % (stream.size() + 1);
    std::size_t to = random() % (stream.size() + 1);
    if (from > to) std::swap(from, to);
    const std::string_view bytes = stream;
    ASSERT_EQ(parse({bytes.substr(0, from), bytes.substr(from, to - from), bytes.substr(to)}), parse(stream))
        << ::testing::PrintToString(stream) << " at " << from << " and " << to;
  }
}

TEST(RespRequests, OfRandomBytesAreTheSameHoweverTheyAreCut) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  constexpr std::string_view kLikely = "*$\r\n0123 \"'\\x-ab";
  const RequestLimits small{.command_bytes = 60, .arguments = 3, .line_bytes = 12};
  for (int round = 0; round < 20000; ++round) {
    std::string stream;
    while (random() % 40 != 0) {
      if (random() % 4 == 0) stream += request({std::string(random() % 4, 'w')});
      stream.push_back(random() % 8 == 0 ? static_cast<char>(random()) : kLikely[random() % kLikely.size()]);
    }
    const std::string_view bytes = stream;
    const std::size_t cut = random() % (stream.size() + 1);
    const std::size_t next = cut + random() % (stream.size() - cut + 1);
    const std::vector<std::string_view> cuts{bytes.substr(0, cut), bytes.substr(cut, next - cut), bytes.substr(next)};
    ASSERT_EQ(parse(cuts), parse(stream)) << ::testing::PrintToString(stream) << " at " << cut << " and " << next;
    ASSERT_EQ(parse(cuts, small), parse(stream, small)) << ::testing::PrintToString(stream) << " at " << cut << " and " << next;
  }
}

TEST(RespRequests, OfTheCorpusHaveTheseArguments) {
  const auto commands = [](std::size_t n) { return parse(corpus()[n]).commands; };
  EXPECT_EQ(commands(1), (Commands{{"PING"}, {"SET", "key", "value"}, {"GET", "key"}}));
  EXPECT_EQ(commands(2), (Commands{{"ECHO", ""}, {""}, {"", "", ""}}));
  EXPECT_EQ(commands(3), (Commands{{"SET", "binary", with_zeros("a\r\n~$1\r\n*1\r\n")}, {"PING"}}));
  EXPECT_EQ(commands(4), (Commands{{"PING"}, {"END"}}));
  EXPECT_EQ(commands(5), (Commands{{"SET", "key", "a bA\r\n\t\b\a\\\"q"}, {"SET", "key", "a \\n ' b"}, {"GET", "key", "x"}}));
  EXPECT_EQ(commands(6), (Commands{{"ECHO", "", ""}, {"ECHO", "ab c", "de f"}}));
  EXPECT_EQ(commands(8), (Commands{{"PING"}, {"PONG"}}));
}

TEST(RespRequests, ThatBreakTheProtocolAreAnsweredAsByRedis) {
  const std::string_view invalid_count = "ERR Protocol error: invalid multibulk length";
  for (const auto stream : {"*x\r\n", "*\r\n", "* 1\r\n", "*01\r\n", "*-0\r\n", "*2147483648\r\n", "*99999999999999999999\r\n"}) {
    EXPECT_EQ(error_of(stream), invalid_count) << stream;
  }
  const std::string_view invalid_length = "ERR Protocol error: invalid bulk length";
  for (const auto stream :
       {"*1\r\n$\r\n", "*1\r\n$x\r\n", "*1\r\n$-1\r\n", "*1\r\n$04\r\n", "*1\r\n$536870913\r\n", "*1\r\n$67108865\r\n"}) {
    EXPECT_EQ(error_of(stream), invalid_length) << stream;
  }
  EXPECT_EQ(error_of("*1\r\nx12\r\n"), "ERR Protocol error: expected '$', got 'x'");
  EXPECT_EQ(error_of("*1\r\n\r\n"), "ERR Protocol error: expected '$', got ' '");
  EXPECT_EQ(error_of("ECHO 'a\r\n"), "ERR Protocol error: unbalanced quotes in request");
  EXPECT_EQ(error_of("ECHO 'a'b\r\n"), "ERR Protocol error: unbalanced quotes in request");
  const std::string digits(70000, '1');
  EXPECT_EQ(error_of(digits), "ERR Protocol error: too big inline request");
  EXPECT_EQ(error_of("*" + digits), "ERR Protocol error: too big mbulk count string");
  EXPECT_EQ(error_of("*1\r\n$" + digits), "ERR Protocol error: too big bulk count string");
}

TEST(RespRequests, BeyondTheLimitsArePassedOver) {
  const Commands arguments{{"too large", "ERR more than 4096 arguments"}, {"PING"}};
  const Commands bytes{{"too large", "ERR command of more than 1048576 bytes"}, {"PING"}};
  EXPECT_EQ(parse("*4096\r\n").error, "");
  EXPECT_EQ(parse(request(std::vector<std::string>(4097, "a")) + "PING\r\n").commands, arguments);
  EXPECT_EQ(parse(request({"SET", "k", std::string(1 << 20, 'x')}) + "PING\r\n").commands, bytes);
  const std::string half(600000, 'x');
  EXPECT_EQ(parse(request({half, half, "k"}) + "PING\r\n").commands, bytes);
  std::string words;
  for (int i = 0; i < 4097; ++i) words += "a ";
  EXPECT_EQ(parse(words + "\r\nPING\r\n").commands, arguments);
}

TEST(RespRequests, ThatArePassedOverTakeNoMemory) {
  const std::string stream = request({"SET", "k", std::string(8 << 20, 'x')}) + "PING\r\n";
  RequestParser parser;
  Parsed parsed;
  for (std::size_t at = 0; at < stream.size(); at += 65536) {
    feed(parser, std::string_view(stream).substr(at, 65536), parsed);
    EXPECT_LT(parser.held(), 2u << 20U);
  }
  EXPECT_EQ(parsed.commands.size(), 2u);
  EXPECT_EQ(parsed.error, "");
}

TEST(RespRequests, BeyondWhatIsPassedOverAreRefused) {
  EXPECT_EQ(error_of("*1048577\r\n"), "ERR Protocol error: more than 4096 arguments");
  EXPECT_EQ(error_of("*2147483647\r\n"), "ERR Protocol error: more than 4096 arguments");
  const RequestLimits small{.command_bytes = 100, .passed_bytes = 1000};
  const std::string words = "$300\r\n" + std::string(300, 'x') + "\r\n";
  EXPECT_EQ(parse("*5\r\n" + words + words + words + words, small).error, "ERR Protocol error: command of more than 1000 bytes");
}

TEST(RespRequests, OfStrangersAreShort) {
  EXPECT_EQ(error_of("*11\r\n", false), "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(error_of("*10\r\n", false), "");
  EXPECT_EQ(error_of("*1\r\n$16385\r\n", false), "ERR Protocol error: unauthenticated bulk length");
  EXPECT_EQ(error_of("*1\r\n$16384\r\n", false), "");
}

TEST(RespRequests, AfterAnErrorAreNotParsed) {
  RequestParser parser;
  parser.feed("*x\r\nPING\r\n");
  EXPECT_EQ(parser.next(), RequestParser::Step::kError);
  EXPECT_EQ(parser.next(), RequestParser::Step::kError);
}

TEST(RespRequests, InOneChunkAreNotCopied) {
  const std::string stream = request({"SET", "key", std::string(50000, 'v')}) + request({"GET", "key"});
  RequestParser parser;
  parser.feed(stream);
  ASSERT_EQ(parser.next(), RequestParser::Step::kCommand);
  EXPECT_EQ(parser.arguments()[2].data(), stream.data() + stream.find("vvv"));
  ASSERT_EQ(parser.next(), RequestParser::Step::kCommand);
  EXPECT_EQ(parser.arguments()[1].data(), stream.data() + stream.rfind("key"));
  EXPECT_LT(parser.held(), 1000u);
}

TEST(RespRequests, BehindOneThatACutWentThroughAreNotCopied) {
  const std::string first = request({"SET", "key", "value"});
  const std::string stream = first.substr(10) + request({"SET", "key", std::string(50000, 'v')});
  RequestParser parser;
  parser.feed(std::string_view(first).substr(0, 10));
  ASSERT_EQ(parser.next(), RequestParser::Step::kMore);
  parser.feed(stream);
  ASSERT_EQ(parser.next(), RequestParser::Step::kCommand);
  EXPECT_EQ(parser.arguments()[2], "value");
  ASSERT_EQ(parser.next(), RequestParser::Step::kCommand);
  EXPECT_EQ(parser.arguments()[2].data(), stream.data() + stream.find("vvv"));
}

TEST(RespRequests, ThatAreOnlyAnnouncedTakeNoMemory) {
  for (const auto stream : {"*4096\r\n", "*4096\r\n$1000000\r\n", "*1\r\n$1048000\r\nabc", "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\n"}) {
    RequestParser parser;
    Parsed parsed;
    feed(parser, stream, parsed);
    EXPECT_TRUE(parsed.commands.empty());
    EXPECT_EQ(parsed.error, "");
    EXPECT_LT(parser.held(), 500u) << stream;
  }
}

TEST(RespRequests, ThatComeByteByByteAreNotSearchedAgain) {
  // Would take minutes if each byte led to a walk over those before it.
  const std::string stream = request({"SET", "key", std::string(1'000'000, 'v')}) + std::string(60'000, ' ') + "PING\r\n" +
                             request(std::vector<std::string>(4096, std::string(100, 'a')));
  RequestParser parser;
  Parsed parsed;
  for (const char byte : stream) feed(parser, {&byte, 1}, parsed);
  EXPECT_EQ(parsed.commands.size(), 3u);
  EXPECT_EQ(parsed.error, "");
}

TEST(RespRequests, ThatAreKeptAreParsedLater) {
  std::string stream;
  for (int i = 0; i < 20000; ++i) stream += request({"GET", std::to_string(i)});
  RequestParser parser;
  parser.feed(stream);
  // A keep() after each would take minutes if it moved the rest.
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(parser.next(), RequestParser::Step::kCommand);
    ASSERT_EQ(parser.arguments()[1], std::to_string(i));
    parser.keep();
    if (i == 0) std::fill(stream.begin(), stream.end(), '!');
  }
  EXPECT_EQ(parser.unparsed(), 0u);
  EXPECT_EQ(parser.next(), RequestParser::Step::kMore);
}

TEST(RespRequests, ThatWereLongGiveTheirMemoryBack) {
  RequestParser parser;
  Parsed parsed;
  const std::string stream = request({std::string(1'000'000, 'v')});
  feed(parser, std::string_view(stream).substr(0, 900'000), parsed);
  EXPECT_GT(parser.held(), 800'000u);
  feed(parser, std::string_view(stream).substr(900'000), parsed);
  EXPECT_EQ(parsed.commands.size(), 1u);
  EXPECT_LT(parser.held(), 100'000u);
}

}  // namespace
}  // namespace claret::resp

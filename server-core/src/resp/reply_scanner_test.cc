#include "resp/reply_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace claret::resp {

namespace reply_scanning {

const std::vector<std::string> kReplies = {
    "+OK\r\n",
    "-ERR no\r\n",
    ":-7\r\n",
    "$-1\r\n",
    "$0\r\n\r\n",
    "$4\r\n\r\n\r\n\r\n",
    "*-1\r\n",
    "*0\r\n",
    "*2\r\n*1\r\n:1\r\n$1\r\na\r\n",
    "%1\r\n+a\r\n~2\r\n_\r\n#t\r\n",
    ",1.5\r\n",
    "(12345678901234567890\r\n",
    "=6\r\ntxt:ab\r\n",
    ">1\r\n!3\r\nERR\r\n",
};

TEST(ReplyScanner, FindsTheEndsOfRepliesHoweverTheirBytesAreCut) {
  std::string bytes;
  for (const std::string& reply : kReplies) bytes += reply;
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    ReplyScanner scanner;
    std::vector<std::string> found;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      scanner.feed(std::string_view(bytes).substr(at, piece));
      while (scanner.next() == ReplyScanner::Step::kReply) found.emplace_back(scanner.reply());
    }
    EXPECT_EQ(found, kReplies) << "pieces of " << piece;
  }
}

TEST(ReplyScanner, SaysThatTheStreamIsBrokenIfABeginningIsNoReply) {
  for (const char* bytes : {"hello\r\n", "\r\n", "$-2\r\n", "$x\r\n", "*1.5\r\n", "*1\r\nx\r\n"}) {
    ReplyScanner scanner;
    scanner.feed(bytes);
    EXPECT_EQ(scanner.next(), ReplyScanner::Step::kBroken) << bytes;
  }
}

}  // namespace reply_scanning

}  // namespace claret::resp

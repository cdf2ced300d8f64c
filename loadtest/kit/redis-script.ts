// A Lua script of a redis-server, for a client of node-redis. It is called by its digest (EVALSHA).

import { defineScript, type CommandParser } from 'redis';

/** The call takes keys and arguments. `Reply`: what the script returns. */
export const redisScript = <Reply>(lua: string) =>
  defineScript({
    SCRIPT: lua,
    parseCommand(parser: CommandParser, keys: string[], args: string[]) {
      parser.pushKeysLength(keys);
      parser.push(...args);
    },
    transformReply: undefined as unknown as () => Reply,
  });

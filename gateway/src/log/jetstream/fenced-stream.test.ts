// A writer whose stream has no leader for a while, in virtual time.
import { randomFrom } from '@claret/client/testing';
import { TimeoutError } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { Machine, World } from '../../replication/testing/machines.ts';
import { ANSWER_MS } from './connection.ts';
import type { Nats } from './connection.ts';
import { FencedStream } from './fenced-stream.ts';
import { NO_TAIL } from './frames.ts';

test.each(Array.from({ length: 20 }, (_, n) => 3_000 + 171 * n))(
  'what was sent in vain is stored within a second of the moment at which there is a leader (%i ms)',
  async (ledFromMs) => {
    const world = new World(randomFrom(1));
    const { environment } = new Machine(world, 1);
    /** Nobody hears what is asked before. */
    const asked = <T>(timeout: number, answer: T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (world.nowMs >= ledFromMs) resolve(answer);
        else environment.setTimeout(() => reject(new TimeoutError()), timeout);
      });
    let storedAtMs: number | undefined;
    const silences: (string | null)[] = [];
    const nats = {
      environment,
      js: { publish: (_subject: string, _payload: Uint8Array, { timeout }: { timeout: number }) => asked(timeout, { seq: 1 }) },
      jsm: { streams: { info: () => asked(ANSWER_MS, { state: { last_seq: 0 } }) } },
    } as unknown as Nats;
    const stream = new FencedStream({
      nats,
      stream: 'log',
      tail: NO_TAIL,
      writer: { shard: 0, shards: 1, incarnation: 1 },
      token: 'token',
      onSilent: (why) => void silences.push(why),
      onFailed: (_code, message) => expect.unreachable(message),
      onProgress: () => {},
    });
    stream.append('entries', { last: 1, body: [Buffer.from('entry')] }, () => (storedAtMs = world.nowMs));
    await world.runUntil(ledFromMs + 10_000);
    expect(storedAtMs! - ledFromMs).toBeLessThan(1_000);
    expect(silences, 'the log is unavailable meanwhile').toEqual([`no answer within ${ANSWER_MS} ms`, null]);
  },
);

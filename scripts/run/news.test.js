import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backWords, deathWords, lastWords, moveWords } from './news.js';

const death = { name: 'gateway 1', code: null, signal: 'SIGKILL', lastLines: [], againInMs: 400, givenUp: null };

test('a death names the process, how it ended, and when it is started again', () => {
  assert.equal(deathWords(death), 'gateway 1 was killed by SIGKILL. It is started again in 0.4 s.');
  assert.match(deathWords({ ...death, code: 1, signal: null }), /^gateway 1 ended with exit code 1\. /);
  assert.equal(backWords({ name: 'auctions 0', awayMs: 1_240 }, 'none'), 'auctions 0 is back after 1.2 s.');
});

test('a gateway whose data lived in memory is back with an empty shard, and the demo says so', () => {
  const back = { name: 'gateway 0', awayMs: 1_000 };
  assert.match(backWords(back, 'none'), /^gateway 0 is back after 1\.0 s\. Its shard is empty/);
  assert.doesNotMatch(backWords(back, 'sync'), /empty/);
});

const remaining = { kind: 'gateway', shard: 1, standbys: 1, natsServers: 3 };

test('with a replicated log, the death of an owner tells who takes its shard, and that of a standby does not', () => {
  assert.equal(
    deathWords({ ...death, remaining }),
    'gateway 1, the owner of shard 1, was killed by SIGKILL. A standby takes the shard over. The process is started again in 0.4 s.',
  );
  assert.match(
    deathWords({ ...death, remaining: { ...remaining, standbys: 0 } }),
    /No standby runs: the shard is away until a gateway takes it\./,
  );
  assert.equal(
    deathWords({ ...death, code: 1, signal: null, remaining: { ...remaining, shard: null } }),
    'gateway 1, which owned no shard, ended with exit code 1. It is started again in 0.4 s.',
  );
  assert.match(
    deathWords({ ...death, name: 'auctions 0', remaining: { ...remaining, kind: 'auctions', shard: null } }),
    /^auctions 0 was killed/,
  );
});

test('the death of a NATS server tells whether changes go on', () => {
  const nats = (natsServers) =>
    deathWords({ ...death, name: 'NATS server 1', remaining: { kind: 'nats', shard: null, standbys: 1, natsServers } });
  assert.equal(
    nats(2),
    'NATS server 1 was killed by SIGKILL. The other servers have the log: nothing is lost. It is started again in 0.4 s.',
  );
  assert.match(nats(1), /SIGKILL\. Changes are refused until two servers run; nothing is lost\. It is started again/);
});

test('a shard that has another owner is told with the time without one, if its gateway was seen to die', () => {
  const move = { shard: 0, owner: 'gateway 2', before: 'gateway 0', awayMs: 2_340 };
  assert.equal(moveWords(move), 'gateway 2 owns shard 0 now, in place of gateway 0. The shard was away for 2.3 s.');
  assert.equal(moveWords({ ...move, owner: 'gateway 0' }), 'gateway 0 owns shard 0 again. The shard was away for 2.3 s.');
  assert.equal(moveWords({ ...move, awayMs: null }), 'gateway 2 owns shard 0 now, in place of gateway 0.');
});

test('a gateway that comes back as a standby says so', () => {
  const back = { name: 'gateway 0', awayMs: 1_000 };
  assert.equal(backWords({ ...back, isStandby: true }, 'sync'), 'gateway 0 is back after 1.0 s, as a standby.');
  assert.equal(backWords({ ...back, isStandby: false }, 'sync'), 'gateway 0 is back after 1.0 s.');
});

test('each reason to end the demo has its own sentence', () => {
  const ended = { ...death, signal: null, againInMs: null };
  assert.equal(lastWords({ ...ended, code: 2, givenUp: 'refused' }), 'gateway 1 refused to run (exit code 2).');
  assert.match(lastWords({ ...ended, code: 1, givenUp: 'unsteady' }), /exit code 1, the 8th end within 60 s: it does not stay up\./);
  assert.match(lastWords({ ...ended, code: 1 }), /ended with exit code 1 before it was ready\./);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backWords, deathWords, lastWords } from './news.js';

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

test('each reason to end the demo has its own sentence', () => {
  const ended = { ...death, signal: null, againInMs: null };
  assert.equal(lastWords({ ...ended, code: 2, givenUp: 'refused' }), 'gateway 1 refused to run (exit code 2).');
  assert.match(lastWords({ ...ended, code: 1, givenUp: 'unsteady' }), /exit code 1, the 8th end within 60 s: it does not stay up\./);
  assert.match(lastWords({ ...ended, code: 1 }), /ended with exit code 1 before it was ready\./);
});

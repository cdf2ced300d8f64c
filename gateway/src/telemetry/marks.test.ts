// The memory of marks, on a clock under the test's control.
import { expect, test } from 'vitest';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { GatewayError } from '../errors.ts';
import { MARKS_KEPT_MS, MARKS_MAX, Marks, readChange } from './marks.ts';

function start() {
  const environment = new SeededEnvironment(1);
  const pass = (ms: number) => environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));
  return { environment, pass, marks: new Marks(3, 77, environment) };
}

test('marks are remembered for ten minutes, the newest 200 of them', async () => {
  const { marks, pass } = start();
  marks.note('first');
  await pass(MARKS_KEPT_MS / 2);
  for (let i = 1; i < MARKS_MAX; i++) marks.note(`note ${i}`);
  expect(marks.recent()).toHaveLength(MARKS_MAX);
  marks.note('one more');
  expect(marks.recent().map(({ what }) => what)).toEqual([
    ...Array.from({ length: MARKS_MAX - 1 }, (_, i) => ({ note: `note ${i + 1}` })),
    { note: 'one more' },
  ]);
  expect(new Set(marks.recent().map(({ id }) => id)).size).toBe(MARKS_MAX);
  await pass(MARKS_KEPT_MS - 1);
  expect(marks.recent()).toHaveLength(MARKS_MAX);
  await pass(1);
  expect(marks.recent()).toEqual([]);
});

test('a mark that arrives late is placed once, at the time when it was made, and is sent after earlier arrivals', async () => {
  const { marks, pass, environment } = start();
  await pass(10_000);
  const own = marks.add({ spike: 'began', name: 'bid-spike' });
  const told = marks.newest;
  marks.hear('0-5-1', { note: 'elsewhere' }, environment.monotonicMs() - 4_000);
  marks.hear('0-5-1', { note: 'elsewhere' }, environment.monotonicMs() - 3_900);
  marks.hear('0-5-2', { note: 'long ago' }, environment.monotonicMs() - MARKS_KEPT_MS);
  const heard = { kind: 'mark', id: '0-5-1', at_ms: own.at_ms - 4_000, what: { note: 'elsewhere' } };
  expect(marks.recent()).toEqual([heard, own]);
  expect(marks.after(told).map(({ mark }) => mark)).toEqual([heard]);
  expect(marks.after(marks.newest)).toEqual([]);
});

test('other gateways are told about spikes, notes and take-overs made here, and see the rest for themselves', () => {
  const { marks, environment } = start();
  marks.add({ spike: 'ended', name: 'rawmix' });
  marks.note('here');
  marks.add({ shard_taken_over: 3, by: 'b:2', from: 'a:2' });
  marks.add({ conditions: { locks: 'rw', phasing: true, combining: 'off' } });
  marks.hear('0-5-1', { note: 'elsewhere' }, environment.monotonicMs());
  expect(marks.after(0).map(({ own }) => own)).toEqual([true, true, true, false, false]);
});

const family = '\u{1F469}\u200D\u{1F4BB}';

test.each([
  'x',
  ' a b ',
  'Spitzenlast über 3 Knoten',
  '負荷試験',
  'نص',
  `${family} at work`,
  '<script>',
  '"quoted" \\ \'',
  '💥'.repeat(80),
])('a note may say %j', (text) => {
  const { marks } = start();
  expect(marks.note(text).what).toEqual({ note: text });
});

test.each([
  '',
  ' ',
  '\u00a0\u3000',
  'x'.repeat(81),
  '💥'.repeat(81),
  'a\nb',
  'a\u0000b',
  'a\u001b[31mb',
  '\ud800',
  'a\u202eb',
  'a\u2028b',
  '\ufeff',
  '\u200d',
])('a note may not say %j', (text) => {
  const { marks } = start();
  expect(() => marks.note(text)).toThrow(GatewayError);
  expect(marks.recent()).toEqual([]);
});

test('only known kinds of changes are accepted from another gateway', () => {
  for (const what of [
    { note: 'a' },
    { spike: 'began', name: 'rawmix' },
    { shard_restarted: 1 },
    { shard_taken_over: 1, by: 'b:2', from: 'a:2' },
    { shard_taken_over: 1, by: 'b:2', from: 'a:2', unanswered_ms: 2_300 },
  ])
    expect(readChange(JSON.stringify(what))).toEqual(what);
  for (const json of ['', '{', 'null', '[]', '{}', '{"note":1}', '{"spike":"paused","name":"a"}', '{"moved":1}', '{"shard_taken_over":1}'])
    expect(readChange(json)).toBeNull();
});

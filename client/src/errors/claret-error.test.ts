import { expect, it } from 'vitest';
import { inProcessCluster } from '../testing/in-process-cluster.ts';
import { ClaretError, errorLike, textOf } from './claret-error.ts';

const about = { code: 'wrong_type', message: 'the record is a Counter', key: 'visits', operation: 'Set.size' };

it('a message names the operation, the record, and what was in the way', () => {
  expect(new ClaretError(about).message).toBe('Set.size visits: the record is a Counter');
  expect(new ClaretError({ code: 'overloaded', message: 'too much' }).message).toBe('too much');
  expect(new ClaretError({ ...about, blockingOperation: 'Set.add', blockingLabel: 'Tag' }).message).toBe(
    'Set.size visits: the record is a Counter (it met Set.add of Tag)',
  );
});

it('a message stays on one line, and does not grow with the key', () => {
  expect(new ClaretError({ ...about, key: 'a\nb' }).message).toBe('Set.size "a\\nb": the record is a Counter');
  expect(new ClaretError({ ...about, key: 'k'.repeat(1_000) }).message.length).toBeLessThan(130);
});

it('a copy of an error names its record once', () => {
  const error = new ClaretError(about);
  expect(errorLike(error, { retries: 3 }).message).toBe(error.message);
  expect(errorLike(error, { message: `gave up: ${textOf(error)}`, key: 'other' }).message).toBe(
    'Set.size other: gave up: the record is a Counter',
  );
});

it('errors of shards name the record and the operation once, whichever way it was sent', async () => {
  const cluster = await inProcessCluster();
  const claret = await cluster.connect();
  await claret.transact('Visit', [claret.on.counter('visits').add(1)]);
  const wanted = 'Set.size visits: the record is a Counter';
  const size = claret.on.set('visits').size();
  await expect(claret.transact('Look', [size])).rejects.toMatchObject({ message: wanted });
  await expect(claret.transaction('Look', (tx) => tx.perform(size))).rejects.toMatchObject({ message: wanted });
  await expect(claret.native.perform(size)).rejects.toMatchObject({ message: wanted });
  const seen = Promise.withResolvers<string>();
  claret.watch([size], ({ error }) => seen.resolve(error?.message ?? 'no error'));
  expect(await seen.promise).toBe(wanted);
  expect(() => claret.describe('visits', 'Set.add', [7])).toThrow(
    expect.objectContaining({ message: 'Set.add visits: expected a text, got number' }),
  );
  expect(() => claret.describe('visits', 'Set.add', [])).toThrow(
    expect.objectContaining({ message: 'Set.add visits: the operation takes 1 argument, not 0' }),
  );
  await cluster.stop();
});

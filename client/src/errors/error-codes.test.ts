import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { generateShardErrors } from '../../scripts/generate-errors.ts';
import { ClaretError } from './claret-error.ts';
import { ERROR_CAUSES, ERROR_CODES } from './error-codes.ts';
import { SHARD_ERROR_CODES } from './shard-errors.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the list of shard errors is up to date with the header of the core', () => {
  expect(read('./shard-errors.ts')).toBe(generateShardErrors(read('../../../server-core/src/ground/errors.h')));
});

it('no code and no cause is listed twice', () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  expect(new Set(ERROR_CAUSES).size).toBe(ERROR_CAUSES.length);
});

/** What a shard says of each error. */
const TOLD = {
  message: 'why',
  key: 'k',
  operation: 'Counter.value',
  blockingOperation: 'Set.add',
  blockingLabel: 'Elder',
  retryAfterMs: 7,
};
const PASSED_ON = {
  key: 'k',
  operation: 'Counter.value',
  blockingOperation: 'Set.add',
  blockingLabel: 'Elder',
  retryAfterMs: 7,
  commitState: 'none',
};

async function failureAfter(say: (shard: ScriptedShard) => Promise<void>, run: (claret: Claret) => Promise<unknown>): Promise<unknown> {
  const shard = new ScriptedShard(0);
  const transport = new LocalTransport({ shards: new Map([['s0', shard]]), topology: () => evenTopology(['s0']) });
  const claret = await connect({ addresses: ['s0'], transport });
  const failing = run(claret).catch((error: unknown) => error);
  await say(shard);
  const error = await failing;
  await claret.close(0);
  return error;
}

const [lasting] = read('../../../server-core/src/ground/errors.h').split('// A temporary condition');

describe.each(SHARD_ERROR_CODES)('the code %s of a shard', (code) => {
  const told = { ...TOLD, code, retryable: !lasting!.includes(`"${code}"`) };

  it('reaches the caller of a transaction with all that the shard has told', async () => {
    const error = await failureAfter(
      async (shard) => {
        const { attempt } = await shard.request('Look');
        shard.say({ replies: [{ attempt, error: told }] });
      },
      (claret) => claret.transaction('Look', async (tx) => [await tx.counter('k').value()], { attemptsMax: 1 }),
    );
    expect(error).toBeInstanceOf(ClaretError);
    const gaveUp = (error as ClaretError).code === 'gave_up';
    expect(error).toMatchObject({ ...PASSED_ON, retryable: told.retryable, ...(gaveUp ? { cause: expect.any(String) } : { code }) });
    expect((error as Error).message).toMatch(/^Counter.value k: .*why.* \(it met Set.add of Elder\)$/);
  });

  // A native whose record has moved is sent again.
  it.skipIf(code === 'wrong_shard')('reaches the caller of a native with all that the shard has told', async () => {
    const error = await failureAfter(
      async (shard) => {
        const { natives } = await shard.frame((frame) => frame.natives.length > 0);
        shard.say({ nativesFailed: [{ number: natives[0].first, error: told }] });
      },
      (claret) => claret.native.counter('k').value(),
    );
    expect(error).toMatchObject({
      ...PASSED_ON,
      code,
      retryable: told.retryable,
      message: 'Counter.value k: why (it met Set.add of Elder)',
    });
  });
});

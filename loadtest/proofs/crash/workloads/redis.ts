// Commands of Redis clients at the doors of all gateways, in pipelines: INCR of registers, SADD, and MULTI with an INCR on each shard. Each is
// reported before it is sent, and when all of it has ended (../natives.ts). An error says that nothing has happened. A connection that ends
// without a reply says nothing.

import type { Claret } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { RawClient, type Reply } from '../../redis/raw-client.ts';
import { readAtRest } from '../at-rest.ts';
import { tagOn } from '../crowds.ts';
import { tell } from '../ledger.ts';
import type { NativeCall, NativeEnd } from '../natives.ts';
import { pause } from '../until.ts';
import { TRANSACTION_TIMEOUT_MS, type Begin } from '../workload.ts';

const REGISTERS = 4;
const SETS = 2;
const PIPELINE_MAX = 8;
/** Registers of both shards that are incremented together. */
const PAIRS = Array.from({ length: 2 }, (_, pair) => [0, 1].map((shard) => `${tagOn(`redis:${pair}`, shard)}:count`) as [string, string]);
/** No gateway may be up. */
const TRY_AGAIN_MS = 50;

/** What runs as one: a command, or several in MULTI. */
type Step = readonly NativeCall[];

export const redis: Begin = ({ doors, endpoints: { token }, chance }) => {
  let batches = 0;
  const idle: RawClient[] = [];
  return {
    async run({ epoch }) {
      const client = idle.pop() ?? (await opened(doors, token, chance));
      const batch = `redis-${process.pid}-${++batches}`;
      const steps = Array.from({ length: 1 + chance.below(PIPELINE_MAX) }, (_, i) => draw(chance, epoch, `${batch}-${i}`));
      const calls = steps.flat();
      tell({ natives: { batch, calls } });
      const ends = await perform(client, steps);
      tell({ natives: { batch, calls, ends } });
      if (client.isOpen) idle.push(client);
      if (ends.some(({ outcome }) => outcome !== 'done')) await pause(TRY_AGAIN_MS);
    },
  };
};

/** @param member a text that no other command uses */
function draw(chance: Chance, epoch: number, member: string): Step {
  const kind = chance.next();
  if (kind < 0.5) return [{ op: 'increment', key: `redis:register:${chance.below(REGISTERS)}` }];
  if (kind < 0.8) return [{ op: 'insert', key: `redis:set:${epoch}:${chance.below(SETS)}`, member }];
  return chance.pick(PAIRS).map((key) => ({ op: 'increment', key }));
}

/** At any door that lets it in. */
async function opened(doors: readonly string[], token: string, chance: Chance): Promise<RawClient> {
  for (;;) {
    try {
      const client = await RawClient.to(chance.pick(doors));
      if (token === '' || (await client.ask(['AUTH', token])).line === 'OK') return client;
      client.close();
    } catch {
      // It is down, or closes what comes while it restores its shard.
    }
    await pause(TRY_AGAIN_MS);
  }
}

async function perform(client: RawClient, steps: readonly Step[]): Promise<NativeEnd[]> {
  const late = setTimeout(() => client.close(), TRANSACTION_TIMEOUT_MS); // its machine is cut off for good
  const replies = await client.askAll(steps.flatMap(commandsOf));
  clearTimeout(late);
  let next = 0;
  return steps.flatMap((step) => {
    next += commandsOf(step).length;
    return endsOf(step, replies[next - 1]);
  });
}

function commandsOf(step: Step): string[][] {
  const commands = step.map((call) => (call.op === 'insert' ? ['SADD', call.key, call.member] : ['INCR', call.key]));
  return step.length === 1 ? commands : [['MULTI'], ...commands, ['EXEC']];
}

/** `reply`: to its last command */
function endsOf(step: Step, reply: Reply | undefined): NativeEnd[] {
  if (reply === undefined) return step.map(() => ({ outcome: 'unknown' }));
  if (reply.kind === '-') return step.map(() => ({ outcome: 'none' }));
  const results = step.length === 1 ? [reply] : reply.elements;
  if (results.length !== step.length || results.some(({ kind }) => kind !== ':')) throw new Error(`a door answers ${reply.raw}`);
  return results.map(({ line }) => ({ outcome: 'done', result: line }));
}

/** An invariant of what is incremented together, independent of any report. */
export async function unequalPairs(claret: Claret): Promise<string[]> {
  const found = await readAtRest(
    claret,
    'Compare',
    PAIRS.flat().map((key) => claret.on.register(key).get()),
  );
  return PAIRS.flatMap(([left, right], pair) => {
    const [one, other] = [found[2 * pair], found[2 * pair + 1]];
    return Number(one) === Number(other) ? [] : [`half a transaction: ${left} holds ${String(one)}, and ${right} ${String(other)}`];
  });
}

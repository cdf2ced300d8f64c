// ChainedShard: a scripted shard whose conditions let the client send chains, and what it has heard of them.

import type { Claret } from '../claret.ts';
import { connectForTests, type TestConnectOptions } from '../connect.ts';
import { operationSpecs } from '../generated/handles.ts';
import { evenTopology } from '../topology/topology.ts';
import type { Tx } from '../transaction/tx.ts';
import { LocalTransport } from '../transport/local.ts';
import { CalmEnvironment } from './calm-environment.ts';
import { ScriptedShard } from './scripted-shard.ts';

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
export const integer = (n: number) => ({ integer: String(n) });
export const codeOf = (name: string) => operationSpecs.get(name)!.code;
/** A result on a board: the value of the counter. */
export const shown = (key: string, n: number) => ({ operation: { key, code: codeOf('Counter.value') }, result: integer(n) });
export const errorOf = (code: string, retryable = true) => ({ code, message: code, retryable });

/** A member, or its part, as a shard has received it. */
export interface Sent {
  n: number;
  chain: number;
  ends: boolean;
  label: string;
  id: string;
  keys: string[];
}

export function sentOf({ chain, n, ends, request }: any): Sent {
  const { label, id } = request.begin;
  return { chain: Number(chain), n: Number(n), ends, label, id: id.toString('hex'), keys: request.operations.map(({ key }: any) => key) };
}

/** The entries of one field of all frames. */
export const all = (frames: any[], field: string): any[] => frames.flatMap((frame) => frame[field]);
export const membersOf = (frames: any[]): Sent[] => all(frames, 'members').map(sentOf);

export const conditions = { locks: 'abstract', phasing: true, combining: 'auto' };

export class ChainedShard extends ScriptedShard {
  /** the second one of a cluster of two */
  readonly other = new ScriptedShard(1);
  #told = 0;
  #toldOther = 0;

  constructor() {
    super(0);
  }

  /** Connects a client to the first `shards` shards. It forecasts everything that may be. */
  async connect(options: Partial<TestConnectOptions> = {}, shards = 1, conditions_ = conditions): Promise<Claret> {
    const byAddress = new Map<string, ScriptedShard>([
      ['s0', this],
      ['s1', this.other],
    ]);
    const transport = new LocalTransport({ shards: byAddress, topology: () => evenTopology(['s0', 's1'].slice(0, shards)) });
    const always = { timeoutMs: 3_000, combining: 'always', environment: new CalmEnvironment() } as const;
    const claret = await connectForTests({ addresses: ['s0'], transport, ...always, ...options });
    await this.frames();
    for (const shard of shards === 1 ? [this] : [this, this.other]) shard.say({ conditions: conditions_ });
    await this.both();
    return claret;
  }

  /** All frames since the last call, in order. */
  async frames(): Promise<any[]> {
    for (let i = 0; i < 6; i++) await turn();
    const frames = this.heard.slice(this.#told);
    this.#told = this.heard.length;
    return frames;
  }

  /** What this shard and the other one have heard since the last call. */
  async both(): Promise<[any[], any[]]> {
    const here = await this.frames();
    const there = this.other.heard.slice(this.#toldOther);
    this.#toldOther = this.other.heard.length;
    return [here, there];
  }

  /** The members in the frames since the last call. */
  async members(): Promise<Sent[]> {
    return membersOf(await this.frames());
  }

  grantTurn(number = 100, recalled = false): void {
    this.say({ turn: { number: String(number), recalled } });
  }

  voteBoth(attempt: string, here = 512, there = 768): void {
    this.say({ replies: [{ attempt, votedAt: String(here) }] });
    this.other.say({ replies: [{ attempt, votedAt: String(there) }] });
  }

  /** Resolves with a frame that has a word. */
  word(): Promise<any> {
    return this.frame(({ words }) => words.length > 0);
  }
}

/** An answer with results, of the first chain. */
export const answer = (n: number, results: number[], more: object = {}): object => ({
  chain: '1',
  n: String(n),
  results: results.map(integer),
  ...more,
});

/** Teaches the client that the label's bodies await nothing but operations. */
export async function straighten(claret: Claret, label: string): Promise<void> {
  for (let i = 0; i < 8; i++) await claret.transaction(label, async () => {});
}

/** A body that reads the counter and adds to it. */
export const addTo = (key: string) => async (tx: Tx) => {
  const value = await tx.counter(key).value();
  tx.counter(key).add(1);
  return value;
};

export type Body = (tx: Tx) => Promise<unknown>;

/** Two transactions on a picture of x = 1 and y = 1, which are members 1 and 2. */
export async function twoMembers(
  shard: ChainedShard,
  claret: Claret,
  bodies: [Body, Body] = [addTo('x'), addTo('x')],
): Promise<[Promise<unknown>, Promise<unknown>]> {
  await straighten(claret, 'Add');
  shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1), shown('y', 1)] } });
  await shard.frames();
  const results = bodies.map((body) => claret.transaction('Add', body));
  for (const result of results) result.catch(() => {});
  const sent = (await shard.members()).map(({ n }) => n);
  if (sent.join() !== '1,2') throw new Error(`the members ${sent.join()} were sent`);
  return results as [Promise<unknown>, Promise<unknown>];
}

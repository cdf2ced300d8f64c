// Two scripted shards that warrant results, and a client of both whose time a test lets pass.

import type { Claret } from '../claret.ts';
import { connect, type ConnectOptions } from '../connect.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { keyOn } from './keys.ts';
import { ScriptedShard } from './scripted-shard.ts';
import { SteppedEnvironment } from './stepped-environment.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the clocks of the shards are ahead of the client's. */
const CLOCKS_AHEAD_MS = 5_000;
export const TERM_MS = 1_000;
/** The timestamps that the shards tell, unless a test says another one. */
export const NOW = 1_000;
export const UNTIL = 1_000_000;

export const digestOf = (n: number): Buffer => Buffer.alloc(16, n);
export const integer = (n: number): object => ({ integer: String(n) });

export interface Grants {
  grant?: number;
  from?: number;
  now?: number;
  until?: number;
}

export class WarrantingShard extends ScriptedShard {
  override warrantyTermMs = TERM_MS;
  readonly #environment: SteppedEnvironment;
  #told = 0;
  #granted = 0;

  constructor(number: number, environment: SteppedEnvironment) {
    super(number);
    this.#environment = environment;
  }

  /** All frames since the last call. */
  async frames(): Promise<any[]> {
    for (let i = 0; i < 8; i++) await turn();
    const frames = this.heard.slice(this.#told);
    this.#told = this.heard.length;
    return frames;
  }

  /** The requests in these frames. */
  async requests(): Promise<any[]> {
    return (await this.frames()).flatMap(({ requests }) => requests);
  }

  /** The numbers of the grants that were returned since the last call. */
  async returned(): Promise<number[]> {
    return (await this.frames()).flatMap(({ returned }) => returned.map(({ grant }: any) => Number(grant)));
  }

  standing({ now = NOW, until = UNTIL }: Grants = {}): object {
    const clockUs = Math.round((this.#environment.monotonicMs() + CLOCKS_AHEAD_MS) * 1_000);
    return { now: String(now), until: String(until), clockUs: String(clockUs) };
  }

  /** Answers a request whose only operation is a counter's value, and grants that. */
  grant(request: any, value: number, { grant = ++this.#granted, from = 900, ...times }: Grants = {}, reply: object = {}): void {
    const granted = [{ grant: String(grant), from: String(from), digest: digestOf(value) }];
    this.say({ standing: this.standing(times), replies: [{ attempt: request.attempt, results: [integer(value)], granted, ...reply }] });
  }

  recall(grant: number, priority = 2n ** 64n - 1n): void {
    this.say({ recalls: [{ grant: String(grant), priority: String(priority) }] });
  }
}

export interface World {
  readonly environment: SteppedEnvironment;
  readonly a: WarrantingShard;
  readonly b: WarrantingShard;
  readonly claret: Claret;
  /** Reads the counter once, which its shard warrants. */
  learn(shard: WarrantingShard, key: string, value: number, grants?: Grants): Promise<void>;
  /** Both shards have heard everything; what they heard so far is not told again. */
  rest(): Promise<void>;
}

/** Keys of counters on the first and on the second shard. */
export const A = keyOn(0);
export const A2 = keyOn(0, 'other');
export const B = keyOn(1);
export const B2 = keyOn(1, 'other');

export async function warranting(options: Partial<ConnectOptions> = {}, warranties = 'auto'): Promise<World> {
  const environment = new SteppedEnvironment();
  const [a, b] = [new WarrantingShard(0, environment), new WarrantingShard(1, environment)];
  const byAddress = new Map([
    ['a', a],
    ['b', b],
  ]);
  const transport = new LocalTransport({ shards: byAddress, topology: () => evenTopology(['a', 'b']) });
  const claret = await connect({ addresses: ['a'], transport, environment, timeoutMs: 60_000, ...options });
  const rest = async () => void (await Promise.all([a.frames(), b.frames()]));
  await rest();
  for (const shard of [a, b]) shard.say({ conditions: { locks: 'abstract', phasing: true, combining: 'off', warranties } });
  await rest();
  return {
    environment,
    a,
    b,
    claret,
    rest,
    async learn(shard, key, value, grants = {}) {
      const read = claret.transact('Learn', [claret.on.counter(key).value()]);
      const [request] = await shard.requests();
      shard.grant(request, value, grants, { committedAt: '950' });
      await read;
      await rest();
    },
  };
}

// Outcomes of attempts whose client was killed. The shards are asked, as by a client that lost its response; asking about an
// attempt that a shard does not know ends it there, so the outcome is final. A shard forgets a commit when nobody can ask any more,
// 10 s after the attempt's deadline: after that, an unknown attempt proves nothing.

import { GrpcTransport, Topology, systemEnvironment, type HistoryAttempt } from '@claret/client';
import { Client } from '../../../client/src/client.ts';
import type { Session } from '../../../client/src/session/session.ts';
import { trace } from './trace.ts';

const ASK_AGAIN_MS = 20;
/** Less than the 10 s. */
const REMEMBERED_MS = 8_000;

/** A commit's timestamp; null: aborted for good; `undecided`: a shard did not answer in time; `half`: the shards differ. */
export type Outcome = bigint | null | 'undecided' | { half: string };

type Answer = bigint | null | 'undecided';

export class Outcomes {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** @param cluster gRPC addresses of its gateways, and its token */
  static async connect({ addresses, token }: { addresses: readonly string[]; token: string }): Promise<Outcomes> {
    const transport = new GrpcTransport(token);
    const topology = new Topology(await Promise.any(addresses.map((address) => transport.topology(address))));
    return new Outcomes(
      new Client(systemEnvironment, transport, {
        name: 'outcomes',
        limits: { timeoutMs: 10_000, attemptsMax: 1 },
        oneAtATime: false,
        retryPolicy: {},
        combining: undefined,
        warranties: false,
        deferral: undefined,
        history: undefined,
        beforeCommit: undefined,
        pollMicroseconds: 0,
        seeds: [...addresses],
        topology,
      }),
    );
  }

  /** The outcome of an attempt whose coordinator has ended, and which had this time limit; its `call` is on the machine's clock. */
  async of({ id: own, ops, call, batch }: HistoryAttempt, timeoutMs: number): Promise<Outcome> {
    const { id, after } = batch ?? { id: own, after: 0 };
    const withinMs = call / 1e6 + timeoutMs + REMEMBERED_MS - Number(process.hrtime.bigint()) / 1e6;
    if (withinMs <= 0) return 'undecided';
    // A shard whose results came from memory need not have heard of it.
    const asked = ops.filter(({ via }) => via !== 'warranty');
    const sessions = [...new Set(asked.map(({ key }) => this.#client.sessionOf(key)))];
    const answers = await Promise.all(sessions.map((session) => this.#ask(session, Buffer.from(id, 'hex'), withinMs)));
    trace('outcomes', `${id}: ${answers.map((answer, i) => `shard ${sessions[i]!.shard} says ${answer ?? 'aborted'}`).join(', ')}`);
    const commits = new Set(answers.filter((answer) => typeof answer === 'bigint'));
    if (commits.size > 1 || (commits.size === 1 && answers.includes(null))) {
      return { half: `attempt ${id}: ${answers.map((answer, i) => `shard ${sessions[i]!.shard} says ${answer ?? 'aborted'}`).join(', ')}` };
    }
    if (answers.includes('undecided')) return 'undecided';
    const [at] = commits;
    return at === undefined ? null : at + BigInt(after);
  }

  #ask(session: Session, id: Uint8Array, withinMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      let over = false;
      const timer = setTimeout(() => {
        over = true;
        resolve('undecided');
      }, withinMs);
      const ask = () =>
        session.inquire(id, (state, { high, low }) => {
          if (over) return;
          if (state !== 'committed' && state !== 'aborted') return void setTimeout(ask, ASK_AGAIN_MS);
          clearTimeout(timer);
          resolve(state === 'committed' ? (BigInt(high) << 32n) | BigInt(low) : null);
        });
      ask();
    });
  }

  close(): Promise<void> {
    return this.#client.close(0);
  }
}

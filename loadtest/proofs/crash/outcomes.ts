// Outcomes of attempts whose client was killed. The shards are asked, as by a client that lost its response; asking about an
// attempt that a shard does not know ends it there, so the outcome is final. A shard forgets a commit when nobody can ask any more,
// 10 s after the attempt's deadline: after that, an unknown attempt proves nothing.

import { GrpcTransport, NATIVE_LABEL, Topology, systemEnvironment, type HistoryAttempt } from '@claret/client';
import { Client } from '../../../client/src/client.ts';
import type { Session } from '../../../client/src/session/session.ts';
import { trace } from './trace.ts';

const ASK_AGAIN_MS = 20;
/** Less than the 10 s. */
const REMEMBERED_MS = 8_000;

/** A commit's timestamp; null: aborted for good; `undecided`: a shard did not answer in time; `half`: the shards differ. */
export type Outcome = bigint | null | 'undecided' | { half: string };

/**
 * For how long shards know an attempt's outcome. It began after its transaction, whose time it has: how long after is not known here, so only a
 * reported `deadline` counts.
 */
export const knownForMs = (deadlineNs: number | undefined, nowMs: number): number =>
  deadlineNs === undefined ? 0 : deadlineNs / 1e6 + REMEMBERED_MS - nowMs;

type Answer = bigint | null | 'undecided';

export class Outcomes {
  readonly #client: Client;
  readonly #slotsMove: boolean;

  private constructor(client: Client, slotsMove: boolean) {
    this.#client = client;
    this.#slotsMove = slotsMove;
  }

  /**
   * @param cluster gRPC addresses of its gateways, and its token
   * @param slotsMove All shards are asked, and one that was not concerned says "aborted": half a transaction is not noticed here.
   */
  static async connect(cluster: { addresses: readonly string[]; token: string }, slotsMove: boolean): Promise<Outcomes> {
    const { addresses, token } = cluster;
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
      slotsMove,
    );
  }

  /** The outcome of an attempt whose coordinator has ended; its `deadline` is on the machine's clock. */
  async of({ id: own, label, ops, batch, deadline }: HistoryAttempt): Promise<Outcome> {
    if (label === NATIVE_LABEL) return 'undecided'; // shards tell its session alone what became of it
    const { id, after } = batch ?? { id: own, after: 0 };
    const withinMs = knownForMs(deadline, Number(process.hrtime.bigint()) / 1e6);
    if (withinMs <= 0) return 'undecided';
    // A shard whose results came from memory need not have heard of it.
    const asked = ops.filter(({ via }) => via !== 'warranty');
    const sessions = asked.length === 0 ? [] : this.#sessionsOf(asked.map(({ key }) => key));
    const answers = await Promise.all(sessions.map((session) => this.#ask(session, Buffer.from(id, 'hex'), withinMs)));
    trace('outcomes', `${id}: ${answers.map((answer, i) => `shard ${sessions[i]!.shard} says ${answer ?? 'aborted'}`).join(', ')}`);
    const commits = new Set(answers.filter((answer) => typeof answer === 'bigint'));
    if (commits.size > 1 || (!this.#slotsMove && commits.size === 1 && answers.includes(null))) {
      return { half: `attempt ${id}: ${answers.map((answer, i) => `shard ${sessions[i]!.shard} says ${answer ?? 'aborted'}`).join(', ')}` };
    }
    const [at] = commits;
    if (answers.includes('undecided') && (!this.#slotsMove || at === undefined)) return 'undecided';
    return at === undefined ? null : at + BigInt(after);
  }

  #sessionsOf(keys: readonly string[]): Session[] {
    if (!this.#slotsMove) return [...new Set(keys.map((key) => this.#client.sessionOf(key)))];
    return this.#client.cluster.topology.shards.map(({ shard }) => this.#client.cluster.session(shard));
  }

  #ask(session: Session, id: Uint8Array, withinMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      let over = false;
      const untilMs = performance.now() + withinMs;
      const end = () => {
        over = true;
        resolve('undecided');
      };
      const timer = setTimeout(end, withinMs);
      const ask = () =>
        session.inquire(id, (state, { high, low }) => {
          if (over) return;
          // This process may have been busy, and its timer be late: by now the shard may have forgotten.
          if (performance.now() >= untilMs) return end();
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

// The topology of a client whose gateways answer as a test wants, in time that the test lets pass.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import { evenTopology, type TopologyDescription } from '../topology/topology.ts';
import type { LocalShard } from '../transport/local.ts';
import type { Link, LinkHandlers, Transport } from '../transport/transport.ts';

const A = keyOn(0);
const B = keyOn(1);
/** No session is lost by silence meanwhile. */
const LEASE_MS = 600_000;
/** the greatest time that passes at once: the interval of the most frequent looks */
const STEP_MS = 100;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Gateways that answer what they are told, and streams to the shards at some of their addresses. */
class ModelTransport implements Transport {
  /** by address: what a gateway answers; null: nothing, since it stands still; absent: nobody is there */
  readonly answers = new Map<string, TopologyDescription | null>();
  /** by address; a stream to any other address stays silent */
  readonly shards = new Map<string, LocalShard>();
  asked: string[] = [];
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  #waiting: { address: string; resolve: (answer: TopologyDescription) => void }[] = [];

  open(address: string, handlers: LinkHandlers): Link {
    this.opened.push(address);
    const link = this.shards.get(address)?.attach(handlers) ?? { send: () => true, close: () => {} };
    return {
      send: (bytes) => link.send(bytes),
      close: () => {
        this.closed.push(address);
        link.close();
      },
    };
  }

  topology(address: string): Promise<TopologyDescription> {
    this.asked.push(address);
    const answer = this.answers.get(address);
    if (answer === undefined) return Promise.reject(new Error(`nobody is at ${address}`));
    if (answer !== null) return Promise.resolve(answer);
    return new Promise((resolve) => this.#waiting.push({ address, resolve }));
  }

  /** The gateway, which stood still, answers what it was asked. */
  wake(address: string, answer: TopologyDescription): void {
    for (const question of this.#waiting) if (question.address === address) question.resolve(answer);
    this.#waiting = this.#waiting.filter((question) => question.address !== address);
  }

  close(): void {}
}

const standbys = (...addresses: string[]) => addresses.map((address) => ({ address, restAddress: '' }));
const replicated = (version: number, owners: string[], ...others: string[]): TopologyDescription => ({
  ...evenTopology(owners, version),
  replicated: true,
  standbys: standbys(...others),
});

let claret: Claret;
afterEach(() => claret.close(0));

/** A client of two shards, at s0 and s1. These gateways answer with that topology. */
async function world(topology: TopologyDescription, gateways = ['s0', 's1']) {
  const environment = new SteppedEnvironment();
  const transport = new ModelTransport();
  const shards = [new ScriptedShard(0), new ScriptedShard(1)] as const;
  for (const shard of shards) {
    shard.leaseMs = LEASE_MS;
    transport.shards.set(`s${shard.number}`, shard);
  }
  for (const address of gateways) transport.answers.set(address, topology);
  claret = await connect({ addresses: ['s1', 'seed'], transport, environment, timeoutMs: LEASE_MS });
  await until(() => claret.status.shards.every(({ state }) => state === 'live'));
  transport.asked = [];
  return { environment, transport, shards };
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 1 }).toBe(true);
}

/** Lets time pass, and everything happen that it brings about. */
async function pass(environment: SteppedEnvironment, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    environment.pass(Math.min(left, STEP_MS));
    for (let i = 0; i < 5; i++) await turn();
  }
}

/** Makes the client ask for the topology: a shard refuses a transaction as not its own. */
async function refuse(shard: ScriptedShard, label: string): Promise<void> {
  void claret.transact(label, [claret.on.counter(A).add(1)]).catch(() => {});
  const { attempt } = await shard.request(label);
  shard.heard = [];
  shard.say({ replies: [{ attempt, error: { code: 'wrong_shard', retryable: true } }] });
}

const addressOf = (shard: number) => claret.topology.shards[shard]!.address;

describe('a client that needs the newest topology', () => {
  it('asks the gateways of all shards, all standbys and its first addresses at once', async () => {
    const { transport, shards } = await world(replicated(2, ['s0', 's1'], 'standby'));
    for (const address of ['s0', 's1', 'standby', 'seed']) transport.answers.set(address, null);
    await refuse(shards[0], 'Moved');
    await until(() => transport.asked.length > 0);
    expect(transport.asked).toEqual(['s0', 's1', 'standby', 'seed']);
  });

  it('goes on with the first answer, whoever else stands still or fails', async () => {
    const { environment, transport, shards } = await world(evenTopology(['s0', 's1']));
    transport.answers.set('s0', null);
    await refuse(shards[0], 'Moved');
    await pass(environment, 1_000);
    expect((await shards[0].request('Moved')).begin.retries).toBe(1);
    expect(transport.asked).toEqual(['s0', 's1', 'seed']);
  });

  it('does not go on with an answer that knows no more while others may come, for a while', async () => {
    const { environment, transport, shards } = await world(replicated(5, ['s0', 's1']));
    transport.answers.set('s0', null);
    transport.answers.set('s1', replicated(5, ['s0', 's1']));
    await refuse(shards[0], 'Moved');
    await pass(environment, 200);
    expect(shards[0].heard.flatMap((frame) => frame.requests)).toEqual([]);
    await pass(environment, 1_000);
    expect((await shards[0].request('Moved')).begin.retries).toBe(1);
  });

  it('goes on at once with an answer that knows more', async () => {
    const { environment, transport, shards } = await world(replicated(5, ['s0', 's1']));
    transport.answers.set('s1', null);
    transport.answers.set('s0', replicated(6, ['s1', 's0']));
    await refuse(shards[0], 'Moved');
    await pass(environment, 50);
    expect(addressOf(0)).toBe('s1');
  });

  it('goes on with its old topology if no gateway answers', async () => {
    const { environment, transport, shards } = await world(evenTopology(['s0', 's1']));
    transport.answers.clear();
    await refuse(shards[0], 'Moved');
    await pass(environment, 1_000);
    expect((await shards[0].request('Moved')).begin.retries).toBe(1);
    expect(claret.topology.version).toBe(1);
  });

  it.each([
    ['in order', [3, 4]],
    ['newest first', [4, 3]],
  ])('takes the newest of the answers, which come %s', async (_, versions) => {
    const { environment, transport } = await world(replicated(2, ['s0', 's1'], 'x', 'y'));
    for (const address of ['x', 'y']) transport.answers.set(address, null);
    await pass(environment, 1_000);
    for (const [i, address] of ['x', 'y'].entries()) {
      transport.wake(address, replicated(versions[i]!, [`owner ${versions[i]}`, 's1']));
      await turn();
    }
    expect([claret.topology.version, addressOf(0)]).toEqual([4, 'owner 4']);
    expect(transport.opened.includes('owner 3')).toBe(versions[0] === 3);
  });

  it('never takes an older one, also if it is the only answer', async () => {
    const { environment, transport } = await world(replicated(5, ['s0', 's1']));
    transport.answers.clear();
    transport.answers.set('s1', replicated(4, ['older', 's1'], 'other'));
    await pass(environment, 3_000);
    expect(transport.asked).toContain('s1');
    expect([claret.topology.version, addressOf(0), claret.topology.standbys]).toEqual([5, 's0', []]);
    expect(transport.opened).toEqual(['s0', 's1']);
  });

  it('of an equal version takes only the standbys, and asks them from then on', async () => {
    const { environment, transport } = await world(replicated(5, ['s0', 's1']));
    for (const address of ['s0', 's1']) transport.answers.set(address, replicated(5, ['elsewhere', 's1'], 'new'));
    transport.answers.set('new', replicated(6, ['s0', 'new']));
    await pass(environment, 1_000);
    expect([claret.topology.standbys, addressOf(0), addressOf(1)]).toEqual([standbys('new'), 's0', 's1']);
    await pass(environment, 1_000);
    expect([claret.topology.version, addressOf(0), addressOf(1)]).toEqual([6, 's0', 'new']);
  });

  it('that is not replicated takes other addresses of the same version', async () => {
    const { environment, transport, shards } = await world(evenTopology(['s0', 's1']));
    transport.shards.set('s0 anew', shards[0]);
    for (const address of ['s0', 's1']) transport.answers.set(address, evenTopology(['s0 anew', 's1']));
    await refuse(shards[0], 'Moved');
    await pass(environment, 1_000);
    expect([addressOf(0), shards[0].sessions, claret.status.shards[0]!.state]).toEqual(['s0 anew', 2, 'live']);
  });
});

describe('a client', () => {
  const rounds = (transport: ModelTransport) => transport.asked.filter((address) => address === 's1').length;

  it('of a cluster that is not replicated does not look for owners', async () => {
    const { environment, transport } = await world(evenTopology(['s0', 's1']));
    await pass(environment, 10_000);
    expect(transport.asked).toEqual([]);
  });

  it('of a replicated one looks once a second while all sessions are live', async () => {
    const { environment, transport } = await world(replicated(2, ['s0', 's1']));
    await pass(environment, 10_000);
    expect(rounds(transport)).toBe(10);
  });

  it('looks ten times as often while a shard is away, and no longer once it is back', async () => {
    const { environment, transport, shards } = await world(replicated(2, ['s0', 's1']));
    await pass(environment, 1_000);
    transport.asked = [];
    transport.shards.delete('s0');
    shards[0].breakSession();
    await pass(environment, 1_000);
    expect(rounds(transport)).toBe(10);
    transport.answers.set('s1', replicated(3, ['back', 's1']));
    transport.shards.set('back', shards[0]);
    await pass(environment, 100);
    expect(claret.status.shards[0]).toMatchObject({ address: 'back', state: 'live' });
    transport.asked = [];
    await pass(environment, 2_000);
    expect(rounds(transport)).toBe(2);
  });

  it('does not ask a gateway again before it has answered', async () => {
    const { environment, transport } = await world(replicated(2, ['s0', 's1']));
    transport.answers.set('s0', null);
    await pass(environment, 3_000);
    expect(transport.asked.filter((address) => address === 's0')).toHaveLength(1);
    expect(rounds(transport)).toBe(3);
    transport.wake('s0', replicated(2, ['s0', 's1']));
    await pass(environment, 1_000);
    expect(transport.asked.filter((address) => address === 's0')).toHaveLength(2);
  });

  it('that is closed looks no more', async () => {
    const { environment, transport } = await world(replicated(2, ['s0', 's1']));
    await claret.close(0);
    await pass(environment, 3_000);
    expect(transport.asked).toEqual([]);
  });
});

describe('a shard that has another owner', () => {
  /** The owner of shard 0 stands still, and the gateway at `next` takes the shard over. */
  async function takenOver() {
    const { environment, transport, shards } = await world(replicated(2, ['s0', 's1'], 'next'), ['s0', 's1', 'next']);
    const newer = replicated(3, ['next', 's1']);
    const next = new ScriptedShard(0);
    next.incarnation = '8';
    next.leaseMs = LEASE_MS;
    transport.shards.set('next', next);
    transport.answers.set('s0', null);
    const take = async () => {
      for (const address of ['s1', 'next']) transport.answers.set(address, newer);
      await pass(environment, 1_000);
    };
    return { environment, transport, shards, next, newer, take };
  }

  it('gets a session at once, and the old one is closed', async () => {
    const { transport, next, take } = await takenOver();
    await take();
    expect([next.sessions, claret.status.shards[0]]).toEqual([1, { shard: 0, address: 'next', state: 'live' }]);
    expect(transport.closed).toEqual(['s0']);
    expect(claret.counters.sessionsLost).toBe(1);
  });

  it('gets a session at once even if the old owner could not be reached for long', async () => {
    const { environment, transport, shards, next, newer } = await takenOver();
    transport.shards.set('s0', { attach: refused });
    shards[0].breakSession();
    await pass(environment, 30_000);
    const { length } = transport.opened;
    while (transport.opened.length === length) await pass(environment, STEP_MS);
    // The pause before the next try has just begun. It is ten times as long as what passes here, at least.
    transport.answers.set('s1', newer);
    await pass(environment, STEP_MS);
    expect([next.sessions, claret.status.shards[0]!.state]).toEqual([1, 'live']);
  });

  it('is asked how attempts in doubt ended, and attempts that left no trace run again there', async () => {
    const { environment, shards, next, take } = await takenOver();
    const [old, other] = shards;
    const both = claret.transact('Both', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
    const reading = claret.transaction('Read', async (tx) => tx.counter(A).value());
    const { attempt, begin } = await other.request('Both');
    await old.request('Both');
    await old.request('Read');
    other.say({ replies: [{ attempt, votedAt: '5' }] });
    await take();
    const { inquiries } = await next.frame((frame) => frame.inquiries.length > 0);
    expect(inquiries.map(({ id }: { id: Uint8Array }) => id)).toEqual([begin.id]);
    next.say({ answers: [{ ticket: inquiries[0].ticket, state: 'VOTED', timestamp: '8' }] });
    expect(await both).toEqual([undefined, undefined]);
    await pass(environment, STEP_MS); // the pause before a retry
    const again = await next.request('Read');
    expect(again.begin.retries).toBe(1);
    next.say({ replies: [{ attempt: again.attempt, results: [{ integer: '4' }] }] });
    await next.frame((frame) => frame.requests.some((request: any) => request.prepare !== null));
    next.say({ replies: [{ attempt: again.attempt, committedAt: '9' }] });
    expect(await reading).toBe(4);
  });

  it('is asked for the natives that were on their way to the old owner', async () => {
    const { shards, next, take } = await takenOver();
    next.resumed = { known: false };
    const native = claret.native.counter(A).add(1);
    const { session } = (await shards[0].frame((frame) => frame.hello)).hello;
    await shards[0].frame((frame) => frame.natives.length > 0);
    await Promise.all([take(), expect(native).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown' })]);
    expect((await next.frame((frame) => frame.hello)).hello.resumes).toBe(session);
  });

  it('is not asked for what the old owner has answered, even if nothing of that has been read yet', async () => {
    const { environment, transport, shards, next, newer } = await takenOver();
    transport.answers.set('s1', null);
    await pass(environment, 1_000);
    const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
    const { attempt } = await shards[0].request('Add');
    await turn();
    shards[0].say({});
    shards[0].say({ replies: [{ attempt, committedAt: '9' }] });
    transport.wake('s1', newer);
    expect(await adding).toEqual([undefined]);
    await next.frame((frame) => frame.hello);
    await turn();
    expect(next.heard.flatMap((frame) => frame.inquiries)).toEqual([]);
  });
});

function refused({ onClose }: LinkHandlers): Link {
  let open = true;
  queueMicrotask(() => open && onClose(new Error('refused')));
  return { send: () => false, close: () => void (open = false) };
}

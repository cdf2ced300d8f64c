// Clients that rely on warranties, shards, and ways between them, all in one simulated world: clients freeze, ways are cut, sessions break. What
// the clients were told has to be a history of commits in the order of their timestamps, which is also that of real time where it matters.

import { expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { keyOn } from '../testing/keys.ts';
import { NodeEnvironment } from '../testing/node-environment.ts';
import { freshSeed, randomFrom, type Random } from '../testing/random.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { ShardHost } from '../testing/shard-host.ts';
import { SlowNetwork } from '../testing/slow-network.ts';
import { evenTopology } from '../topology/topology.ts';
import type { Tx } from '../transaction/tx.ts';
import { LocalTransport } from '../transport/local.ts';

const LENGTH_MS = 8_000;
const CLIENTS = 3;
const TIMEOUT_MS = 60_000;
const LOOK_MS = 60;
/** Every transaction leaves these two equal. */
const PAIR = [keyOn(0, 'pair'), keyOn(1, 'pair')] as const;
const [X, Y] = [keyOn(0, 'x'), keyOn(1, 'y')];

/** A transaction that has committed, with the times of the world. */
interface Done {
  readonly label: string;
  readonly begunMs: number;
  readonly endedMs: number;
  readonly at: bigint;
  readonly reads: readonly [key: string, value: number][];
  readonly adds: readonly string[];
}

class Story {
  readonly world: SeededEnvironment;
  readonly random: Random;
  readonly hosts: ShardHost[] = [];
  readonly nodes: NodeEnvironment[] = [];
  readonly clients: Claret[] = [];
  readonly done: Done[] = [];
  readonly network: SlowNetwork;
  /** bodies that saw half of a transaction */
  unequal = 0;
  readonly #breaks: boolean;
  readonly #combining: 'off' | 'on';

  /** @param breaks sessions break */
  constructor(seed: number, breaks: boolean, combining: 'off' | 'on') {
    this.world = new SeededEnvironment(seed);
    this.random = randomFrom(seed + 1);
    this.network = new SlowNetwork(this.world, this.random);
    this.#breaks = breaks;
    this.#combining = combining;
  }

  #node(): NodeEnvironment {
    const rate = 1 + 0.0045 * (2 * this.random.next() - 1);
    const node = new NodeEnvironment(this.world, rate, this.random.below(2_000));
    this.nodes.push(node);
    return node;
  }

  async start(): Promise<void> {
    const shardNodes = [0, 1].map(() => this.#node());
    for (const shard of [0, 1]) {
      const options = {
        shard,
        shards: 2,
        incarnation: 1,
        sessionLeaseMs: 5_000,
        warrantyTermMs: 1_000,
        phaseCapMs: 2,
        woundDelayMs: 1,
        // An attempt that is ended while its body runs might see half of a transaction, with locks as well.
        woundGraceMs: LENGTH_MS,
        idleMs: LENGTH_MS,
        frameBytesMax: 4 * 1024 * 1024,
        outputBytesMax: 64 * 1024 * 1024,
        logged: false,
      };
      const node = shardNodes[shard]!;
      const host = new ShardHost(options, node, (number) => this.hosts[number]);
      host.shard.setConditions(
        { locks: 'abstract', phasing: true, combining: this.#combining, warranties: 'on' },
        node.wallMs(),
        node.monotonicMs(),
      );
      this.hosts.push(host);
    }
    for (let i = 0; i < CLIENTS; i++) {
      const node = this.#node();
      const shards = new Map(
        this.hosts.map((host, shard) => {
          const runs = { here: (run: () => void) => node.run(run), there: (run: () => void) => shardNodes[shard]!.run(run) };
          return [`s${shard}`, this.network.between(`c${i}`, `s${shard}`, host, runs)] as const;
        }),
      );
      const transport = new LocalTransport({ shards, topology: () => evenTopology(['s0', 's1']) });
      this.clients.push(await this.world.runUntil(connect({ addresses: ['s0'], transport, environment: node, name: `c${i}` })));
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.world.setTimeout(() => resolve(), ms));
  }

  /** Runs a transaction on a client and keeps what it was told. */
  async #run(
    client: number,
    label: string,
    body: (tx: Tx, read: (key: string) => Promise<number>, add: (key: string) => void) => Promise<void>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<void> {
    const begunMs = this.world.monotonicMs();
    let at = 0n;
    let reads: [string, number][] = [];
    let adds: string[] = [];
    await this.clients[client]!.transaction(
      label,
      async (tx) => {
        const own: [string, number][] = (reads = []);
        const changed: string[] = (adds = []);
        await body(
          tx,
          async (key) => {
            const value = Number(await tx.counter(key).value());
            own.push([key, value]);
            return value;
          },
          (key) => {
            changed.push(key);
            tx.counter(key).add(1);
          },
        );
      },
      { onCommit: ({ committedAt }) => void (at = committedAt), timeoutMs },
    );
    this.done.push({ label, begunMs, endedMs: this.world.monotonicMs(), at, reads, adds });
  }

  /** What one client does: reads mostly. */
  async work(client: number): Promise<void> {
    const { random } = this;
    while (this.world.monotonicMs() < LENGTH_MS) {
      const kind = random.below(20);
      if (kind < 8) await this.#readPair(client, 0);
      else if (kind < 10) await this.#readPair(client, random.pick([3, 30, 1_200]));
      else if (kind < 12) {
        await this.#run(client, 'Pair', async (_tx, _read, add) => PAIR.forEach(add));
      } else if (kind < 15) {
        await this.#run(client, 'Elsewhere', async (_tx, read, add) => {
          await read(X);
          if (random.below(2) === 0) await this.pause(random.below(30));
          add(Y);
        });
      } else if (kind < 16) {
        await this.#run(client, 'There', async (_tx, read, add) => {
          await read(Y);
          add(X);
        });
      } else if (kind < 17) {
        await this.#run(client, 'Own', async (_tx, read, add) => {
          await read(X);
          add(X);
        });
      } else {
        await this.#run(client, 'All', async (_tx, read) => {
          for (const key of [X, Y, ...PAIR]) await read(key);
        });
      }
      await this.pause(random.below(30));
    }
  }

  /** Reads one record again and again, also while its shard cannot be reached. */
  async look(client: number): Promise<void> {
    while (this.world.monotonicMs() < LENGTH_MS) {
      const key = this.random.pick([X, Y, ...PAIR]);
      const looked = this.#run(client, 'Look', async (_tx, read) => void (await read(key)), LOOK_MS);
      await looked.catch((error: unknown) => expect(error).toMatchObject({ commitState: 'none' }));
      await this.pause(this.random.below(20));
    }
  }

  async #readPair(client: number, pauseMs: number): Promise<void> {
    await this.#run(client, 'Read', async (_tx, read) => {
      const one = await read(PAIR[0]);
      if (pauseMs > 0) await this.pause(pauseMs);
      const other = await read(PAIR[1]);
      if (one !== other) this.unequal++;
    });
  }

  /** Freezes clients, cuts ways and breaks sessions. */
  async disturb(): Promise<void> {
    const { random } = this;
    while (this.world.monotonicMs() < LENGTH_MS) {
      await this.pause(random.below(1_000));
      const forMs = random.pick([5, 50, 500, 1_500]);
      const [client, shard] = [`c${random.below(CLIENTS)}`, `s${random.below(2)}`];
      switch (random.below(5)) {
        case 0:
          this.nodes[2 + random.below(CLIENTS)]!.freeze(forMs);
          break;
        case 1:
          this.network.cut(client, shard, forMs);
          break;
        case 2:
          this.network.cut(shard, client, forMs);
          break;
        case 3:
          if (this.#breaks) this.hosts[random.below(2)]!.breakSessions();
          break;
        default:
          if (random.below(4) === 0) this.nodes[random.below(2)]!.freeze(forMs / 5);
      }
    }
  }
}

const changes = ({ adds }: Done, key: string): boolean => adds.includes(key);
const touches = (one: Done, key: string): boolean => changes(one, key) || one.reads.some(([read]) => read === key);

/** Each result follows from the commits with smaller timestamps. */
function expectOrderOfTimestamps(done: readonly Done[]): void {
  const values = new Map<string, number>();
  for (const one of done.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.adds.length - b.adds.length))) {
    for (const [key, value] of one.reads) expect(value, `${one.label} at ${one.at} reads ${key}`).toBe(values.get(key) ?? 0);
    for (const key of one.adds) values.set(key, (values.get(key) ?? 0) + 1);
  }
}

/** What was acknowledged before another one began, and does not commute with it, has a smaller timestamp. */
function expectRealTime(done: readonly Done[]): void {
  for (const key of [X, Y, ...PAIR]) {
    const there = done.filter((one) => touches(one, key));
    for (const later of there) {
      for (const earlier of there) {
        if (earlier.endedMs >= later.begunMs) continue;
        // Additions commute.
        const conflict =
          changes(earlier, key) !== changes(later, key) || (changes(earlier, key) && earlier.reads.some(([read]) => read === key));
        if (conflict && earlier.at >= later.at) {
          expect.fail(`${key}: ${later.label} at ${later.at} began after the end of ${earlier.label} at ${earlier.at}`);
        }
      }
    }
  }
}

it.each([
  ['no answer is stale, and no body sees half of a transaction', false, 'off'],
  ['no answer is stale while sessions break', true, 'off'],
  ['no answer is stale while other transactions are sent in chains', true, 'on'],
] as const)(
  '%s',
  async (_case, breaks, combining) => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const story = new Story(seed, breaks, combining);
    await story.start();
    const all = Promise.all([
      story.disturb(),
      ...story.clients.flatMap((_client, i) => [story.work(i), story.work(i), story.look(i), story.look(i)]),
    ]);
    await story.world.runUntil(all);
    const sum = (name: 'warrantedAnswers' | 'warrantedCommits' | 'grants' | 'grantsRecalled' | 'retries' | 'sessionsLost') =>
      story.clients.reduce((total, { counters }) => total + counters[name], 0);
    console.log({
      done: story.done.length,
      answers: sum('warrantedAnswers'),
      alone: sum('warrantedCommits'),
      grants: sum('grants'),
      recalled: sum('grantsRecalled'),
      retries: sum('retries'),
      lost: sum('sessionsLost'),
    });
    if (!breaks) expect(story.unequal).toBe(0);
    expectOrderOfTimestamps(story.done);
    expectRealTime(story.done);
    expect(sum('warrantedAnswers')).toBeGreaterThan(20);
    await story.world.runUntil(Promise.all(story.clients.map((client) => client.close(0))));
    for (const host of story.hosts) host.stop();
  },
  120_000,
);

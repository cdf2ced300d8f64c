// Clients that rely on warranties, shards, and ways between them, all in one simulated world. What the clients were told has to be a history of
// commits in the order of their timestamps, which is also that of real time where it matters.

import { expect, it } from 'vitest';
import { expectOrderOfTimestamps, expectRealTime, type Done } from '../testing/committed-order.ts';
import { keyOn } from '../testing/keys.ts';
import { freshSeed } from '../testing/random.ts';
import { WarrantyWorld } from '../testing/warranty-world.ts';
import type { Tx } from '../transaction/tx.ts';

const TIMEOUT_MS = 60_000;
const LOOK_MS = 60;
/** Every transaction leaves these two equal. */
const PAIR = [keyOn(0, 'pair'), keyOn(1, 'pair')] as const;
const [X, Y] = [keyOn(0, 'x'), keyOn(1, 'y')];

class Story extends WarrantyWorld {
  readonly done: Done[] = [];
  /** bodies that saw half of a transaction */
  unequal = 0;

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
    while (this.goesOn) {
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
    while (this.goesOn) {
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
}

it.each([
  ['no answer is stale, and no body sees half of a transaction', false, 'off'],
  ['no answer is stale while sessions break', true, 'off'],
  ['no answer is stale while other transactions are sent in chains', true, 'always'],
] as const)('%s', async (_case, breaks, combining) => {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  const story = new Story(seed, { breaks, combining, warranties: 'auto', lengthMs: 8_000 });
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
  expectRealTime(story.done, [X, Y, ...PAIR]);
  expect(sum('warrantedAnswers')).toBeGreaterThan(20);
  await story.stop();
});

// The workload of a point's cells, with its data loaded if it has any.

import type { Claret } from '@claret/client';
import { kronecker } from '../../../apps/retwis/server/data/graph.ts';
import { randomApart, randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import type { RetwisMix } from '../../workloads/retwis-mixes.ts';
import { Retwis } from '../../workloads/retwis.ts';
import { Rubis, type RubisMix } from '../../workloads/rubis.ts';
import type { Sending, WorkloadName } from './points.ts';
import type { DistributionAnswer, LoadQuestion } from './question.ts';

/** The work of one cell. */
export interface Work {
  /** the client must await each operation before it sends the next: the workload itself does not */
  oneAtATime: boolean;
  /** Runs the next transaction. Rejects with `ClaretError`. */
  run(claret: Claret): Promise<void>;
  /** rawmix: the acknowledged adds by the set's rank. The sites' drivers cannot share a cell: empty. */
  acknowledged(): number[];
  /**
   * Differences between the stored data and the acknowledged transactions. Call once, after all begun transactions have ended.
   * @param others `acknowledged` of each other driver of the cell
   */
  mismatches(claret: Claret, others?: readonly (readonly number[])[]): Promise<string[]>;
}

export interface Loaded {
  cell(sending: Sending): Work;
  distributions(claret: Claret): Promise<DistributionAnswer>;
}

/** Workloads whose cells several drivers can share: no driver needs to know what another one does until the check. */
export const SHARED: readonly WorkloadName[] = ['rawmix'];

export type Tell = (done: number, total: number) => void;

export async function load(claret: Claret, question: LoadQuestion, tell: Tell): Promise<Loaded> {
  const { point, seed, driver = 0 } = question;
  if (driver > 0 && !SHARED.includes(point.workload)) throw new Error(`${point.workload} has one driver`);
  switch (point.workload) {
    case 'rawmix': {
      const { alpha, update } = point;
      let cells = 0;
      return {
        // Each cell has its own, initially empty sets; the same operations in the same order for every condition.
        cell(sending) {
          const rawmix = new Rawmix({ alpha, update, name: `r${cells++}` }, randomApart(seed, driver));
          return {
            oneAtATime: false,
            run: (client) => rawmix.run(client, rawmix.draw(client), sending),
            acknowledged: () => [...rawmix.added],
            mismatches: (client, others = []) => {
              for (const added of others) for (const [rank, count] of added.entries()) rawmix.added[rank]! += count;
              return rawmix.mismatches(client);
            },
          };
        },
        distributions: async () => ({}),
      };
    }
    case 'rubis': {
      const rubis = new Rubis({ mix: point.name as RubisMix, items: question.rubis_items }, randomFrom(seed));
      await rubis.load(claret, tell);
      return { cell: (sending) => asItIs(rubis, sending), distributions: async () => ({}) };
    }
    case 'retwis': {
      const graph = kronecker(question.retwis_scale, randomFrom(seed));
      await Retwis.load(claret, graph, tell);
      const retwis = new Retwis(graph, point.name as RetwisMix, randomFrom(seed));
      return {
        cell: (sending) => asItIs(retwis, sending),
        distributions: async (client) => ({
          followers: histogram(graph.followers.map(({ length }) => length)),
          reposts: histogram(await retwis.repostsOfPosts(client)),
        }),
      };
    }
  }
}

/** A site's own code, which sends as few messages as possible. */
function asItIs(site: Rubis | Retwis, sending: Sending): Work {
  return {
    oneAtATime: sending === 'interactive',
    run: (claret) => site.run(claret),
    acknowledged: () => [],
    mismatches: (claret) => site.mismatches(claret),
  };
}

function histogram(values: readonly number[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

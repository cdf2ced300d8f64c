// Plan: the order of measurements.
//
// Rounds are outermost, so that drift over minutes affects all points alike. A block is one point in one round, on its own cluster
// that starts empty and is loaded once. Within a block, the conditions of one way of sending and number of clients are consecutive,
// in another order in each round, so that none always follows the same one.

import type { Point, Sending } from './points.ts';
import { nameOf } from './resume.ts';
import type { Settings } from './settings.ts';

/** Cells that are compared with each other. */
export interface Group {
  sending: Sending;
  clients: number;
  /** names */
  conditions: string[];
}

export interface Block {
  point: Point;
  round: number;
  groups: Group[];
}

/** @param done names of the cells to omit (nameOf) */
export function planOf(settings: Settings, done: ReadonlySet<string>): Block[] {
  const blocks: Block[] = [];
  for (let round = 0; round < settings.rounds; round++) {
    for (const point of settings.points) {
      const groups = settings.sendings.flatMap((sending) =>
        settings.clients.map((clients): Group => ({
          sending,
          clients,
          conditions: rotated(settings.conditions, round).filter(
            (condition) => !done.has(nameOf({ workload: point.workload, point: point.name, sending, clients, condition, round })),
          ),
        })),
      );
      blocks.push({ point, round, groups: groups.filter(({ conditions }) => conditions.length > 0) });
    }
  }
  return blocks.filter(({ groups }) => groups.length > 0);
}

export const cellsIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { groups }) => sum + groups.reduce((cells, { conditions }) => cells + conditions.length, 0), 0);

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % Math.max(1, items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

// What puts a load on a cluster whose memory is measured.

import type { Cluster } from '../../../scripts/cluster.js';

export interface Load {
  /** in a sentence */
  readonly about: string;
  /** what `done` counts */
  readonly unit: string;
  /** so far */
  readonly done: number;
  /** Resolves when all of it is done; a load that is not counted never ends by itself. Rejects if a reply is wrong. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a load; `count`: it ends when so many are done. */
export type StartLoad = (cluster: Cluster, count: number) => Promise<Load>;

/** Clients that work until so many `step`s are done; a step tells how many units it was. */
export function counted(
  what: { about: string; unit: string; clients: number; count: number },
  step: (from: number) => Promise<number>,
  close: () => Promise<unknown> = async () => {},
): Load {
  let [begun, done, over] = [0, 0, false];
  const work = async () => {
    while (!over && begun < what.count) {
      const from = begun;
      // The next client begins behind this one: a step is of at most this size.
      begun += STEP_MAX;
      const units = await step(from); // not `done += await`: other clients count meanwhile
      done += units;
    }
  };
  const ended = Promise.all(Array.from({ length: what.clients }, work)).then(() => {});
  return {
    about: what.about,
    unit: what.unit,
    get done() {
      return done;
    },
    ended,
    stop: async () => {
      over = true;
      await ended;
      await close();
    },
  };
}

/** Units of a step, at most. */
export const STEP_MAX = 256;

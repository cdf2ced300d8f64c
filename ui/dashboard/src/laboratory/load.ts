// A load as a person sets it, and the request that this becomes.
import type { Conditions } from '@claret/client/telemetry';
import type { SpikeWish } from './spikes.ts';

export interface Load extends Omit<SpikeWish, 'conditions' | 'stages'> {
  alpha: number;
  update: number;
  /** under each mode for an equal part of its time, else under the conditions that the cluster has */
  isInTurn: boolean;
}

/** What a load is for: a story. */
export interface LoadKind {
  spike: Pick<SpikeWish, 'spike' | 'clients' | 'alpha' | 'update'>;
  /** under each mode */
  seconds: number;
  modes: readonly { conditions: Conditions }[];
}

export function usualLoad({ spike: { spike, clients, alpha = 1, update = 0.5 }, seconds, modes }: LoadKind): Load {
  return { spike, clients, alpha, update, seconds: seconds * modes.length, isInTurn: true };
}

/** Parameters that only rawmix understands are not sent with other spikes. */
export function wishFor({ isInTurn, alpha, update, ...rest }: Load, { modes }: Pick<LoadKind, 'modes'>): SpikeWish {
  const wish = rest.spike === 'rawmix' ? { ...rest, alpha, update } : rest;
  const [first, ...later] = modes;
  if (!isInTurn || first === undefined) return wish;
  const each_s = wish.seconds / modes.length;
  const stages = later.map(({ conditions }, place) => ({ after_s: each_s * (place + 1), conditions }));
  return { ...wish, conditions: first.conditions, stages };
}

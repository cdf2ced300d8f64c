// A story: one load, and the modes that it is run under in turn, as cards that can be compared. Each spike has one.
import { WAYS } from '../laboratory/conditions.ts';
import type { SpikeWish } from '../laboratory/spikes.ts';
import { FOUR_WAYS, type Mode } from './modes.ts';

export interface Story {
  spike: Omit<SpikeWish, 'seconds' | 'conditions' | 'stages'>;
  /** under each mode */
  seconds: number;
  modes: readonly Mode[];
}

const CLIENTS = 128;
/** Each has hundreds of records in flight. */
const LIST_CLIENTS = 16;
const BEST = WAYS[3].conditions;

export const BIDS: Story = { spike: { spike: 'bid-spike', clients: CLIENTS }, seconds: 12, modes: FOUR_WAYS };

export const STORIES: readonly Story[] = [
  BIDS,
  { spike: { spike: 'viral-post', clients: CLIENTS }, seconds: 12, modes: FOUR_WAYS },
  { spike: { spike: 'natives', clients: CLIENTS }, seconds: 12, modes: FOUR_WAYS },
  {
    spike: { spike: 'popular-post', clients: CLIENTS },
    seconds: 15,
    modes: [
      { name: 'Ask each time', about: 'Every look asks the shard.', conditions: { ...BEST, warranties: 'off' }, look: 1 },
      {
        name: 'Promised reads',
        about: 'The shard promises results, so looks are answered from memory until a change recalls them.',
        conditions: { ...BEST, warranties: 'auto' },
        look: 4,
      },
    ],
  },
  { spike: { spike: 'lists', clients: LIST_CLIENTS }, seconds: 12, modes: FOUR_WAYS },
  { spike: { spike: 'rawmix', clients: CLIENTS, alpha: 1, update: 0.5 }, seconds: 12, modes: FOUR_WAYS },
];

export const storyOf = (spike: string): Story | null => STORIES.find((story) => story.spike.spike === spike) ?? null;

/** One spike that runs the modes in turn; its gateway switches, and restores the earlier conditions at the end. */
export function wishOf({ spike, seconds, modes }: Story): SpikeWish {
  const [first, ...later] = modes;
  const stages = later.map(({ conditions }, place) => ({ after_s: seconds * (place + 1), conditions }));
  return { ...spike, seconds: seconds * modes.length, conditions: first!.conditions, stages };
}

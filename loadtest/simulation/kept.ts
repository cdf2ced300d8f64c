// Runs that once failed, kept so that they never do again. A change of what a run does with its dice makes another run of
// the same seed; they are run all the same.
import type { RunOptions } from './run.ts';

export const KEPT: readonly (RunOptions & { why: string })[] = [
  {
    seed: 1188549689, minutes: 0.15, plan: 'everything', workload: 'transfers',
    why: 'A stream to another shard whose hello was lost was waited for without end, and a vote stayed in doubt.',
  },
  {
    seed: 1862284926, minutes: 0.25, plan: 'crashes', workload: 'long',
    why: 'After several starts, timestamps ran far ahead of the wall clock, and a shard forgot commits of its log as long over: a client was told aborted.',
  },
];

// How much was acknowledged to the clients of a spike and how much of it is stored: counted while it runs, and compared in full at its end.
import { formatCount, Pill } from '@claret/ui/kit';
import { CircleCheck, CircleX } from 'lucide-react';
import { spikeName } from './spikeNames.ts';
import type { SpikeRun } from './spikes.ts';

export function SpikeVerdict({ run: { spike, line } }: { run: SpikeRun }) {
  if (line === null) return null;
  const { state, compared, mismatches = [], message } = line;
  const words = compared ? comparedWords(compared) : null;
  const isLess = compared != null && compared.stored !== null && compared.stored < compared.acknowledged;
  const isWrong = mismatches.length > 0 || isLess;
  if (state === 'failed' || isWrong || (state === 'ended' && words === null)) {
    return (
      <span title={[message, ...mismatches].filter(Boolean).join('\n')}>
        <Pill tone="bad" icon={<CircleX size={14} aria-hidden="true" />}>
          {isWrong ? `${spikeName(spike)}: ${words ?? 'what is stored differs'}, and they differ` : failedWords(spike, message)}
        </Pill>
      </span>
    );
  }
  if (words === null) return null;
  return (
    <Pill tone="good" icon={<CircleCheck size={14} aria-hidden="true" />}>
      {words}
    </Pill>
  );
}

const failedWords = (spike: string, message = '') => `${spikeName(spike)} failed${message === '' ? '' : `: ${message}`}`;

/** "48,211 bids acknowledged, 48,211 stored" */
export function comparedWords({ what, acknowledged, stored }: NonNullable<NonNullable<SpikeRun['line']>['compared']>): string {
  const now = stored === null ? 'what is stored cannot be read now' : `${formatCount(stored)} stored`;
  return `${formatCount(acknowledged)} ${what} acknowledged, ${now}`;
}

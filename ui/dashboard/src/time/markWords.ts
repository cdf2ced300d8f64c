// Marks in words, as the flags on the axis have them.
import { shortConditionWords } from '../laboratory/conditions.ts';
import { spikeName } from '../laboratory/spikeNames.ts';
import type { Mark } from '../store/telemetryStore.ts';

export type MarkKind = 'conditions' | 'spike' | 'note' | 'restart';

export function markKind({ what }: Mark): MarkKind {
  if ('conditions' in what) return 'conditions';
  if ('spike' in what) return 'spike';
  return 'note' in what ? 'note' : 'restart';
}

export function markWords({ what }: Mark): string {
  if ('conditions' in what) return shortConditionWords(what.conditions);
  if ('spike' in what) return `${spikeName(what.name)} ${what.spike === 'began' ? 'begins' : 'ends'}`;
  if ('note' in what) return what.note;
  return `Shard ${what.shard_restarted} restarted`;
}

// Marks in words, for the flags on the axis.
import { shortConditionWords } from '../laboratory/conditions.ts';
import { spikeName } from '../laboratory/spikeNames.ts';
import type { Mark } from '../store/telemetryStore.ts';

export type MarkKind = 'conditions' | 'spike' | 'note' | 'restart';

const NOTE_CHARACTERS = 12;

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

/** The same for little room. */
export function markAbbreviation(mark: Mark): string {
  const { what } = mark;
  if ('conditions' in what) return markWords(mark).replace(/ locks$/, '');
  if ('spike' in what) return what.spike === 'began' ? 'begins' : 'ends';
  if ('note' in what) return what.note.length > NOTE_CHARACTERS ? `${what.note.slice(0, NOTE_CHARACTERS - 1)}…` : what.note;
  return `Shard ${what.shard_restarted}`;
}

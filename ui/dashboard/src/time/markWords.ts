// Marks in words, for the flags on the axis.
import { shortConditionWords } from '../laboratory/conditions.ts';
import { spikeName } from '../laboratory/spikeNames.ts';
import type { Mark } from '../store/telemetryStore.ts';

export type MarkKind = 'conditions' | 'spike' | 'note' | 'takeOver' | 'restart';

const NOTE_CHARACTERS = 12;

export function markKind({ what }: Mark): MarkKind {
  if ('conditions' in what) return 'conditions';
  if ('spike' in what) return 'spike';
  if ('note' in what) return 'note';
  return 'shard_taken_over' in what ? 'takeOver' : 'restart';
}

export function markWords({ what }: Mark): string {
  if ('conditions' in what) return shortConditionWords(what.conditions);
  if ('spike' in what) return `${spikeName(what.name)} ${what.spike === 'began' ? 'begins' : 'ends'}`;
  if ('note' in what) return what.note;
  if ('shard_taken_over' in what) return `Shard ${what.shard_taken_over} taken over by ${what.by}`;
  return `Shard ${what.shard_restarted} restarted`;
}

/** What the words leave out; empty: nothing. */
export function markDetails({ what }: Mark): string {
  if (!('shard_taken_over' in what)) return '';
  const { from, unanswered_ms } = what;
  return unanswered_ms === undefined ? `from ${from}` : `from ${from}, after at most ${secondsWords(unanswered_ms)} without answers`;
}

/** The same for little room. */
export function markAbbreviation(mark: Mark): string {
  const { what } = mark;
  if ('conditions' in what) return markWords(mark).replace(/ locks$/, '');
  if ('spike' in what) return what.spike === 'began' ? 'begins' : 'ends';
  if ('note' in what) return what.note.length > NOTE_CHARACTERS ? `${what.note.slice(0, NOTE_CHARACTERS - 1)}…` : what.note;
  return `Shard ${'shard_taken_over' in what ? what.shard_taken_over : what.shard_restarted}`;
}

/** Rounded up, for a time that is known to be no longer. */
export const secondsWords = (ms: number): string => `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;

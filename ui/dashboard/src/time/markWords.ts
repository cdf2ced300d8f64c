// Marks in words, for the flags on the axis.
import type { Change } from '@claret/client/telemetry';
import { msWords, slotWords } from '../components/figures.ts';
import { shortConditionWords } from '../laboratory/conditions.ts';
import { spikeName } from '../laboratory/spikeNames.ts';
import type { Mark } from '../store/telemetryStore.ts';

export type MarkKind = 'conditions' | 'spike' | 'note' | 'takeOver' | 'move' | 'restart';

const NOTE_CHARACTERS = 12;

type SlotsMoved = Extract<Change, { slots_moved: string }>;

export function markKind({ what }: Mark): MarkKind {
  if ('conditions' in what) return 'conditions';
  if ('spike' in what) return 'spike';
  if ('note' in what) return 'note';
  if ('slots_moved' in what) return 'move';
  return 'shard_taken_over' in what ? 'takeOver' : 'restart';
}

export function markWords({ what }: Mark): string {
  if ('conditions' in what) return shortConditionWords(what.conditions);
  if ('spike' in what) return `${spikeName(what.name)}: ${what.spike === 'began' ? 'start' : 'end'}`;
  if ('note' in what) return what.note;
  if ('shard_taken_over' in what) return `Shard ${what.shard_taken_over} taken over by ${what.by}`;
  if ('slots_moved' in what) return moveWords(what);
  return `Shard ${what.shard_restarted} restarted`;
}

/** What the words leave out; empty: nothing. */
export function markDetails({ what }: Mark): string {
  if ('slots_moved' in what) return moveDetails(what);
  if (!('shard_taken_over' in what)) return '';
  const { from, unanswered_ms } = what;
  return unanswered_ms === undefined ? `from ${from}` : `from ${from}, after at most ${secondsWords(unanswered_ms)} without answers`;
}

/** The same for little room. */
export function markAbbreviation(mark: Mark): string {
  const { what } = mark;
  if ('conditions' in what) return markWords(mark).replace(/ locks$/, '');
  if ('spike' in what) return what.spike === 'began' ? 'start' : 'end';
  if ('note' in what) return what.note.length > NOTE_CHARACTERS ? `${what.note.slice(0, NOTE_CHARACTERS - 1)}…` : what.note;
  if ('slots_moved' in what) return `${what.from} → ${what.to}`;
  return `Shard ${'shard_taken_over' in what ? what.shard_taken_over : what.shard_restarted}`;
}

function moveWords({ slots_moved, count, from, to }: SlotsMoved): string {
  const slots = slotWords(count);
  if (slots_moved === 'done') return `${slots} moved from shard ${from} to ${to}`;
  return `Move of ${slots} from shard ${from} to ${to} ${slots_moved === 'failed' ? 'failed' : 'called off'}`;
}

function moveDetails({ slots_moved, held_ms, why }: SlotsMoved): string {
  const held = held_ms === undefined ? '' : `held for ${msWords(held_ms)}`;
  const ended = slots_moved === 'done' ? '' : `the slots stay${why === undefined ? '' : `: ${why}`}`;
  return [held, ended].filter(Boolean).join('; ');
}

/** Rounded up, for a time that is known to be no longer. */
export const secondsWords = (ms: number): string => `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;

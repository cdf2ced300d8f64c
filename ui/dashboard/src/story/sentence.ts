// What happens now, or what has happened, in one sentence. Its figures are those of the cards, so each stands on the screen once.
import type { SpikeLine } from '../laboratory/spikes.ts';
import { spikeName } from '../laboratory/spikeNames.ts';
import { labelWords } from '../views/conflicts/conflictMatrix.ts';
import type { Card, Figures } from './cards.ts';
import { factorWords, lostWords, rateChange, rateWords } from './comparison.ts';
import type { Meeting } from './meeting.ts';
import type { Story } from './stories.ts';

export interface Scene {
  story: Story;
  cards: readonly Card[];
  /** the mode in force while the story's spike is under load; null: it is not, or the cluster runs in none of the story's */
  running: number | null;
  /** the spike under load now; null: none */
  load: string | null;
  /** of the spike that is about to begin or has just ended; null: none */
  state: SpikeLine['state'] | null;
  /** under the running mode */
  meeting: Meeting;
  /** shards that do not answer */
  silent: readonly number[];
  /** the cards are those of the recording that ships with Claret */
  isShipped: boolean;
}

export interface Piece {
  text: string;
  /** it is a record's key */
  isKey?: true;
}

export function sentenceOf(scene: Scene): Piece[] {
  const { story, cards, running, load, state, silent } = scene;
  if (silent.length > 0) return [{ text: silentWords(silent) }];
  if (running !== null) return runningNow(scene, cards[running]!, story.modes[running]!.name);
  if (load !== null) {
    const name = spikeName(load);
    return [{ text: load === story.spike.spike ? `${name} runs in a mode of its own.` : `Another load runs: ${name}.` }];
  }
  if (state === 'preparing') return [{ text: 'The crowd gathers…' }];
  return before(scene);
}

function silentWords(silent: readonly number[]): string {
  const which = silent.length === 1 ? `Shard ${silent[0]} is` : `Shards ${silent.join(', ')} are`;
  return `${which} down: what needs ${silent.length === 1 ? 'it' : 'them'} waits or fails, and everything else goes on.`;
}

function runningNow({ meeting }: Scene, card: Card, mode: string): Piece[] {
  if (card.state !== 'measured') return [{ text: `Measuring ${mode}…` }];
  const { committed_per_s, lost_per_commit } = card.figures;
  const figures = `${lostWords(lost_per_commit)} tries lost for each of ${rateWords(committed_per_s)} commits a second.`;
  if (meeting.labels === null) return [{ text: `Nobody is much in the way: ${figures}` }];
  const [one, other] = meeting.labels.map(labelWords) as [string, string];
  const who = one === other ? `${one} transactions` : `${one} and ${other}`;
  const where: Piece[] = meeting.record === null ? [] : [{ text: ' at ' }, { text: meeting.record.key, isKey: true }];
  return [{ text: `${who} block each other` }, ...where, { text: `: ${figures}` }];
}

interface Told {
  name: string;
  figures: Figures;
}

/** The first and the last mode that were measured in the newest run, beside each other. */
function before({ story, cards }: Scene): Piece[] {
  const all = cards.flatMap((card, place): Told[] =>
    card.state === 'measured' ? [{ name: story.modes[place]!.name, figures: card.figures }] : [],
  );
  const newest_ms = Math.max(...all.map(({ figures }) => figures.run_ms));
  const told = all.filter(({ figures }) => figures.run_ms === newest_ms);
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined) return [{ text: 'Press Start to see what happens when everybody wants the same record.' }];
  if (first === last) {
    const { committed_per_s, lost_per_commit } = first.figures;
    return [
      {
        text: `${first.name}: ${rateWords(committed_per_s)} commits a second, and ${lostWords(lost_per_commit)} tries lost for each of them.`,
      },
    ];
  }
  return [{ text: `From ${first.name} to ${last.name}: ${lostChange(first, last)}; ${rateSentence(first, last)}.` }];
}

function lostChange(first: Told, last: Told): string {
  const [from, to] = [first, last].map(({ figures }) => lostWords(figures.lost_per_commit)) as [string, string];
  return from === to ? `${to} tries lost per commit, as before` : `${to} tries lost per commit instead of ${from}`;
}

function rateSentence(first: Told, last: Told): string {
  const [from, to] = [first, last].map(({ figures }) => rateWords(figures.committed_per_s)) as [string, string];
  const change = rateChange(first.figures, last.figures);
  if (change.is !== 'clear') return 'commits a second showed no clear difference';
  const verb = change.factor > 1 ? 'rose' : 'fell';
  return `commits a second ${verb} from ${from} to ${to} (×${factorWords(change.factor)})`;
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

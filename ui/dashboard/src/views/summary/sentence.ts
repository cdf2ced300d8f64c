// The situation as one or more sentences: pieces of text, some of which link to the view that shows them.
import { formatCount } from '@claret/ui/kit';
import { NATIVE, WARRANTY, type Conditions } from '@claret/client/telemetry';
import { shortConditionWords } from '../../laboratory/conditions.ts';
import { figureWords, shareWords } from '../../components/figures.ts';
import type { ViewId } from '../../components/views.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import type { Findings, Situation } from './findings.ts';

export interface Piece {
  text: string;
  /** the linked view */
  view?: ViewId;
  /** the text is a record's key: the record is highlighted too */
  key?: string;
}

/** Possible actions: an idle page suggests one. */
export interface Around {
  /** a load spike can be started here */
  canStart: boolean;
  isRecording: boolean;
}

const link = (text: string, view: ViewId): Piece => ({ text, view });

export function sentenceOf(situation: Situation, around: Around): Piece[] {
  if (situation.is === 'unknown') return [{ text: 'No telemetry yet.' }];
  if (situation.is === 'idle') return idle(around);
  return [...load(situation), ...blocking(situation), ...conditions(situation.conditions)];
}

function idle({ canStart, isRecording }: Around): Piece[] {
  if (isRecording) return [{ text: 'Nothing was running at this point of the recording.' }];
  if (!canStart) return [{ text: 'Nothing is running.' }];
  return [
    { text: 'Nothing is running. ' },
    link('Start a load spike', 'laboratory-bar'),
    { text: ' to see which transactions block each other, and where.' },
  ];
}

const rateWords = (per_s: number) => (per_s >= 10 ? formatCount(Math.round(per_s)) : figureWords(per_s));

function load({ committed_per_s, natives_per_s, warranted_share, epoch_share, retries_per_commit, change }: Findings): Piece[] {
  const pieces: Piece[] = [link(`${rateWords(committed_per_s)} transactions a second`, 'throughput')];
  if (change !== null) pieces.push({ text: `, ${factorWords(change.factor)} under ${lower(shortConditionWords(change.before))}` });
  if (retries_per_commit !== null)
    pieces.push({
      text: `, ${retries_per_commit >= 10 ? Math.round(retries_per_commit) : retries_per_commit.toFixed(1)} retries for each`,
    });
  if (warranted_share !== null) pieces.push({ text: `; ${shareWords(warranted_share)} of all operations needed no message` });
  if (epoch_share !== null) pieces.push({ text: `; ${shareWords(epoch_share)} of all operations ran in epochs` });
  if (natives_per_s !== null) pieces.push({ text: `. Beside them, ${rateWords(natives_per_s)} natives a second` });
  return [...pieces, { text: '. ' }];
}

/** "5.8 times as many as", "as many as", "12% fewer than" */
export function factorWords(factor: number): string {
  if (factor >= 1.95) return `${factor >= 9.95 ? Math.round(factor) : factor.toFixed(1)} times as many as`;
  const percent = Math.round(Math.abs(factor - 1) * 100);
  if (percent < 5) return 'about as many as';
  return `${percent}% ${factor > 1 ? 'more' : 'fewer'} than`;
}

function blocking({ pair }: Findings): Piece[] {
  if (pair === null) return [{ text: 'They hardly block each other. ' }];
  const [one, other] = pair.labels.map(labelWords) as [string, string];
  const [first] = pair.labels;
  if (pair.labels.includes(NATIVE)) return nativesMeet(first === NATIVE ? other : one, pair);
  if (pair.labels.includes(WARRANTY)) return warrantiesDelay(first === WARRANTY ? other : one, pair);
  const names = one === other ? `${one} transactions` : `${one} and ${other}`;
  const pieces: Piece[] = [link(names, 'conflicts'), { text: ' block each other' }];
  if (pair.key !== null) pieces.push({ text: ' on ' }, { text: pair.key, view: 'hot-records', key: pair.key });
  return [...pieces, { text: ` (${shareWords(pair.share)} of all conflicts). ` }];
}

/** Natives break or wait for those that they meet. */
function nativesMeet(other: string, { key, share }: NonNullable<Findings['pair']>): Piece[] {
  const where: Piece[] = key === null ? [] : [{ text: ' on ' }, { text: key, view: 'hot-records', key }];
  return [link(`Natives and ${other}`, 'conflicts'), { text: ' meet' }, ...where, { text: ` (${shareWords(share)} of all conflicts). ` }];
}

/** What would violate a warranty waits until it has ended. */
function warrantiesDelay(other: string, { key, share }: NonNullable<Findings['pair']>): Piece[] {
  const where: Piece[] = key === null ? [] : [{ text: ' on ' }, { text: key, view: 'hot-records', key }];
  return [{ text: 'Warranties delay ' }, link(other, 'conflicts'), ...where, { text: ` (${shareWords(share)} of all conflicts). ` }];
}

/** The locks in use, and so why transactions block each other. */
function conditions(of: Conditions | null): Piece[] {
  if (of === null) return [];
  const { locks, phasing, combining } = of;
  if (locks === 'none') return [link('No locks', 'laboratory-bar'), { text: ' are on: results may be wrong.' }];
  const { warranties = 'off', epochs = 'auto' } = of;
  const extras = [
    ...(phasing ? ['phasing'] : []),
    ...(combining === 'off' ? [] : ['combining']),
    ...(warranties === 'off' ? [] : ['warranties']),
    // Where they help is the usual case, and the load says whether there are any.
    ...(epochs === 'on' ? ['epochs'] : []),
  ];
  const name = `${locks === 'rw' ? 'Reader/writer locks' : 'Commuting locks'}${extras.length > 0 ? ` with ${listed(extras)}` : ''}`;
  const onHot = combining === 'off' ? '' : 'transactions on hot records are executed one on top of another; elsewhere ';
  return [link(name, 'laboratory-bar'), { text: ` are on: ${onHot}${WHY[locks]}` }];
}

/** "phasing, combining and warranties" */
const listed = (words: readonly string[]): string =>
  words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

const WHY: Record<Exclude<Conditions['locks'], 'none'>, string> = {
  rw: 'a write locks everyone else out of the record.',
  abstract: 'operations block each other only when their order matters.',
};

const lower = (words: string): string =>
  words.startsWith('+ ') ? words.slice(2).toLowerCase() : `${words[0]!.toLowerCase()}${words.slice(1)}`;

/** All pieces as one text, for screen readers. */
export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

// The same commands at two servers, and the first reply in which they differ.

import type { Comparison, Step } from './step.ts';
import type { RawClient, Reply } from './raw-client.ts';

/** By how much two servers may differ in what is left of an expiry: they were not told and asked at the same moment. */
const NEAR: Partial<Record<Comparison, number>> = { 'near seconds': 2, 'near milliseconds': 2_000 };
/** Of what is told about a difference. */
const WORDS_SHOWN = 12;
const BYTES_SHOWN = 160;
const BYTES_SHOWN_BEFORE = 40;
const COMMANDS_SHOWN = 12;
const BULK = '$';
const INTEGER = ':';

export interface Difference {
  /** the number of the step, from 0 */
  step: number;
  command: string;
  /** What the replies are from about where they differ. */
  first: string;
  second: string;
  /** earlier commands that name one of its words, the last ones */
  before: readonly string[];
}

/** Runs the steps at both. Undefined if they do not differ. Steps behind the first difference are not run, since they may differ because of it. */
export async function firstDifference(first: RawClient, second: RawClient, steps: readonly Step[]): Promise<Difference | undefined> {
  for (const [at, { words, comparison }] of steps.entries()) {
    const [one, other] = await Promise.all([first.ask(words), second.ask(words)]);
    const [oneMore, otherMore] = [first.left, second.left];
    if (equal(one, other, comparison) && oneMore === otherMore) continue;
    const replies = shown(one.raw + oneMore, other.raw + otherMore);
    return { step: at, command: commandShown(words), ...replies, before: relatives(steps.slice(0, at), words) };
  }
  return undefined;
}

function shown(one: string, other: string): Pick<Difference, 'first' | 'second'> {
  let equals = 0;
  while (equals < one.length && one[equals] === other[equals]) equals++;
  const from = Math.max(0, equals - BYTES_SHOWN_BEFORE);
  const part = (reply: string) => `${from > 0 ? '…' : ''}${reply.slice(from, from + BYTES_SHOWN)}`;
  return { first: part(one), second: part(other) };
}

const commandShown = (words: readonly string[]) =>
  JSON.stringify(words.slice(0, WORDS_SHOWN)) + (words.length > WORDS_SHOWN ? `, of ${words.length} words` : '');

function relatives(steps: readonly Step[], words: readonly string[]): string[] {
  const named = new Set(words.slice(1));
  const related = steps.filter((step) => step.words.slice(1).some((word) => named.has(word)));
  return related.slice(-COMMANDS_SHOWN).map((step) => commandShown(step.words));
}

/** Whether the replies are the same, as far as the command says what they are. An error is always compared byte by byte. */
export function equal(one: Reply, other: Reply, comparison: Comparison): boolean {
  return one.raw === other.raw || canonical(one, comparison) === canonical(other, comparison) || bothNear(one, other, comparison);
}

/** The same text for replies that may stand for each other. */
function canonical(reply: Reply, comparison: Comparison): string {
  switch (comparison) {
    case 'members':
      return `${headOf(reply)}${inOrder(reply.elements, 1)}`;
    case 'pairs':
      return `${headOf(reply)}${inOrder(reply.elements, 2)}`;
    case 'scan of members':
    case 'scan of pairs':
      return reply.elements.length === 2 ? scan(reply, comparison === 'scan of pairs' ? 2 : 1) : reply.raw;
    case 'shape':
      return shape(reply);
    default:
      return reply.raw;
  }
}

const headOf = ({ kind, line, bytes }: Reply) => `${kind}${line}\r\n${bytes}`;

/** Groups of so many elements, sorted. */
function inOrder(elements: readonly Reply[], together: number): string {
  const groups: string[] = [];
  for (let i = 0; i < elements.length; i += together)
    groups.push(
      elements
        .slice(i, i + together)
        .map(({ raw }) => raw)
        .join(''),
    );
  return groups.toSorted().join('');
}

function scan(reply: Reply, together: number): string {
  const [cursor, page] = reply.elements as [Reply, Reply];
  return `${headOf(reply)}${cursor.raw}${headOf(page)}${inOrder(page.elements, together)}`;
}

/** Without the texts and numbers that are drawn at random. */
function shape(reply: Reply): string {
  if (reply.elements.length > 0) return `${headOf(reply)}${reply.elements.map(shape).join('')}`;
  const isDrawn = (reply.kind === BULK && reply.line !== '-1') || reply.kind === ',';
  return isDrawn ? reply.kind : reply.raw;
}

function bothNear(one: Reply, other: Reply, comparison: Comparison): boolean {
  const most = NEAR[comparison];
  if (most === undefined || one.kind !== INTEGER || other.kind !== INTEGER) return false;
  const [left, right] = [Number(one.line), Number(other.line)];
  return left >= 0 && right >= 0 && Math.abs(left - right) <= most;
}

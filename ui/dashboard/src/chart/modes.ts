// The look of each mode, the same everywhere: one colour (a token of modes.css), one or two letters, one pattern. Colour is never
// the only sign.

import { GATHERED, HELD, isCalledOff, lateWords, LISTING } from '../store/epochParts.ts';
import { clientOfTurn, isRun, WAITING_FOR_TURN } from '../store/runs.ts';

export type Pattern = 'plain' | 'rising' | 'falling' | 'dots' | 'level' | 'upright' | 'cross' | 'grid';

export interface ModeLook {
  name: string;
  letters: string;
  pattern: Pattern;
  /** the name of a CSS variable */
  token: string;
}

const look = (name: string, letters: string, pattern: Pattern): ModeLook => ({ name, letters, pattern, token: `--mode-${name}` });

const LOOKS: readonly ModeLook[] = [
  look('read', 'R', 'plain'),
  look('scan', 'S', 'upright'),
  look('add', 'A', 'dots'),
  look('increment', 'I', 'level'),
  look('change', 'C', 'falling'),
  look('generate', 'G', 'upright'),
  look('write', 'W', 'rising'),
  look('remove', 'Rm', 'falling'),
  look('try', 'T', 'dots'),
  look('exclusive', 'X', 'cross'),
  { name: WAITING_FOR_TURN, letters: '…', pattern: 'plain', token: '--mode-other-2' },
  look(GATHERED, 'G', 'plain'),
  look(LISTING, 'L', 'level'),
  look(HELD, 'H', 'plain'),
];
/** Runs of different clients may look alike: their names stand beside them. */
const RUN_PATTERNS: readonly Pattern[] = ['plain', 'level', 'rising', 'falling'];
/** Turns have colours of their own, by the order in which clients are seen: the first few differ. */
const TURN_PATTERNS: readonly Pattern[] = ['plain', 'rising', 'dots', 'falling', 'level', 'cross'];
let turns = 0;

function turnLook(client: string): ModeLook {
  const place = turns++ % TURN_PATTERNS.length;
  return { name: client, letters: lettersOf(client), pattern: TURN_PATTERNS[place]!, token: `--mode-turn-${place + 1}` };
}

const lettersOf = (name: string): string => (name === '' ? '?' : name.slice(0, 2).replace(/^./u, (first) => first.toUpperCase()));

const known = new Map(LOOKS.map((one) => [one.name, one]));
/** Looks may be derived anew for names beyond these. */
const KNOWN_MAX = 1_000;

/** As many as a type has modes at most (kModesMax in server-core/src/adt/adt.h). */
const OTHER_PATTERNS: readonly Pattern[] = ['level', 'rising', 'falling', 'dots', 'upright', 'cross', 'plain', 'grid'];
const tokenAt = (place: number): string => `--mode-other-${place + 1}`;
/** By place, the look that was given there last. */
const others: ModeLook[] = [];
let placed = 0;

/**
 * Modes of types of an application's own have colours, patterns and letters in the order in which they are seen: any eight in a row differ.
 * `beside`: fewer than eight looks from which this one has to differ.
 */
function otherLook(name: string, beside: readonly ModeLook[]): ModeLook {
  while (beside.some(({ token }) => token === tokenAt(placed % OTHER_PATTERNS.length))) placed++;
  const place = placed++ % OTHER_PATTERNS.length;
  delete others[place];
  const taken = new Set([...LOOKS, ...Object.values(others), ...beside].map(({ letters }) => letters));
  const [first = '?', ...rest] = lettersOf(name).slice(0, 1) + name.slice(1);
  const choices = [lettersOf(name), ...rest.filter((letter) => /\w/.test(letter)).map((letter) => first + letter)];
  const letters = choices.find((one) => !taken.has(one)) ?? `${first}${place + 1}`;
  return (others[place] = { name, letters, pattern: OTHER_PATTERNS[place]!, token: tokenAt(place) });
}

/** Gives the modes of one type, eight at most, looks that differ, as far as they have none yet. */
export function tellApart(modes: readonly string[]): void {
  for (const mode of modes) {
    const beside = modes.flatMap((other) => known.get(other) ?? []);
    modeLook(mode, beside.slice(0, OTHER_PATTERNS.length - 1));
  }
}

/** The look of any mode, the same for as long as the page is open. */
export function modeLook(name: string, beside: readonly ModeLook[] = []): ModeLook {
  let found = known.get(name);
  if (found === undefined) {
    let sum = 0;
    for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
    const client = clientOfTurn(name);
    if (client !== null) found = turnLook(client);
    else if (isCalledOff(name)) found = { name: lateWords(name), letters: '×', pattern: 'rising', token: '--mode-called-off' };
    else if (isRun(name)) found = { name, letters: 'Rn', pattern: RUN_PATTERNS[sum % 4]!, token: `--mode-run-${(sum % 4) + 1}` };
    else found = otherLook(name, beside);
    if (known.size < KNOWN_MAX) known.set(name, found);
  }
  return found;
}

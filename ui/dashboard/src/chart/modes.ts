// The look of each mode, the same everywhere: one colour (a token of modes.css), one or two letters, one pattern. Colour is never
// the only sign.

import { GATHERED, HELD, isCalledOff, lateWords, LISTING } from '../store/epochParts.ts';
import { clientOfTurn, isRun, WAITING_FOR_TURN } from '../store/runs.ts';

export type Pattern = 'plain' | 'rising' | 'falling' | 'dots' | 'level' | 'upright' | 'cross';

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
const OTHER_PATTERNS: readonly Pattern[] = ['level', 'rising', 'falling'];

/** Turns have colours of their own, by the order in which clients are seen: the first few differ. */
const TURN_PATTERNS: readonly Pattern[] = ['plain', 'rising', 'dots', 'falling', 'level', 'cross'];
let turns = 0;

function turnLook(client: string): ModeLook {
  const place = turns++ % TURN_PATTERNS.length;
  return { name: client, letters: lettersOf(client), pattern: TURN_PATTERNS[place]!, token: `--mode-turn-${place + 1}` };
}

const lettersOf = (name: string): string => (name === '' ? '?' : name.slice(0, 2).replace(/^./u, (first) => first.toUpperCase()));

const known = new Map(LOOKS.map((one) => [one.name, one]));

/** The look of any mode. For a mode that this page does not know, the look is derived from its name. */
export function modeLook(name: string): ModeLook {
  let found = known.get(name);
  if (found === undefined) {
    let sum = 0;
    for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
    const client = clientOfTurn(name);
    if (client !== null) found = turnLook(client);
    else if (isCalledOff(name)) found = { name: lateWords(name), letters: '×', pattern: 'rising', token: '--mode-called-off' };
    else if (isRun(name)) found = { name, letters: 'Rn', pattern: RUN_PATTERNS[sum % 4]!, token: `--mode-run-${(sum % 4) + 1}` };
    else found = { name, letters: lettersOf(name), pattern: OTHER_PATTERNS[sum % 3]!, token: `--mode-other-${(sum % 3) + 1}` };
    if (known.size < 1_000) known.set(name, found);
  }
  return found;
}

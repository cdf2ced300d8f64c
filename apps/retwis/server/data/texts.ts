// The texts of the data set's people: sentences of our own (english.ts, languages.ts), combined by rule. A person has a language and a few
// themes; some posts have a few words, some nearly fill the 280 characters.
import { type Random, WeightedDraw } from '@claret/site/data/random.ts';

import { LIMITS } from '../api.ts';
import { ENGLISH } from './english.ts';
import { LANGUAGES } from './languages.ts';
import type { Theme } from './theme.ts';

const ENGLISH_PERCENT = 82;
const THEMES_EACH = 3;

const EMOJI_PERCENT = 38;
const ALONE_PERCENT = 7;
/** the share of posts whose sentences are on lines of their own */
const LINES_PERCENT = 12;

/** the number of sentences of a post, chosen at random; the last: as many as fit */
const SENTENCES = [1, 2, 3, Infinity] as const;
const SENTENCES_WEIGHTS = [62, 24, 8, 6];

type Voice = readonly Theme[];

/** one text for each of the authors, in their order */
export function makeTexts(authors: readonly number[], users: number, random: Random): string[] {
  const writers = new Writers(users, random);
  return authors.map((author) => writers.write(author));
}

/** The people who write, each with their own language and themes. */
export class Writers {
  readonly #voices: readonly Voice[];
  readonly #random: Random;
  readonly #lengths = new WeightedDraw(SENTENCES_WEIGHTS);

  constructor(users: number, random: Random) {
    this.#voices = Array.from({ length: users }, () => makeVoice(random));
    this.#random = random;
  }

  /** The next text of the author with this number. */
  write(author: number): string {
    const theme = this.#random.pick(this.#voices[author]!);
    if (this.#random.chance(ALONE_PERCENT / 100)) return expand(this.#random.pick(theme.alone), this.#random);
    return makeText(theme, SENTENCES[this.#lengths.draw(this.#random)]!, this.#random);
  }
}

function makeVoice(random: Random): Voice {
  if (!random.chance(ENGLISH_PERCENT / 100)) return [random.pick(LANGUAGES)];
  return Array.from({ length: THEMES_EACH }, () => random.pick(ENGLISH));
}

function makeText(theme: Theme, count: number, random: Random): string {
  const between = random.chance(LINES_PERCENT / 100) ? '\n' : ' ';
  const tail = random.chance(EMOJI_PERCENT / 100) ? ` ${emoji(theme, random)}` : '';
  let text = '';
  for (const sentence of random.shuffle([...theme.sentences]).slice(0, count)) {
    const longer = text === '' ? expand(sentence, random) : `${text}${between}${expand(sentence, random)}`;
    // Counts code units: none of these texts has more graphemes than code units.
    if (longer.length + tail.length <= LIMITS.text_graphemes_max) text = longer;
  }
  return text + tail;
}

function emoji({ emoji: all }: Theme, random: Random): string {
  const one = random.pick(all);
  return random.chance(0.2) ? one + random.pick(all) : one;
}

function expand(sentence: string, random: Random): string {
  return sentence.replaceAll(/\{([^}]*)\}/g, (_, choices: string) => random.pick(choices.split('|')));
}

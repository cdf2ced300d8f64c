// What the people of the data set write: sentences of our own (english.ts, languages.ts), put together by rule. Somebody
// has a language and a few themes, as people do; some posts are a few words, some nearly fill the 280 characters.
import { type Random, WeightedDraw } from '@claret/site/data/random.ts';

import { LIMITS } from '../api.ts';
import { ENGLISH } from './english.ts';
import { LANGUAGES } from './languages.ts';
import type { Theme } from './theme.ts';

const ENGLISH_PERCENT = 82;
const THEMES_EACH = 3;

const EMOJI_PERCENT = 38;
const ALONE_PERCENT = 7;
/** Of several sentences, each on a line of its own. */
const LINES_PERCENT = 12;

/** How many sentences a post has, by chance; as many as there is room for in the last. */
const SENTENCES = [1, 2, 3, Infinity] as const;
const SENTENCES_WEIGHTS = [62, 24, 8, 6];

type Voice = readonly Theme[];

/** One for each author, in their order. */
export function makeTexts(authors: readonly number[], users: number, random: Random): string[] {
  const writers = new Writers(users, random);
  return authors.map((author) => writers.write(author));
}

/** People who write, each in a voice of their own. */
export class Writers {
  readonly #voices: readonly Voice[];
  readonly #random: Random;
  readonly #lengths = new WeightedDraw(SENTENCES_WEIGHTS);

  constructor(users: number, random: Random) {
    this.#voices = Array.from({ length: users }, () => makeVoice(random));
    this.#random = random;
  }

  /** What the author, by number, writes next. */
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
    // Code units, of which no character has none.
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

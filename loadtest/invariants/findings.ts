// What one room of the check has found: a sentence for each record that does not hold what it should. However many there
// are, a bounded number is kept; the rest is counted.

export const SENTENCES_MAX = 10;

export class Findings {
  readonly #family: string;
  readonly #sentences: string[] = [];
  #left = 0;

  /** @param family of invariants: each sentence begins with it */
  constructor(family: string) {
    this.#family = family;
  }

  /** @param key of the record, or what else is named by its own name */
  add(key: string, expected: string, found: string): void {
    this.say(`${key}: expected ${expected}, found ${found}`);
  }

  say(sentence: string): void {
    if (this.#sentences.length < SENTENCES_MAX) this.#sentences.push(`${this.#family}: ${sentence}`);
    else this.#left++;
  }

  sentences(): string[] {
    return this.#left === 0 ? [...this.#sentences] : [...this.#sentences, `${this.#family}: and ${this.#left} more`];
  }
}

const NAMED_MAX = 3;

/** Some of them by name: "a, b, c and 4 more". */
export function named(texts: readonly string[]): string {
  if (texts.length <= NAMED_MAX) return texts.join(', ');
  return `${texts.slice(0, NAMED_MAX).join(', ')} and ${texts.length - NAMED_MAX} more`;
}

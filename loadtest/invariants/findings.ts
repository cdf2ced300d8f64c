// Findings: records that violate an invariant. An invariant returns them; a tool prints them as sentences.

export interface Finding {
  /** the record's key, or the name of another object */
  record: string;
  expected: string;
  found: string;
}

export function sentenceOf({ record, expected, found }: Finding): string {
  return `${record}: expected ${expected}, found ${found}`;
}

export const SENTENCES_MAX = 10;

/** The findings of one family of invariants. Keeps a bounded number of sentences, and counts the rest. */
export class Findings {
  readonly #family: string;
  readonly #sentences: string[] = [];
  #left = 0;

  /** @param family the first word of each sentence */
  constructor(family: string) {
    this.#family = family;
  }

  add(record: string, expected: string, found: string): void {
    this.say(sentenceOf({ record, expected, found }));
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.say(sentenceOf(finding));
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

/** The first names, and the number of others: "a, b, c and 4 more". */
export function named(texts: readonly string[]): string {
  if (texts.length <= NAMED_MAX) return texts.join(', ');
  return `${texts.slice(0, NAMED_MAX).join(', ')} and ${texts.length - NAMED_MAX} more`;
}

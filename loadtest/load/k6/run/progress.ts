// Progress of a load test, storm by storm. The first word of a text is its stage.

import { Progress as Lines } from '../../../kit/progress.ts';

export class Progress {
  readonly #lines = new Lines(process.stdout);
  #storm = '';

  begin(storm: string): void {
    this.#storm = storm;
  }

  say = (text: string): void => {
    const [word] = text.split(' ', 1);
    this.#lines.show(`  ${this.#storm}: ${text}`, `${this.#storm} ${word}`);
  };

  /** Prints a permanent line. */
  line(text: string): void {
    this.#lines.say(`  ${this.#storm}: ${text}`);
  }

  end(): void {
    this.#lines.end();
  }
}

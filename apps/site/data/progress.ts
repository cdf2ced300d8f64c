// Progress of a long job: a bar on a terminal, otherwise lines `progress <done> <total> <what>` for a program to read.
import type { WriteStream } from 'node:tty';

const BAR_WIDTH = 32;
const EVERY_MS = 200;

export class Progress {
  readonly #out: NodeJS.WriteStream | WriteStream;
  readonly #total: number;
  #done = 0;
  #what = '';
  #shownAt = 0;

  constructor(total: number, out: NodeJS.WriteStream = process.stdout) {
    this.#total = total;
    this.#out = out;
  }

  /** Adds `count` finished units, of the part that is called `what`. */
  step(what: string, count: number): void {
    const isNew = what !== this.#what;
    this.#what = what;
    this.#done += count;
    if (isNew || performance.now() - this.#shownAt >= EVERY_MS) this.#show();
  }

  end(): void {
    this.#show();
    if (this.#out.isTTY) this.#out.write('\n');
  }

  #show(): void {
    this.#shownAt = performance.now();
    if (!this.#out.isTTY) {
      this.#out.write(`progress ${this.#done} ${this.#total} ${this.#what}\n`);
      return;
    }
    const part = this.#total === 0 ? 1 : this.#done / this.#total;
    const filled = Math.round(part * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    this.#out.write(`\r${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${this.#what.padEnd(16)}`);
  }
}

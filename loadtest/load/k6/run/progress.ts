// What a load test is at: one line, redrawn on a terminal; elsewhere a line when something else begins.

const PLAIN_EVERY_MS = 10_000;

export class Progress {
  readonly #terminal = process.stdout.isTTY === true;
  #name = '';
  #saidAtMs = 0;
  #saidWord = '';

  /** Of a storm. */
  begin(name: string): void {
    this.#name = name;
    this.#saidWord = '';
  }

  say = (text: string): void => {
    const line = `  ${this.#name}: ${text}`;
    if (this.#terminal) return void process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
    const word = text.split(' ', 1)[0]!;
    if (word === this.#saidWord && Date.now() < this.#saidAtMs + PLAIN_EVERY_MS) return;
    this.#saidWord = word;
    this.#saidAtMs = Date.now();
    console.log(line);
  };

  /** One that stays. */
  line(text: string): void {
    this.end();
    console.log(`  ${this.#name}: ${text}`);
  }

  end(): void {
    if (this.#terminal) process.stdout.write('\r\x1b[2K');
  }
}

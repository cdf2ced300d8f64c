// Progress of a run: one line that is rewritten on a terminal; elsewhere a line now and then.

const EVERY_MS = 15_000;

export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export class Progress {
  readonly #screen: Screen;
  readonly #nowMs: () => number;
  #saidMs = -Infinity;
  #stage = '';
  #open = false;

  constructor(screen: Screen = process.stderr, nowMs: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#nowMs = nowMs;
  }

  /** The present state. A new stage is shown at once. */
  show(text: string, stage = ''): void {
    if (this.#screen.isTTY) {
      this.#screen.write(`\r\u001b[K${text.slice(0, (this.#screen.columns ?? 80) - 1)}`);
      this.#open = true;
    } else if (stage !== this.#stage || this.#nowMs() - this.#saidMs >= EVERY_MS) {
      this.#stage = stage;
      this.#saidMs = this.#nowMs();
      this.#screen.write(`${text}\n`);
    }
  }

  /** Prints a permanent line. */
  say(text: string): void {
    this.#screen.write(`${this.#open ? '\r\u001b[K' : ''}${text}\n`);
    this.#open = false;
  }

  /** Removes the progress line. */
  end(): void {
    if (this.#open) this.#screen.write('\r\u001b[K');
    this.#open = false;
  }
}

/** "1 h 5 min", "12 min", "40 s" */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

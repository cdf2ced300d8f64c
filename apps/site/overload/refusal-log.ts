// Log lines about refusals, for operators: at most one line a second, with counts.

export type Warn = (facts: Record<string, unknown>, message: string) => void;

type State = { limit: number; at_work: Readonly<Record<string, number>>; refused: Readonly<Record<string, number>> };

const LINE_EVERY_MS = 1_000;

export class RefusalLog {
  readonly #warn: Warn;
  #toldMs = -Infinity;
  #told: Readonly<Record<string, number>> = {};

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /** `refused`: counts since the server's start, by reason */
  observe(nowMs: number, { limit, at_work, refused }: State): void {
    if (nowMs - this.#toldMs < LINE_EVERY_MS) return;
    const since = Object.entries(refused)
      .map(([reason, count]) => [reason, count - (this.#told[reason] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    if (since.length === 0) return;
    this.#warn({ refused: Object.fromEntries(since), limit, at_work }, 'more came than can be served: refused');
    this.#toldMs = nowMs;
    this.#told = { ...refused };
  }
}

// Retries while the site is very busy: a read is retried as the server's Retry-After allows, up to a limit; a change never is. While a
// request waits for its retry, the page says so.

/** attempts of a read in total */
export const TRIES_MAX = 4;
/** a refusal with a longer Retry-After is shown at once */
export const WAIT_S_MAX = 30;
/** Each wait is up to this share longer than Retry-After, so that clients refused together do not come back together. */
const JITTER = 0.5;

export interface PatienceWorld {
  wait: (delay_ms: number) => Promise<void>;
  random: () => number;
}

const browser: PatienceWorld = {
  wait: (delay_ms) => new Promise((resolve) => setTimeout(resolve, delay_ms)),
  random: () => Math.random(),
};

export class Patience {
  readonly #world: PatienceWorld;
  readonly #listeners = new Set<() => void>();
  #waiting = 0;

  constructor(world: PatienceWorld = browser) {
    this.#world = world;
  }

  /** True while a request waits for its retry. */
  readonly isWaiting = (): boolean => this.#waiting > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The answer, or the last refusal. REQUIRES: `ask` changes nothing. */
  async ask(ask: () => Promise<Response>): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await ask();
      const delay_s = retryAfter_s(response);
      if (delay_s === null || delay_s > WAIT_S_MAX || tries >= TRIES_MAX) return response;
      this.#change(1);
      await this.#world.wait(delay_s * 1_000 * (1 + JITTER * this.#world.random()));
      this.#change(-1);
    }
  }

  #change(by: number): void {
    const before = this.isWaiting();
    this.#waiting += by;
    if (this.isWaiting() !== before) for (const listener of this.#listeners) listener();
  }
}

/** shared by the whole page */
export const patience = new Patience();

/** The server's Retry-After in seconds; null: it gave none. */
function retryAfter_s(response: Response): number | null {
  if (response.status !== 503 && response.status !== 429) return null;
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

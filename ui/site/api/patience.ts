// What a page does while the site is very busy: a read is asked again, as often and as late as the server's Retry-After allows;
// nothing that changes something ever is. While anything waits to be asked again, the frame says so.

/** Times that a read is asked in all. */
export const TRIES_MAX = 4;
/** Who is told to wait for longer is told so instead. */
export const WAIT_S_MAX = 30;
/** Up to so many times what the server said: those who were refused together come back apart. */
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

  /** Something waits to be asked again. */
  readonly isWaiting = (): boolean => this.#waiting > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The answer, or the last refusal. `ask` must change nothing. */
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

/** This page's. */
export const patience = new Patience();

/** When the server says that the same request may be sent again; null: it does not. */
function retryAfter_s(response: Response): number | null {
  if (response.status !== 503 && response.status !== 429) return null;
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

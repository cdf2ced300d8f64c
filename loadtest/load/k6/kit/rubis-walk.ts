// One visitor's walk through the auction site by RUBiS' table: the next page. Pure: no requests here.
//
// As in RUBiS' emulator, a session begins at Home. The browser's back button leads to the previous page; leaving a page without a
// way back clears the history, including all pages before it.

import { STATES, TRANSITIONS, effective, type State, type Step } from './rubis-table.ts';

/** Average number of pages per session: measured by rubis-walk.test.ts */
export const PAGES_PER_SESSION = 51.4;

const STEPS = Object.fromEntries(STATES.map((state) => [state, effective(state)])) as Record<State, [Step, number][]>;

export class Walk {
  readonly #random: () => number;
  readonly #before: State[] = [];
  #state: State = 'Home';

  constructor(random: () => number) {
    this.#random = random;
  }

  get state(): State {
    return this.#state;
  }

  /** The next page; null: the session is over. */
  next(): State | null {
    const step = this.#draw();
    if (step === 'end') return null;
    if (step === 'back') return this.back();
    if (TRANSITIONS[step].back === undefined) this.#before.length = 0;
    else this.#before.push(this.#state);
    return (this.#state = step);
  }

  /** Also used when a page offers nothing to continue with. Home: there is no previous page. */
  back(): State {
    return (this.#state = this.#before.pop() ?? 'Home');
  }

  #draw(): Step {
    let chance = this.#random();
    const steps = STEPS[this.#state];
    for (const [step, share] of steps) {
      if (chance < share) return step;
      chance -= share;
    }
    return steps.at(-1)![0];
  }
}

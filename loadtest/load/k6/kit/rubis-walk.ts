// One visitor's way through the auction site by RUBiS' table: which page next. Pure: no requests here.
//
// Like RUBiS' emulator: a session begins at Home. The browser's back button leads to the page before; pages from which nobody goes back
// are forgotten once they are left, and so is what was before them.

import { STATES, TRANSITIONS, effective, type State, type Step } from './rubis-table.ts';

/** So many are seen in a session on average: measured, rubis-walk.test.ts */
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

  /** Also what a visitor does whom a page offers nothing to go on with. Home: there is no page before. */
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

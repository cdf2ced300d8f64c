// Reaction: somebody awaits an operation. It stands for the promise that `then` should return, at a fraction of its cost: most
// are the engine's own `await` or Promise.all, which never look at it.
//
// That an operation has failed is told by its transaction's promise: a reaction that only passes it on is not told to the
// process as an unhandled rejection. What a callback throws is, as of any promise.

type Callback = ((value: never) => unknown) | null | undefined;

/** Operations that one frame has settled: what awaits them runs in one microtask, after the frame has been taken in. */
const due: Reaction[] = [];
const settled = Promise.resolve();

function runDue(): void {
  // What a callback settles in turn is added behind, and reached.
  for (let i = 0; i < due.length; i++) due[i]!.run();
  due.length = 0;
}

export class Reaction implements PromiseLike<unknown> {
  /** awaits the same, since later */
  next: Reaction | null = null;
  readonly #onResult: Callback;
  readonly #onError: Callback;
  /** what is awaited has come to this; then what the callback has */
  #value: unknown = undefined;
  #failed = false;
  #ran = false;
  /** it failed with its operation, and no callback took that */
  #passesOn = true;
  /** who awaits it in turn */
  #followers: Reaction | null = null;
  /** the failure as the process has been told of it */
  #told: Promise<never> | null = null;

  constructor(onResult: Callback, onError: Callback) {
    this.#onResult = onResult;
    this.#onError = onError;
  }

  /** What it awaits has its result, or its error. `isTold`: an error that nobody takes is told to the process. */
  settle(failed: boolean, value: unknown, isTold = false): void {
    this.#failed = failed;
    this.#value = value;
    this.#passesOn = !isTold;
    if (due.push(this) === 1) void settled.then(runDue);
  }

  run(): void {
    const callback = this.#failed ? this.#onError : this.#onResult;
    if (typeof callback === 'function') {
      try {
        this.#value = callback(this.#value as never);
        this.#failed = false;
      } catch (error) {
        this.#value = error;
        this.#failed = true;
        this.#passesOn = false;
      }
    }
    this.#ran = true;
    if (this.#followers !== null) for (let each: Reaction | null = this.#followers; each !== null; each = each.next) this.#lead(each);
    else if (this.#failed && !this.#passesOn) this.#told = Promise.reject(this.#value);
  }

  #lead(follower: Reaction): void {
    const value = this.#value;
    if (this.#failed) return follower.settle(true, value, !this.#passesOn);
    // Of what the callback gave, too, a promise's error is told where nobody takes it, and an operation's is not.
    const onError = (error: unknown) => follower.settle(true, error, value instanceof Promise);
    void Promise.resolve(value).then((result) => follower.settle(false, result), onError);
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A, B>(
    onResult?: ((value: unknown) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const follower = new Reaction(onResult, onError);
    if (this.#ran) {
      this.#told?.catch(() => {});
      this.#lead(follower);
    } else {
      let last = this.#followers;
      while (last !== null && last.next !== null) last = last.next;
      if (last === null) this.#followers = follower;
      else last.next = follower;
    }
    return follower as PromiseLike<A | B>;
  }
}

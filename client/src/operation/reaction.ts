// Reaction: one `then` on an operation. It stands for the promise that `then` should return, at a fraction of its cost: most
// reactions belong to the engine's own `await` or Promise.all, which never look at the returned promise.
//
// A failed operation is reported by the promise of its transaction. So a reaction that only passes the failure on causes no
// unhandled rejection. An error that a callback throws causes one, as with any promise.

type Callback = ((value: never) => unknown) | null | undefined;

/** Reactions to operations that one frame has settled. They run in one microtask, after the whole frame has been read. */
const due: Reaction[] = [];
const settled = Promise.resolve();

function runDue(): void {
  // A callback may settle further operations. Their reactions are appended to the list, and this loop reaches them.
  for (let i = 0; i < due.length; i++) due[i]!.run();
  due.length = 0;
}

export class Reaction implements PromiseLike<unknown> {
  /** the next reaction to the same operation or reaction */
  next: Reaction | null = null;
  /** cut once they have been called (see Operation) */
  #onResult: Callback;
  #onError: Callback;
  /** the outcome of the operation, and later the outcome of the callback */
  #value: unknown = undefined;
  #failed = false;
  #ran = false;
  /** it failed with its operation, and no callback handled the error */
  #passesOn = true;
  /** the first of the reactions to this one */
  #followers: Reaction | null = null;
  /** the rejected promise that reports the failure to the process */
  #rejection: Promise<never> | null = null;

  constructor(onResult: Callback, onError: Callback) {
    this.#onResult = onResult;
    this.#onError = onError;
  }

  /** The operation has its result, or its error. `isReported`: an error that no callback handles becomes an unhandled rejection. */
  settle(failed: boolean, value: unknown, isReported = false): void {
    this.#failed = failed;
    this.#value = value;
    this.#passesOn = !isReported;
    if (due.push(this) === 1) void settled.then(runDue);
  }

  run(): void {
    const callback = this.#failed ? this.#onError : this.#onResult;
    this.#onResult = this.#onError = null;
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
    else if (this.#failed && !this.#passesOn) this.#rejection = Promise.reject(this.#value);
  }

  #lead(follower: Reaction): void {
    const value = this.#value;
    if (this.#failed) return follower.settle(true, value, !this.#passesOn);
    // A callback may return a promise or an operation. An unhandled error is reported for the promise, not for the operation.
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
      this.#rejection?.catch(() => {});
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

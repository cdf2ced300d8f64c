// Reaction: somebody awaits an operation. It stands for the promise that `then` should return, and makes one only where
// that is asked for: `await` and Promise.all have promises of their own and never look at this one.

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
  /** awaits the same operation, since later */
  next: Reaction | null = null;
  readonly #onResult: Callback;
  readonly #onError: Callback;
  /** what the operation has come to; then what the callback has */
  #value: unknown = undefined;
  #failed = false;
  #ran = false;
  #promise: Promise<unknown> | null = null;
  #resolve: ((value: unknown) => void) | null = null;
  #reject: ((error: unknown) => void) | null = null;

  constructor(onResult: Callback, onError: Callback) {
    this.#onResult = onResult;
    this.#onError = onError;
  }

  /** The operation has its result, or its error. */
  settle(failed: boolean, value: unknown): void {
    this.#failed = failed;
    this.#value = value;
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
      }
    }
    this.#ran = true;
    if (this.#promise !== null) (this.#failed ? this.#reject! : this.#resolve!)(this.#value);
    // An error that nobody takes is told as any promise's is.
    else if (this.#failed) this.#promise = Promise.reject(this.#value);
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A, B>(onResult?: ((value: unknown) => A | PromiseLike<A>) | null, onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<A | B> {
    if (this.#promise === null) {
      if (this.#ran) this.#promise = Promise.resolve(this.#value);
      else {
        this.#promise = new Promise((resolve, reject) => {
          this.#resolve = resolve;
          this.#reject = reject;
        });
      }
    }
    return this.#promise.then(onResult, onError) as Promise<A | B>;
  }
}

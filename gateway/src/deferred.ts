// Deferred: a promise that is settled from outside, like Promise.withResolvers, which Node 20 lacks.

export interface Deferred<Result> {
  readonly promise: Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export function deferred<Result>(): Deferred<Result> {
  let resolve!: (result: Result) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Result>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

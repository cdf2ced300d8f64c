// Picture: results on hot records, all of them right at one time. Each board of their shard moves it on to the next time. A few older
// results are kept, for forecasts that have begun with them.

import type { Call } from '../values/call.ts';
import { isSameArguments } from '../values/same.ts';
import type { WireValue } from '../values/values.ts';
import type { Board, Shown } from '../wire/chain-reader.ts';
import { isBefore, type Wide } from '../wire/wide.ts';

/** Results of one call that are kept. */
const RESULTS_MAX = 4;

/** What has been shown of one call on one record. */
export class ShownCall {
  readonly code: number;
  readonly args: readonly unknown[];
  /** each right from its time until the next one's, the newest last */
  readonly #results: WireValue[] = [];
  readonly #since: Wide[] = [];

  constructor(code: number, args: readonly unknown[]) {
    this.code = code;
    this.args = args;
  }

  add(since: Wide, result: WireValue): void {
    if (this.#results.push(result) > RESULTS_MAX) {
      this.#results.shift();
      this.#since.shift();
    }
    this.#since.push(since);
  }

  /** The result at a time of the picture, which the caller must copy; undefined: it is not kept any more. */
  resultAt(at: Wide): WireValue | undefined {
    let i = this.#since.length - 1;
    while (i >= 0 && isBefore(at, this.#since[i]!)) i--;
    return this.#results[i];
  }
}

const NEVER = { is: false };

export class Picture {
  /** the newest time */
  at: Wide = { high: 0, low: 0 };
  /** becomes true once what it shows may never have been */
  readonly over: { readonly is: boolean };
  readonly #byKey = new Map<string, ShownCall[]>();

  constructor(over: { readonly is: boolean } = NEVER) {
    this.over = over;
  }

  /** Undefined: the call is not shown. */
  find({ spec, key, args }: Call): ShownCall | undefined {
    const calls = this.#byKey.get(key);
    return calls === undefined ? undefined : find(calls, spec.code, args);
  }

  take({ at, gone, shown }: Omit<Board, 'anew'>): void {
    this.at = at;
    for (const key of gone) this.#byKey.delete(key);
    for (const one of shown) this.#callOf(one).add(at, one.result);
  }

  #callOf({ key, code, args }: Shown): ShownCall {
    let calls = this.#byKey.get(key);
    if (calls === undefined) this.#byKey.set(key, (calls = []));
    let call = find(calls, code, args);
    if (call === undefined) calls.push((call = new ShownCall(code, args)));
    return call;
  }
}

function find(calls: readonly ShownCall[], code: number, args: readonly unknown[]): ShownCall | undefined {
  for (const call of calls) if (call.code === code && isSameArguments(call.args, args)) return call;
  return undefined;
}

/** The results of calls that were made at one time. */
export function pictureOf(at: Wide, calls: readonly Call[], results: readonly WireValue[], over?: { readonly is: boolean }): Picture {
  const picture = new Picture(over);
  picture.take({
    at,
    gone: [],
    shown: calls.map(({ spec, key, args }, i) => ({ key, code: spec.code, args: args as WireValue[], result: results[i]! })),
  });
  return picture;
}

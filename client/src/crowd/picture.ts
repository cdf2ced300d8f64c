// Picture: results on the hot records of one shard, all of them right at one time. Boards bring it, each with what has changed. A
// picture itself never changes, so a forecast may keep the one it began with.

import type { Call } from '../values/call.ts';
import { isSameArguments } from '../values/join-rules.ts';
import type { WireValue } from '../values/values.ts';
import type { Board, Shown } from '../wire/chain-reader.ts';
import type { Wide } from '../wire/wide.ts';

export class Picture {
  readonly at: Wide;
  readonly #byKey: ReadonlyMap<string, readonly Shown[]>;

  constructor(at: Wide, byKey: ReadonlyMap<string, readonly Shown[]>) {
    this.at = at;
    this.#byKey = byKey;
  }

  /** The result of the call, which the caller must copy; undefined: it is not shown. */
  result({ spec, key, args }: Call): WireValue | undefined {
    return this.#byKey.get(key)?.find((shown) => shown.code === spec.code && isSameArguments(shown.args, args))?.result;
  }

  /** The picture after the next board. */
  with({ at, gone, shown }: Board): Picture {
    const byKey = new Map(this.#byKey);
    for (const key of gone) byKey.delete(key);
    for (const one of shown) {
      const others = byKey.get(one.key)?.filter(({ code, args }) => code !== one.code || !isSameArguments(args, one.args)) ?? [];
      byKey.set(one.key, [...others, one]);
    }
    return new Picture(at, byKey);
  }
}

/** Shows nothing. Its time is given by the first peek. */
export const NO_PICTURE = new Picture({ high: 0, low: 0 }, new Map());

/** The results of calls that were made at one time. */
export function pictureOf(at: Wide, calls: readonly Call[], results: readonly WireValue[]): Picture {
  const shown = calls.map(({ spec, key, args }, i) => ({ key, code: spec.code, args: args as WireValue[], result: results[i]! }));
  return NO_PICTURE.with({ at, gone: [], shown });
}

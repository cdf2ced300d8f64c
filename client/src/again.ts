// Again: what a retry asks for at once at each shard, before its body runs: all that the last attempt did there (the
// founding rules, section 3). Two that have met do not meet a second time halfway through.
//
// What was observed is observed again, in the order of keys; what the body then issues alike is answered from that. Of
// what was changed only the lock is asked for (an *intent*): the body may take another way. A record that was both
// observed and changed is asked for exclusively.

import type { Attempt } from './attempt.ts';
import { isSameCall } from './join-rules.ts';
import type { Operation } from './operation.ts';
import type { Part } from './part.ts';
import type { Session } from './session.ts';
import type { OperationSpec } from './values.ts';
import type { Call } from './wire/client-frame.ts';

type AnyOperation = Operation<unknown>;

/** A retry that would ask for more than this asks as it goes. */
const CALLS_MAX = 256;

export interface Wanted {
  /** keys */
  exclusive: readonly string[];
  observes: readonly Call[];
  intents: readonly Call[];
}

/** What the attempt did, by shard. */
export function wantedAfter(attempt: Attempt): ReadonlyMap<Session, Wanted> {
  return new Map(attempt.parts.map((part) => [part.session, wantedBy(part, attempt.awaited)]));
}

function wantedBy(part: Part, awaited: boolean): Wanted {
  const issued = part.issued();
  const observed = issued.filter(({ spec }) => spec.operationClass === 'observe');
  const changed = issued.filter(({ spec }) => spec.operationClass !== 'observe');
  const observedKeys = new Set(observed.map(({ key }) => key));
  const exclusive = [...new Set(changed.map(({ key }) => key).filter((key) => observedKeys.has(key)))];
  // Without awaiting anything, everything goes at once anyway.
  if (!awaited || issued.length > CALLS_MAX) return { exclusive, observes: [], intents: [] };
  const intents = changed.filter(({ spec, key }) => spec.result === 'void' && !observedKeys.has(key));
  return { exclusive, observes: distinct(observed), intents: distinct(intents) };
}

const isSame = (first: Call, second: Call): boolean => first.key === second.key && isSameCall(first, second);

function distinct(calls: readonly Call[]): Call[] {
  return calls.filter((call, i) => calls.findIndex((other) => isSame(other, call)) === i);
}

/** What one part has asked for. All of it is in the part's first request. */
export class Again {
  readonly wanted: Wanted;
  readonly operations: readonly AnyOperation[];
  readonly #unclaimed: AnyOperation[];
  #granted = false;
  #waiting: AnyOperation[] = [];

  constructor(wanted: Wanted, make: (call: Call, intent: boolean) => AnyOperation) {
    this.wanted = wanted;
    const observes = wanted.observes.map((call) => make(call, false));
    this.#unclaimed = [...observes];
    const intents = wanted.intents.map((call) => make(call, true));
    this.operations = [...observes, ...intents].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** The operation that answers this call, if it has been asked for. Each is given once: a result is its receiver's own. */
  observed(spec: OperationSpec, key: string, args: readonly unknown[]): AnyOperation | undefined {
    const index = this.#unclaimed.findIndex((operation) => isSame(operation, { spec, key, args }));
    return index < 0 ? undefined : this.#unclaimed.splice(index, 1)[0];
  }

  /** True when the lock that a void operation waits for has been asked for: it is settled once that is granted. */
  covers(operation: AnyOperation): boolean {
    if (operation.spec.result !== 'void') return false;
    const asked = this.wanted.exclusive.includes(operation.key) || this.operations.some((own) => own.intent && isSame(own, operation));
    if (!asked) return false;
    if (this.#granted) operation.settle(undefined);
    else this.#waiting.push(operation);
    return true;
  }

  granted(): void {
    if (this.#granted) return;
    this.#granted = true;
    for (const operation of this.#waiting) operation.settle(undefined);
    this.#waiting = [];
  }
}

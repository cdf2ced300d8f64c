// The handles of `claret.native`: each operation is sent by itself, and answers a promise.

import type { ClaretError } from '../errors/claret-error.ts';
import { misusedList, misusedOperation } from '../errors/misuse.ts';
import { Handles } from '../generated/handles.ts';
import { Description } from '../operation/description.ts';
import type { Operation } from '../operation/operation.ts';
import type { OwnHandle, OwnType } from '../operation/own-type.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { NativeOptions } from './native.ts';
import type { Natives, NativeView } from './natives.ts';

type Performed<Handle> = {
  [Name in keyof Handle]: Handle[Name] extends (...args: infer Args) => Operation<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

type TypedHandles = {
  [Name in Exclude<keyof Handles, 'issue' | 'of'>]: Handles[Name] extends (key: string) => infer Handle
    ? (key: string) => Performed<Handle>
    : never;
};

/** The results of natives that were run together, each with its own outcome. */
export type NativeResults<Descriptions extends readonly Description<unknown>[]> = {
  -readonly [Index in keyof Descriptions]: Descriptions[Index] extends Description<infer Result> ? PromiseSettledResult<Result> : never;
};

/** What applications see. Implemented once, since its operations are promises, which handles make of themselves by their types alone. */
export interface NativeHandles extends TypedHandles {
  of<Operations>(type: OwnType<Operations>, key: string): Performed<OwnHandle<Operations>>;
  /** Performs an operation that is described. */
  perform<Result>(operation: Description<Result>, options?: NativeOptions): Promise<Result>;
  /** Performs operations independently of each other: no transaction spans them. Resolves with the outcome of each, in order. */
  run<const Descriptions extends readonly Description<unknown>[]>(operations: Descriptions): Promise<NativeResults<Descriptions>>;
}

const NO_OPTIONS: NativeOptions = {};

class Performer extends Handles {
  readonly #natives: Natives;
  readonly #view: NativeView;
  readonly #options: NativeOptions;

  constructor(natives: Natives, view: NativeView, options: NativeOptions) {
    super();
    this.#natives = natives;
    this.#view = view;
    this.#options = options;
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    // Applications see the handles as `NativeHandles`, whose operations are promises.
    return this.#described(spec, key, args) as unknown as Operation<Result>;
  }

  /** What no shard would take rejects, as what its shard refuses does. */
  #described(spec: OperationSpec, key: string, args: readonly unknown[]): Promise<unknown> {
    let description: Description<unknown>;
    try {
      description = new Description(spec, key, args);
    } catch (error) {
      return Promise.reject(error as ClaretError);
    }
    return this.perform(description);
  }

  perform<Result>(operation: Description<Result>, options: NativeOptions = NO_OPTIONS): Promise<Result> {
    const wrong = misusedOperation('perform', operation);
    if (wrong !== null) return Promise.reject(wrong);
    const all = options === NO_OPTIONS ? this.#options : { ...this.#options, ...options };
    return this.#natives.perform(operation, this.#view, all) as Promise<Result>;
  }

  run(operations: readonly Description<unknown>[]): Promise<unknown> {
    const wrong = misusedList('run', operations);
    if (wrong !== null) return Promise.reject(wrong);
    return Promise.allSettled(operations.map((operation) => this.perform(operation)));
  }
}

/** @param options of each native, unless it has its own */
export const nativeHandles = (natives: Natives, view: NativeView, options: NativeOptions = NO_OPTIONS): NativeHandles =>
  new Performer(natives, view, options) as unknown as NativeHandles;

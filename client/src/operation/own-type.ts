// OwnType: a data type that an application has composed of the built-in ones (docs/types-of-your-own.md), as far as calls need it. `defineType` of
// @claret/client/types makes it.

import { misuse } from '../errors/misuse.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { Issuer } from './issuer.ts';
import type { Operation } from './operation.ts';

/** `Operations`: of each operation's name, `args` and `result`. */
export abstract class OwnType<out Operations = unknown> {
  abstract readonly name: string;
  /** by the operation's own name: "reserve" */
  abstract readonly specs: ReadonlyMap<string, OperationSpec>;
  /** never set: carries the types */
  declare readonly operations: Operations;
}

/** Typed methods, one for each operation. */
export type OwnHandle<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends { args: infer Args extends readonly unknown[]; result: infer Result }
    ? (...args: Args) => Operation<Result>
    : never;
};

/** The operations that may observe: those with a result. One that also changes the record is refused when it is called. */
export type OwnReads<Operations> = OwnHandle<{
  readonly [
    Name in keyof Operations as Operations[Name] extends { result: infer Result } ? ([Result] extends [void] ? never : Name) : never
  ]: Operations[Name];
}>;

const ISSUER = Symbol('issuer');
const KEY = Symbol('key');

interface Bound {
  readonly [ISSUER]: Issuer;
  readonly [KEY]: string;
}

/** The methods of each type's handles, which are made once. */
const prototypes = new WeakMap<OwnType, object>();

function prototypeOf(type: OwnType): object {
  let prototype = prototypes.get(type);
  if (prototype !== undefined) return prototype;
  // It inherits nothing, so a handle has the type's operations and no other members.
  prototype = Object.create(null) as object;
  for (const [name, spec] of type.specs) {
    const method = function (this: Bound, ...args: unknown[]) {
      return this[ISSUER].issue(spec, this[KEY], args);
    };
    Object.defineProperty(prototype, name, { value: method });
  }
  prototypes.set(type, Object.freeze(prototype));
  return prototype;
}

export function ownHandle<Operations>(type: OwnType<Operations>, issuer: Issuer, key: string): OwnHandle<Operations> {
  if (!(type?.specs instanceof Map)) throw misuse('of takes a type that defineType has made, and a key', type);
  return Object.create(prototypeOf(type), { [ISSUER]: { value: issuer }, [KEY]: { value: key } }) as OwnHandle<Operations>;
}

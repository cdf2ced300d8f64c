// The handles of `claret.on`. They only describe operations, so they need no connection.

import { Handles } from './generated/handles.ts';
import { Description, type Described } from './operation/description.ts';
import type { Operation } from './operation/operation.ts';
import type { OwnHandle, OwnType } from './operation/own-type.ts';
import type { OperationSpec } from './values/operation-spec.ts';

export type DescribedHandles = {
  [Name in Exclude<keyof Handles, 'issue' | 'of'>]: Handles[Name] extends (key: string) => infer Handle
    ? (key: string) => Described<Handle>
    : never;
} & {
  of<Operations>(type: OwnType<Operations>, key: string): Described<OwnHandle<Operations>>;
};

class Describer extends Handles {
  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    // Applications see the handles as `DescribedHandles`, whose operations are descriptions.
    return new Description<Result>(spec, key, args) as unknown as Operation<Result>;
  }
}

/** The same handles for every client. */
export const descriptions = new Describer() as unknown as DescribedHandles;

// claret.v1.Conditions in the loader's form: 64-bit numbers as text. Nothing, or an empty text, says that a condition is not named.
import { CONDITIONS, completed, type Conditions } from '@claret/client/telemetry';
import type { VersionedConditions } from '../store/cluster-conditions.ts';

export type WireConditions = Readonly<Record<string, string | boolean | undefined>> & { readonly version?: string };

/** Those that are named. They may be none: the sender decides. */
export function namedInWire(wire: WireConditions): Partial<Conditions> {
  const named = CONDITIONS.map(({ name }) => [name, wire[name]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== ''));
}

export const conditionsFromWire = (wire: WireConditions): VersionedConditions => ({
  ...completed(namedInWire(wire)),
  version: Number(wire.version ?? 0),
});

export const conditionsToWire = ({ version, ...conditions }: VersionedConditions): WireConditions => ({
  ...conditions,
  version: String(version),
});

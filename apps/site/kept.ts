// Values that an app server keeps in memory while the store promises all that they rest on (client/API.md, "Computations").
//
// A kept value is used only if that costs no message. Otherwise a route reads as it would without computations, in one message to each
// shard: a computation that is not promised would have to ask as many shards, and after a change its transaction would hold a hot record
// for another round trip. If those reads were all answered from memory, the value can be computed from memory too, and is kept from then
// on. So a kept value never costs a message, whatever the cluster's conditions are: with `warranties: off` no computation is used, and
// where results change all the time none runs. What it saves is the transaction: with warranties, an auction took 3 µs instead of 13, and a
// list with its cards 0.1 ms instead of 0.4 (medians on a busy machine of 2 cores; without warranties 35 µs and 1.1 ms).
import type { Claret, Computation, KeptValue } from '@claret/client';
import type { FastifyRequest } from 'fastify';

import { countFromMemory } from './cost.ts';
import { withinScope } from './overload/natives.ts';

/** Shards may promise results. */
export const areWarranted = (claret: Claret): boolean => (claret.conditions?.warranties ?? 'off') !== 'off';

/**
 * The value of the computation, which is shared and frozen; or what `read` reads, which has to be the same, by the same operations. `label`
 * names the transactions of `read`, and the value in the cost of the answer.
 */
export async function kept<Args extends readonly unknown[], Value>(
  request: FastifyRequest,
  label: string,
  computation: Computation<Args, Value>,
  args: Args,
  read: (claret: Claret) => Promise<Value>,
): Promise<Value> {
  const { claret } = request;
  if (!areWarranted(claret)) return read(claret);
  const inMemory = fromMemory(request, label, computation, args);
  if (inMemory !== null) return inMemory.value;
  let asked = false;
  const value = await read(claret.observed(({ operations, warranted }) => (asked ||= warranted < operations)));
  // A failure costs nothing but the memory: the next request reads again.
  if (!asked) computation.get(...args).catch(() => undefined);
  return value;
}

/** The value of the computation, from memory or not, within the request's limits. The cost of the answer has only what needed no message. */
export async function valueOf<Args extends readonly unknown[], Value>(
  request: FastifyRequest,
  label: string,
  computation: Computation<Args, Value>,
  args: Args,
): Promise<Value> {
  const inMemory = fromMemory(request, label, computation, args);
  if (inMemory !== null) return inMemory.value;
  const value = computation.get(...args);
  value.catch(() => undefined); // the request may have been called off
  return withinScope(request.scope!, false, () => value);
}

function fromMemory<Args extends readonly unknown[], Value>(
  request: FastifyRequest,
  label: string,
  computation: Computation<Args, Value>,
  args: Args,
): KeptValue<Value> | null {
  const inMemory = computation.kept(...args);
  if (inMemory !== null) countFromMemory(request, label, inMemory.members);
  return inMemory;
}

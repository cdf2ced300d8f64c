// Every data type's model, by its name. Those of an application's own types are derived from their definitions, once these are known.

import type { Model } from '../model.ts';
import { BoundedCounter } from './bounded-counter.ts';
import { Composed, ComposedType } from './composed.ts';
import { Counter } from './counter.ts';
import { Dict } from './dict.ts';
import { HyperLogLog } from './hyper-log-log.ts';
import { List } from './list.ts';
import { Register } from './register.ts';
import { ScoredSet } from './scored-set.ts';
import { SetOfTexts } from './set.ts';
import { SummaryBag } from './summary-bag.ts';
import { TopK } from './top-k.ts';
import { LivingRecord } from './living-record.ts';
import { UIdGenerator } from './uid-generator.ts';

export const models: ReadonlyMap<string, new () => Model> = new Map<string, new () => Model>([
  ['Register', Register],
  ['Counter', Counter],
  ['UIdGenerator', UIdGenerator],
  ['Dict', Dict],
  ['Set', SetOfTexts],
  ['ScoredSet', ScoredSet],
  ['TopK', TopK],
  ['SummaryBag', SummaryBag],
  ['BoundedCounter', BoundedCounter],
  ['HyperLogLog', HyperLogLog],
  ['List', List],
]);

/** Types whose empty records are not there. Only these can be deleted here: no workload deletes others. */
export const VACANT_IF_EMPTY = ['Register', 'Dict', 'Set', 'ScoredSet', 'List'];

const composed = new Map<string, ComposedType>();

/** From now on there is a model of the type, of this version alone. Throws for what is no definition. Returns its name. */
export function addDefinition(definition: string): string {
  const type = new ComposedType(definition, (name) => new (builtIn(name))());
  if (models.has(type.name)) throw new Error(`${type.name} is a built-in type`);
  composed.set(type.name, type);
  return type.name;
}

export const hasModel = (type: string): boolean => models.has(type) || composed.has(type);

function builtIn(type: string): new () => Model {
  const Made = models.get(type);
  if (Made === undefined) throw new Error(`there is no model of ${type}`);
  return Made;
}

/** An empty record. Throws for an unknown type. */
export function modelOf(type: string): Model {
  const own = composed.get(type);
  if (own !== undefined) return new Composed(own);
  const Made = builtIn(type);
  return VACANT_IF_EMPTY.includes(type) ? new LivingRecord(type, Made) : new Made();
}

/** The operations that may change a record; all others only observe. */
const CHANGING = new Set([
  'Register.set',
  'Register.compareAndSet',
  'Register.exchange',
  'Register.incrementAndGet',
  'Counter.add',
  'Dict.set',
  'Dict.increment',
  'Dict.remove',
  'Dict.put',
  'Dict.putIfAbsent',
  'Dict.erase',
  'Dict.incrementAndGet',
  'Set.add',
  'Set.remove',
  'Set.insert',
  'Set.erase',
  'ScoredSet.add',
  'ScoredSet.increment',
  'ScoredSet.remove',
  'TopK.add',
  'SummaryBag.add',
  'BoundedCounter.increment',
  'BoundedCounter.decrement',
  'BoundedCounter.tryDecrement',
  'HyperLogLog.add',
  'List.append',
  'List.prepend',
  'List.pushBack',
  'List.pushFront',
  'List.pushBackIfPresent',
  'List.pushFrontIfPresent',
  'List.popFront',
  'List.popBack',
  'List.setAt',
  'List.insert',
  'List.removeEqual',
  'List.trim',
]);

export const changes = (type: string, op: string): boolean =>
  composed.get(type)?.changes(op) ?? (op === 'delete' || CHANGING.has(`${type}.${op}`));

// Every public function, called as JavaScript lets one call it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { Tx } from '../transaction/tx.ts';
import { ClaretError } from './claret-error.ts';

let cluster: InProcessCluster;
let claret: any;
let tx: any;
let end: () => void;
let held: Promise<unknown>;
beforeAll(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect();
  const begun = Promise.withResolvers<Tx>();
  const ended = new Promise<void>((resolve) => (end = resolve));
  held = claret.transaction('Holds', async (own: Tx) => (begun.resolve(own), await ended), { timeoutMs: 600_000 });
  tx = await begun.promise;
});
afterAll(async () => {
  end();
  await held;
  await cluster.stop();
});

const add = () => claret.on.counter('hits').add(1);
const body = async () => 1;

/** By function: what is passed, and a part of the message. */
const CALLS: Record<string, [call: () => unknown, words: string][]> = {
  connect: [
    [() => (connect as any)(), 'connect takes { addresses'],
    [() => (connect as any)('127.0.0.1:7401'), 'not a text'],
    [() => (connect as any)({ addresses: '127.0.0.1:7401' }), 'not a text'],
    [() => (connect as any)({ addresses: [] }), 'one at least'],
    [() => (connect as any)({ addresses: [7401] }), 'not a number'],
    [() => connect({ addresses: ['localhost'] }), "'localhost' has no port"],
    [() => connect({ addresses: ['localhost:1'], combining: 'on' as never }), "combining of connect is 'off' or left out, not 'on'"],
  ],
  transaction: [
    [() => claret.transaction(body), 'the first argument of transaction is a label, the name of this kind of transaction, not a function'],
    [() => claret.transaction('Visit'), 'the body of transaction is a function, not undefined'],
    [() => claret.transaction('Visit', [add()]), 'the body of transaction is a function, not a list'],
    [() => claret.transaction('Visit', body, null), 'the options of transaction are an object'],
  ],
  firm: [
    [() => claret.firm(body), 'milliseconds'],
    [() => claret.firm(body, 'Page', 100), 'a label'],
  ],
  transact: [
    [() => claret.transact([add()]), 'a label'],
    [() => claret.transact('Visit'), 'the operations of transact are a list, not undefined'],
    [() => claret.transact('Visit', add()), 'a list, not an object'],
    [() => claret.transact('Visit', [claret.on.counter('hits')]), 'claret.on'],
    [() => claret.transact('Visit', [claret.on.counter('hits').add]), 'not a function'],
  ],
  readOnly: [
    [() => claret.readOnly([add()]), 'are a list'],
    [() => claret.readOnly('Read', [null]), 'claret.on'],
  ],
  writeOnly: [
    [() => claret.writeOnly([add()]), 'are a list'],
    [() => claret.writeOnly('Write', ['hits']), 'claret.on'],
  ],
  watch: [
    [() => claret.watch(), 'are a list'],
    [() => claret.watch([add()]), 'a listener'],
    [() => claret.watch([add()], body, { since: 1 }), 'a bigint'],
  ],
  describe: [
    [() => claret.describe(), 'the name of an operation'],
    [() => claret.describe('hits', 'Counter.add'), 'are a list'],
  ],
  computation: [
    [() => claret.computation(body), 'a name'],
    [() => claret.computation('Sum'), 'options'],
    [() => claret.computation('Sum', {}), 'a body'],
  ],
  observed: [[() => claret.observed(), 'a listener']],
  guarded: [[() => claret.guarded(), 'a guard']],
  within: [[() => claret.within(1_000), 'a Scope']],
  onStatus: [[() => claret.onStatus(), 'a listener']],
  transactionId: [
    [() => claret.transactionId(7), 'a text'],
    [() => claret.transactionId(undefined, null), '16 bytes'],
  ],
  asOf: [[() => claret.asOf('yesterday').counter('hits').value(), 'A moment is']],
  native: [
    [() => claret.native.perform(), 'claret.on'],
    [() => claret.native.run(), 'are a list'],
    [() => claret.native.run(['hits']), 'claret.on'],
    [() => claret.native.counter().add(1), 'a key is a text'],
    [() => claret.native.of('SeatMap', 'seats'), 'defineType'],
  ],
  on: [
    [() => claret.on.counter().add(1), 'a key is a text'],
    [() => claret.on.of(), 'defineType'],
  ],
  'tx.once': [[() => tx.once(), 'a function']],
  'tx.perform': [
    [() => tx.perform('hits'), 'claret.on'],
    [() => tx.perform(add(), { guess: 1 }), 'changes nothing'],
    [() => tx.perform(claret.on.dict('d').all(), { guess: {} }), 'have no order'],
  ],
  'tx.call': [[() => tx.call('Sum'), 'a computation']],
  'tx.finish': [[() => tx.finish(), 'an operation']],
  'tx.of': [[() => tx.of(), 'defineType']],
};

it.each(Object.entries(CALLS).flatMap(([name, calls]) => calls.map(([call, words]) => ({ name, call, words }))))(
  '$name says what it takes: $words',
  async ({ call, words }) => {
    const error: unknown = await (async () => call())().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ClaretError);
    const { code, message } = error as ClaretError;
    expect(['wrong_argument_type', 'out_of_range', 'invalid_attempt']).toContain(code);
    expect(message).toContain(words);
  },
);

it('no public function is left out', () => {
  const functionsOf = (prototype: object) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => (typeof value === 'function' ? [name] : []));
  const free = ['constructor', 'issue', 'close', 'newId']; // what they take is checked elsewhere, or they take nothing
  const all = [...functionsOf(Claret.prototype), ...functionsOf(Tx.prototype).map((name) => `tx.${name}`)];
  expect(all.filter((name) => !free.includes(name.replace('tx.', '')) && !(name in CALLS))).toEqual([]);
});

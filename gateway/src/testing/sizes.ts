// Operations of every size and shape around each limit, sent through every entrance of one gateway, each beside innocent ones on the same session
// or connection: those must succeed, whatever the others are. What is over a limit is refused by itself, at once and for good.
import type { Client } from '@grpc/grpc-js';
import { expect } from 'vitest';
import {
  ARGUMENTS_BYTES_MAX,
  ClaretError,
  ITEMS_MAX,
  KEY_BYTES_MAX,
  LABEL_BYTES_MAX,
  TEXT_BYTES_MAX,
  connect,
  type Claret,
} from '@claret/client';
import { steered } from '@claret/client/steered';
import { freshSeed, randomFrom, type Random } from '@claret/client/testing';
import { unary, unpack } from './calls.ts';
import { startCluster } from './cluster.ts';
import type { TestCluster } from './cluster.ts';
import { RedisClient } from './redis-client.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** of a command at the Redis door (docs/redis.md) */
const COMMAND_WORDS_MAX = 4_096;
const COMMAND_BYTES_MAX = 1024 * 1024;

type Scalar = string | number;
type Argument = Scalar | Scalar[] | Record<string, Scalar>;

interface Sized {
  key: string;
  name: string;
  args: Argument[];
  label: string;
}

/** What came of an operation. `code` is '' if it was executed. */
interface Outcome {
  code: string;
  commitState: string;
  retryable: boolean;
}

const EXECUTED: Outcome = { code: '', commitState: '', retryable: false };

// ---- drawing ----------------------------------------------------------------------------------------------------------------

/** Characters of one to four bytes. */
const CHARACTERS = ['x', 'é', '世', '😀'];

function textOf(random: Random, bytes: number): string {
  const character = random.pick(CHARACTERS);
  const size = Buffer.byteLength(character);
  return character.repeat(Math.floor(bytes / size)) + 'x'.repeat(bytes % size);
}

/** At the limit, just beside it, far below it or far beyond it. */
function around(random: Random, limit: number, most: number): number {
  const near = [limit - 1, limit, limit, limit + 1, limit + 2];
  return random.below(3) > 0 ? random.pick(near) : Math.min(most, Math.floor(2 ** (random.next() * Math.log2(most))));
}

function textsOf(random: Random): string[] {
  switch (random.below(3)) {
    case 0: // many short ones
      return Array.from({ length: around(random, ITEMS_MAX, 5_000) }, (_, i) => `${i}`);
    case 1: {
      // as much as is possible together, or a little more
      const bytes = around(random, ARGUMENTS_BYTES_MAX, 6_000_000);
      const count = Math.max(Math.ceil(bytes / TEXT_BYTES_MAX), 1 + random.below(ITEMS_MAX));
      const each = Math.floor(bytes / count);
      const texts = Array.from({ length: count }, () => textOf(random, each));
      texts[0] += 'x'.repeat(Math.min(bytes - each * count, Math.max(0, TEXT_BYTES_MAX - each)));
      return texts;
    }
    default: // one long one among others
      return ['a', textOf(random, around(random, TEXT_BYTES_MAX, 3_000_000)), 'b'];
  }
}

const OPERATIONS: Readonly<Record<string, (random: Random) => Argument[]>> = {
  'Counter.add': () => [1],
  'Register.set': (random) => [textOf(random, around(random, TEXT_BYTES_MAX, 4_000_000))],
  'TopK.add': (random) => [textOf(random, around(random, TEXT_BYTES_MAX, 4_000_000)), 1.5],
  'List.append': (random) => [textsOf(random)],
  'Set.insert': (random) => [textsOf(random)],
  'Dict.get': (random) => [textsOf(random)],
  'Dict.set': (random) => [Object.fromEntries(textsOf(random).map((text, i) => [`f${i}`, text]))],
};

let keys = 0;

/** One of its sizes is around a limit. */
function draw(random: Random): Sized {
  const name = random.pick(Object.keys(OPERATIONS));
  const prefix = `${keys++}:`;
  const sized: Sized = { key: `${prefix}k`, name, args: OPERATIONS[name]!(random), label: 'Sized' };
  if (random.below(4) === 0) {
    const bytes = around(random, KEY_BYTES_MAX, 3_000_000);
    sized.key = random.below(8) === 0 ? '' : prefix + textOf(random, Math.max(0, bytes - prefix.length));
  }
  if (random.below(16) === 0) {
    const long = 'n'.repeat(around(random, KEY_BYTES_MAX, 1_000_000));
    sized.name = random.pick([`Counter.${long}`, `${long}.add`, long]);
  }
  if (random.below(6) === 0) sized.label = textOf(random, around(random, LABEL_BYTES_MAX, 3_000_000));
  return sized;
}

// ---- what has to come of it -------------------------------------------------------------------------------------------------

const itemsOf = (argument: Argument): Scalar[] =>
  typeof argument !== 'object' ? [argument] : Array.isArray(argument) ? argument : Object.entries(argument).flat();
const bytesOf = (value: Scalar): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** The codes with which it may be refused; none: it has to be executed. Several limits may be passed at once. */
function refusals({ key, name, args, label }: Sized, hasLabel: boolean): string[] {
  const codes = Object.hasOwn(OPERATIONS, name) ? [] : ['unknown_type', 'unknown_operation'];
  const keyBytes = Buffer.byteLength(key);
  if (keyBytes === 0 || keyBytes > KEY_BYTES_MAX) codes.push('invalid_key');
  const texts = args.flatMap(itemsOf).map(bytesOf);
  const counts = args.map((argument) => (Array.isArray(argument) ? argument.length : Object.keys(argument).length));
  const together = texts.reduce((sum, bytes) => sum + bytes, 0);
  const isLarge = texts.some((bytes) => bytes > TEXT_BYTES_MAX) || together > ARGUMENTS_BYTES_MAX;
  const isLong = args.some((argument, i) => typeof argument === 'object' && counts[i]! > ITEMS_MAX);
  if (isLarge || isLong || (hasLabel && Buffer.byteLength(label) > LABEL_BYTES_MAX)) codes.push('argument_too_large');
  return codes;
}

// ---- entrances --------------------------------------------------------------------------------------------------------------

interface Entrance {
  readonly takesLabel: boolean;
  /** its limits are others */
  readonly hasOwnLimits?: boolean;
  /** of the message; more than the gateway takes of one is refused for that */
  bytes?(sized: Sized): number;
  send(sized: Sized): Promise<Outcome>;
}

const failed = (error: unknown): Outcome => {
  if (!(error instanceof ClaretError)) throw error;
  const { code, commitState, retryable } = error;
  return { code, commitState, retryable };
};

/** Work that may throw at once. */
async function outcomeOf(work: () => PromiseLike<unknown>): Promise<Outcome> {
  try {
    await work();
    return EXECUTED;
  } catch (error) {
    return failed(error);
  }
}

type WireValue = { text: string } | { integer: number } | { number: number } | { list: { items: WireValue[] } };

function wireValue(value: Argument): WireValue {
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { integer: value } : { number: value };
  const items = Array.isArray(value) ? value : Object.entries(value);
  return { list: { items: items.map((item) => wireValue(item)) } };
}

const wireOperation = ({ key, name, args }: Sized) => ({ key, name, arguments: args.map(wireValue) });

/** The question for fields that are named by its values. */
const asked = (sized: Sized): Sized => ({ ...sized, name: 'Dict.get', args: [sized.args.flatMap(itemsOf).map(String)] });

interface ExecuteResult {
  result: string;
  error?: { code: string; retryable: boolean } | null;
}

const jsonOperation = ({ key, name, args }: Sized) => {
  const [type, operation = ''] = name.split('.');
  return { key, type, operation, arguments: args };
};

/** The outcome of a request to REST. */
function answered(answer: { statusCode: number; json(): unknown }): Outcome {
  if (answer.statusCode === 200) return EXECUTED;
  const { code, commit_state: commitState, retryable } = answer.json() as { code: string; commit_state: string; retryable: boolean };
  return { code, commitState, retryable };
}

/** The outcome of a unary call. */
async function calledOutcome(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return EXECUTED;
  } catch (error) {
    const { code = `no code, but ${String(error)}`, metadata } = unpack(error);
    return { code, commitState: metadata['commit_state']!, retryable: metadata['retryable'] === 'true' };
  }
}

/** JSON is longer than the message. */
const messageBytes = (sized: Sized): number => Buffer.byteLength(JSON.stringify([wireOperation(sized), sized.label]));

type Entrances = Readonly<Record<string, Entrance>>;

/** One gateway with everything that can reach it, and a client of its own. */
export class Sizes {
  readonly #cluster: TestCluster;
  readonly #claret: Claret;
  readonly #redis: RedisClient;
  readonly #entrances: Entrances;
  /** what innocent operations have added to one counter */
  #added = 0;

  private constructor(cluster: TestCluster, claret: Claret, redis: RedisClient) {
    this.#cluster = cluster;
    this.#claret = claret;
    this.#redis = redis;
    this.#entrances = { ...this.#ofClient(), ...this.#ofRest(), ...this.#ofGrpc(), 'the Redis door': this.#door() };
  }

  #ofClient(): Entrances {
    const claret = this.#claret;
    const describe = ({ key, name, args }: Sized) => claret.describe(key, name, args);
    const through = (takesLabel: boolean, work: (sized: Sized) => PromiseLike<unknown>): Entrance => ({
      takesLabel,
      send: (sized) => outcomeOf(() => work(sized)),
    });
    const listed = (way: 'auto' | 'epoch' | 'locks') =>
      through(
        true,
        async (sized) => await claret.transact(sized.label, [claret.on.counter('c').add(1), describe(sized)], steered({ way })),
      );
    return {
      native: through(false, async (sized) => await claret.native.perform(describe(sized))),
      list: listed('locks'),
      epoch: listed('epoch'),
      chosen: listed('auto'),
      body: through(true, (sized) =>
        claret.transaction(sized.label, async (tx) => {
          tx.counter('c').add(1);
          await tx.perform(describe(sized));
        }),
      ),
      snapshot: through(true, (sized) =>
        claret.transaction(sized.label, async (tx) => void (await tx.perform(describe(sized))), { isolation: 'snapshot' }),
      ),
      watch: through(false, async (sized) => {
        const described = describe(asked(sized));
        await new Promise<void>((resolve) => {
          const watch = claret.watch([described], () => (watch.close(), resolve()));
        });
      }),
    };
  }

  #ofRest(): Entrances {
    const { rest } = this.#cluster.gateways[0]!;
    const posted = (url: string, payload: (sized: Sized) => object, takesLabel: boolean, headers = () => ({})): Entrance => ({
      takesLabel,
      bytes: (sized) => Buffer.byteLength(JSON.stringify(payload(sized))),
      send: async (sized) => {
        const { key } = sized;
        const path = url.replace(':key', encodeURIComponent(key));
        const answer = await rest.inject({ method: 'POST', url: path, payload: payload(sized), headers: headers() });
        return answered(answer);
      },
    });
    const body = (sized: Sized) => ({ operations: [jsonOperation(sized)], label: sized.label });
    const withoutKey = (sized: Sized) => {
      const { key: _, ...operation } = jsonOperation(sized);
      return operation;
    };
    return {
      'REST transaction': posted('/v1/transactions', body, true),
      'REST transaction with a key': posted('/v1/transactions', body, true, () => ({ 'idempotency-key': `"${keys++}"` })),
      'REST native': posted('/v1/records/:key', withoutKey, false),
      'REST interactive': {
        takesLabel: true,
        bytes: (sized) => Buffer.byteLength(JSON.stringify(body(sized))),
        send: async (sized) => {
          const post = (url: string, payload: object) =>
            rest.inject({ method: 'POST', url: `/v1/transactions/interactive${url}`, payload });
          const begun = await post('', { label: sized.label });
          if (begun.statusCode !== 201) return answered(begun);
          const { id } = begun.json() as { id: string };
          const executed = await post(`/${id}/operations`, { operations: [jsonOperation(sized)] });
          await post(`/${id}/commit`, {});
          return answered(executed);
        },
      },
    };
  }

  #ofGrpc(): Entrances {
    const grpc = this.#cluster.grpcClient(0);
    return {
      Transact: {
        takesLabel: true,
        bytes: messageBytes,
        send: (sized) => calledOutcome(unary(grpc, 'Transact', { operations: [wireOperation(sized)], label: sized.label })),
      },
      Execute: { takesLabel: false, bytes: messageBytes, send: (sized) => this.#execute(grpc, sized) },
    };
  }

  /** The others of the call are executed. */
  async #execute(grpc: Client, sized: Sized): Promise<Outcome> {
    const beside = { key: 'neighbour', name: 'Counter.add', arguments: [{ integer: 1 }] };
    const call = unary<{ results: ExecuteResult[] }>(grpc, 'Execute', { operations: [beside, wireOperation(sized), beside] });
    const outcome = await calledOutcome(call);
    if (outcome.code !== '') return outcome;
    const { results } = await call;
    expect([results[0]!.result, results[2]!.result]).toEqual(['value', 'value']);
    this.#added += 2;
    const { error } = results[1]!;
    return error ? { code: error.code, commitState: 'none', retryable: error.retryable } : EXECUTED;
  }

  #door(): Entrance {
    return {
      takesLabel: false,
      hasOwnLimits: true,
      send: ({ key, name, args }) => this.#command(name === 'Register.set' ? 'SET' : 'RPUSH', key, args.flatMap(itemsOf).map(String)),
    };
  }

  /** Answers how often the neighbours' counter was increased, and what it has counted. */
  static async run(rounds: number): Promise<{ executed: number; counted: unknown }> {
    const seed = freshSeed();
    console.log(`SEED=${seed}`);
    const sizes = await Sizes.#open();
    try {
      for (let round = 0; round < rounds; round++) await sizes.#round(seed + round);
      return { executed: sizes.#added, counted: await sizes.#claret.native.counter('neighbour').value() };
    } finally {
      await sizes.#close();
    }
  }

  static async #open(): Promise<Sizes> {
    // No session is lost to a machine that stands still.
    const cluster = await startCluster(1, { doors: true, bodyBytesMax: BODY_BYTES_MAX, sessionLeaseMs: 120_000 });
    const { member } = cluster.gateways[0]!;
    const claret = await connect({ addresses: [member.grpc] });
    return new Sizes(cluster, claret, await RedisClient.open(member.resp!));
  }

  async #close(): Promise<void> {
    this.#redis.close();
    await this.#claret.close();
    await this.#cluster.close();
  }

  /** A command, and an innocent one after it on its connection. A command that is too long for the door ends the connection. */
  async #command(command: string, key: string, words: string[]): Promise<Outcome> {
    const { resp } = this.#cluster.gateways[0]!.member;
    const connection = await RedisClient.open(resp!);
    const reply = connection.call(command, key, ...words);
    const after = connection.call('SET', 'neighbour-of-redis', 'x');
    const [answer, next] = [await reply, await after];
    connection.close();
    const bytes = [key, ...words].reduce((sum, word) => sum + Buffer.byteLength(word) + 16, 0);
    const what = `${command} of ${words.length} words, ${bytes} bytes: ${JSON.stringify(answer)?.slice(0, 200)}`;
    if (words.length < COMMAND_WORDS_MAX - 8 && bytes < COMMAND_BYTES_MAX) expect(next, what).toBe('OK');
    return answer !== null && typeof answer === 'object' ? { code: 'redis', commitState: 'none', retryable: false } : EXECUTED;
  }

  /** A few operations at once, through any entrances, among innocent ones. */
  async #round(seed: number): Promise<void> {
    const random = randomFrom(seed);
    const large = () => Array.from({ length: 1 + random.below(3) }, () => this.#one(seed, random));
    await Promise.all([...this.#neighbours(), ...large(), ...this.#neighbours()]);
    await Promise.all(this.#neighbours());
    expect(this.#claret.counters, `seed ${seed}`).toMatchObject({ sessionsLost: 0, nativesResent: 0 });
  }

  async #one(seed: number, random: Random): Promise<void> {
    const sized = draw(random);
    const way = random.pick(Object.keys(this.#entrances));
    const entrance = this.#entrances[way]!;
    const { key, name, label, args } = sized;
    const texts = args.flatMap(itemsOf);
    const bytes = texts.map(bytesOf).reduce((sum, each) => sum + each, 0);
    const sizes = `a key of ${key.length} units, ${texts.length} values of ${bytes} bytes, a label of ${label.length}`;
    const what = `seed ${seed}: ${name.slice(0, 40)} by ${way}, ${sizes}`;
    const outcome = await entrance.send(sized);
    if (entrance.hasOwnLimits) return;
    const codes = refusals(way === 'watch' ? asked(sized) : sized, entrance.takesLabel);
    if (outcome.code === '') return expect(codes, `${what} was executed`).toEqual([]);
    if ((entrance.bytes?.(sized) ?? 0) > BODY_BYTES_MAX) codes.push('body_too_large');
    // A path that is longer than any is no path.
    if (way === 'REST native' && codes.includes('invalid_key')) codes.push('invalid_request', 'not_found');
    expect(codes, what).toContain(outcome.code);
    expect(outcome, what).toMatchObject({ commitState: 'none', retryable: false });
  }

  /** On each session and connection that the gateway shares. */
  #neighbours(): Promise<unknown>[] {
    const claret = this.#claret;
    const payload = { type: 'Counter', operation: 'add', arguments: [1] };
    this.#added += 3;
    return [
      claret.native.counter('neighbour').add(1),
      claret.transact('Neighbour', [claret.on.counter('neighbour').add(1)]),
      claret.transaction('Neighbour', async (tx) => await tx.counter('neighbour').value()),
      this.#cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/records/neighbour', payload }).then(({ statusCode, body }) =>
        expect(statusCode, body).toBe(200),
      ),
      this.#redis.call('SET', 'neighbour-of-redis', 'x').then((reply) => expect(reply).toBe('OK')),
    ];
  }
}

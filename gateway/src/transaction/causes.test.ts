// The error details for each cause, produced on a real cluster, and the statuses of each code. They are the same over the client, interactive and one-shot REST, and unary
// gRPC.
import { ClaretError, ERROR_CAUSES, ERROR_CODES, connect } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Claret, ErrorCause, Tx } from '@claret/client';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS, GatewayError } from '../errors.ts';
import type { ErrorCode, ErrorRow } from '../errors.ts';
import { statusOf } from '../grpc/status.ts';
import { problemOf, sendProblem } from '../rest/problem.ts';
import { failure, unary, unpack } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster, TestClusterOptions } from '../testing/cluster.ts';
import { LATER_TALLY, TALLY } from '../testing/definitions.ts';
import { fromClient } from './operations.ts';

/** the members that all protocols carry, in REST's spelling */
interface Details {
  code: string;
  cause: string | undefined;
  key: string | undefined;
  operation: string | undefined;
  blocking_operation: string | undefined;
  blocking_label: string | undefined;
  retryable: boolean;
  retries: number;
  commit_state: string;
}

const MEMBERS = [
  'code',
  'cause',
  'key',
  'operation',
  'blocking_operation',
  'blocking_label',
  'retryable',
  'retries',
  'commit_state',
] as const;
const detailsFromRest = (problem: Record<string, unknown>) =>
  Object.fromEntries(MEMBERS.map((name) => [name, problem[name]])) as unknown as Details;
const detailsFromGrpc = (metadata: Record<string, string>) =>
  detailsFromRest({ ...metadata, retryable: metadata['retryable'] === 'true', retries: Number(metadata['retries']) });
const detailsFromClient = (error: unknown): Details => {
  if (!(error instanceof ClaretError)) throw error;
  const { code, cause, key, operation, blockingOperation, blockingLabel, retryable, retries, commitState } = error;
  return {
    code,
    cause,
    key,
    operation,
    blocking_operation: blockingOperation,
    blocking_label: blockingLabel,
    retryable,
    retries,
    commit_state: commitState,
  };
};
const rejection = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  );
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Long enough for what a transaction meets to be told, on any machine. */
const TRANSACTION_MS = 4_000;
/** For what is not to end by itself. */
const PATIENT_MS = 60_000;
/** Well above the 400 ms after which a client ends its silence, also where processors are wanted by others. */
const IDLE_MS = 5_000;
let cluster: TestCluster;
let others: Claret;
/** Starts a cluster for each test of the block. */
function onCluster(options: TestClusterOptions = {}): void {
  beforeEach(async () => {
    cluster = await startCluster(2, { transactionMs: TRANSACTION_MS, woundDelayMs: 10, woundGraceMs: 20, ...options });
    others = await connect({ addresses: [cluster.gateways[0]!.member.grpc], name: 'others', timeoutMs: PATIENT_MS });
  });
  afterEach(async () => {
    await others.close(0);
    await cluster.close();
  });
}

type Step = [key: string, operation: string, ...args: unknown[]];
const perform = (tx: Tx, [key, operation, ...args]: Step) => tx.perform(others.describe(key, operation, args));

/** Starts another transaction, which has executed its steps and stays open until `end`. */
async function other(label: string, ...steps: Step[]) {
  const [began, ending] = [Promise.withResolvers<Tx>(), Promise.withResolvers<void>()];
  const ended = others
    .transaction(
      label,
      async (tx) => {
        for (const step of steps) await perform(tx, step);
        began.resolve(tx);
        await ending.promise;
      },
      steered({ attemptsMax: 1, now: true }),
    )
    .catch(() => {});
  return { tx: await began.promise, end: async () => (ending.resolve(), await ended) };
}

/** an interactive transaction over the client or REST */
interface Conversation {
  step(step: Step): Promise<unknown>;
  /** Returns its error, after others have ended it. */
  failure(step: Step): Promise<Details>;
}

async function overRest(): Promise<Conversation> {
  const post = (url: string, payload: object) =>
    cluster.gateways[0]!.rest.inject({ method: 'POST', url: `/v1/transactions/interactive${url}`, payload });
  const { id } = (await post('', { label: 'Victim', expires_in_ms: PATIENT_MS })).json();
  const send = ([key, operation, ...args]: Step) => {
    const [type, name] = operation.split('.');
    return post(`/${id}/operations`, { operations: [{ key, type, operation: name, arguments: args }] });
  };
  return {
    step: async (step) => expect((await send(step)).statusCode).toBe(200),
    failure: async (step) => {
      const { statusCode, headers, body } = await send(step);
      expect([Math.floor(statusCode / 100), headers['content-type']]).toEqual([statusCode < 500 ? 4 : 5, 'application/problem+json']);
      return detailsFromRest(JSON.parse(body));
    },
  };
}

async function overClient(): Promise<Conversation> {
  const begun = Promise.withResolvers<Tx>();
  const ending = Promise.withResolvers<void>();
  others
    .transaction(
      'Victim',
      async (tx) => {
        begun.resolve(tx);
        await ending.promise;
      },
      steered({ attemptsMax: 1, now: true }),
    )
    .catch(() => {});
  const tx = await begun.promise;
  return {
    step: (step) => Promise.resolve(perform(tx, step)),
    failure: async (step) => {
      const details = await rejection(
        new Promise((resolve, reject) => {
          try {
            perform(tx, step).then(resolve, reject);
          } catch (error) {
            reject(error as Error);
          }
        }),
      );
      ending.resolve();
      return detailsFromClient(details);
    },
  };
}

const CONVERSATIONS = [
  ['the client', overClient],
  ['REST', overRest],
] as const;
const LOST = { retryable: true, retries: 0, commit_state: 'none' };

describe.each(CONVERSATIONS)('an interactive transaction over %s', (_, open) => {
  onCluster();

  test('that an older one has waited for too long names the lock it held and the waiter', async () => {
    const elder = await other('Elder', ['first', 'Counter.value']);
    const victim = await open();
    const key = cluster.keyOn(0, 'wanted');
    await victim.step([key, 'Counter.value']);
    await perform(elder.tx, [key, 'Counter.add', 1]);
    expect(await victim.failure([key, 'Counter.value'])).toEqual({
      ...LOST,
      code: 'wounded',
      cause: 'wounded',
      key,
      operation: 'Counter.value',
      blocking_operation: 'Counter.add',
      blocking_label: 'Elder',
    });
    await elder.end();
  });

  test('that must not wait because of a wound at another shard names the record it would have waited for', async () => {
    const [here, there] = [cluster.keyOn(0, 'here'), cluster.keyOn(1, 'there')];
    const elder = await other('Elder', [there, 'Counter.value']);
    const victim = await open();
    await victim.step([here, 'Counter.value']);
    const elderWaits = perform(elder.tx, [here, 'Counter.add', 1]).then(() => {});
    // The two wait for each other across shards, which only a wound can end.
    expect(await victim.failure([there, 'Counter.add', 1])).toMatchObject({
      ...LOST,
      code: 'wounded',
      cause: 'wounded',
      blocking_label: 'Elder',
    });
    await elderWaits;
    await elder.end();
  });

  test('that is the youngest of a cycle names the record and the transaction it waited for', async () => {
    const [one, two] = [cluster.keyOn(0, 'one'), cluster.keyOn(0, 'two')];
    const elder = await other('Elder', [one, 'Counter.value']);
    const victim = await open();
    await victim.step([two, 'Set.size']);
    const elderWaits = perform(elder.tx, [two, 'Set.add', 'x']).then(() => {});
    expect(await victim.failure([one, 'Counter.add', 1])).toEqual({
      ...LOST,
      code: 'deadlock',
      cause: 'deadlock',
      key: one,
      operation: 'Counter.add',
      blocking_operation: 'Counter.value',
      blocking_label: 'Elder',
    });
    await elderWaits;
    await elder.end();
  });

  test('that spans a new version of a type has condition_changed as its cause', async () => {
    const install = (definition: string) => cluster.gateways[0]!.host.types.change({ id: 128, retired: false, definition });
    install(TALLY);
    const victim = await open();
    const key = cluster.keyOn(0, 'held');
    await victim.step([key, 'Counter.value']);
    install(LATER_TALLY);
    expect(await victim.failure([key, 'Counter.value'])).toMatchObject({ ...LOST, code: 'condition_changed', cause: 'condition_changed' });
  });

  test('whose shard goes away has session_lost as its cause', async () => {
    const victim = await open();
    const key = cluster.keyOn(1, 'gone');
    await victim.step([key, 'Counter.value']);
    await cluster.gateways[1]!.close();
    expect(await victim.failure([key, 'Counter.value'])).toMatchObject({ ...LOST, code: 'session_lost', cause: 'session_lost' });
  });
});

describe.each(CONVERSATIONS)('an interactive transaction over %s, while another waits for it,', (_, open) => {
  describe('that is silent because it waits', () => {
    onCluster({ idleMs: IDLE_MS });

    test('at one shard for longer than idleMs is not idle at another one', async () => {
      const [here, there] = [cluster.keyOn(0, 'held'), cluster.keyOn(1, 'waited')];
      const elder = await other('Elder', [there, 'Register.exchange', 1]);
      const victim = await open();
      await victim.step([here, 'Counter.value']);
      const waits = victim.step([there, 'Register.exchange', 2]);
      const behind = others.transaction('Behind', async (tx) => void (await perform(tx, [here, 'Counter.add', 1])), steered({ now: true }));
      behind.catch(() => {}); // the cluster ends before the victim does
      for (let spent = 0; spent < 1.3 * IDLE_MS; spent += 100) {
        await perform(elder.tx, [there, 'Register.get']);
        await later(100);
      }
      await elder.end();
      await expect(waits).resolves.not.toThrow();
      await expect(victim.step([here, 'Counter.value'])).resolves.not.toThrow();
    });
  });

  describe('that is idle', () => {
    onCluster({ idleMs: 500 });

    test('names the lock it held and the waiter', async () => {
      const victim = await open();
      const key = cluster.keyOn(0, 'held');
      await victim.step([key, 'Counter.value']);
      await others.transact('Younger', [others.describe(key, 'Counter.add', [1])]);
      expect(await victim.failure([key, 'Counter.value'])).toEqual({
        ...LOST,
        code: 'expired',
        cause: 'idle',
        key,
        operation: 'Counter.value',
        blocking_operation: 'Counter.add',
        blocking_label: 'Younger',
      });
    });
  });
});

describe('a one-shot transaction over every protocol', () => {
  onCluster();

  /** Returns its error, which is the same over all three; `alike`: a property of the retries that must be the same too. */
  async function failures([key, operation, ...args]: Step, alike = (details: Details): unknown => details.retries > 0): Promise<Details> {
    const [type, name] = operation.split('.');
    const own = others.transact('Victim', [others.describe(key, operation, args)], { timeoutMs: TRANSACTION_MS });
    const rest = cluster.gateways[0]!.rest.inject({
      method: 'POST',
      url: '/v1/transactions',
      payload: { label: 'Victim', operations: [{ key, type, operation: name, arguments: args }] },
    });
    const wire = args.map((argument) => ({ integer: argument }));
    const grpc = unary(cluster.grpcClient(0), 'Transact', { label: 'Victim', operations: [{ key, name: operation, arguments: wire }] });
    const [byClient, byRest, byGrpc] = await Promise.all([rejection(own), rest, failure(grpc)]);
    const details = [detailsFromClient(byClient), detailsFromRest(byRest.json()), detailsFromGrpc(byGrpc.metadata)].map((found) => ({
      ...found,
      retries: alike(found),
    }));
    expect(details[1]).toEqual(details[0]);
    expect(details[2]).toEqual(details[0]);
    return detailsFromRest(byRest.json());
  }
  const GAVE_UP = { code: 'gave_up', retryable: true, commit_state: 'none' };

  test('that waits when its time ends names the lock and the holder', async () => {
    const key = cluster.keyOn(1, 'held');
    const holder = await other('Holder', [key, 'Counter.value']);
    expect(await failures([key, 'Counter.add', 1])).toEqual({
      ...GAVE_UP,
      cause: 'lock_wait',
      key,
      operation: 'Counter.add',
      blocking_operation: 'Counter.value',
      blocking_label: 'Holder',
      retries: 0,
    });
    await holder.end();
  });

  test('that is denied until its time ends names the lock and the holder', async () => {
    for (const gateway of cluster.gateways) gateway.host.setConditions({ locks: 'abstract', phasing: false, combining: 'auto' });
    const key = cluster.keyOn(1, 'held');
    const holder = await other('Holder', [key, 'Counter.value']);
    const denied = await failures([key, 'Counter.add', 1], ({ retries }) => retries >= 0); // the number of retries is random
    expect(denied).toMatchObject({
      ...GAVE_UP,
      cause: 'denied',
      key,
      operation: 'Counter.add',
      blocking_operation: 'Counter.value',
      blocking_label: 'Holder',
    });
    await holder.end();
  });

  test('for a shard that is down names the operation', async () => {
    const key = cluster.keyOn(1, 'down');
    await cluster.gateways[1]!.close();
    // A transaction that is sent before its client has noticed is retried once more than one that is sent later.
    await expect.poll(() => others.status.shards[1]!.state, { interval: 5 }).not.toBe('live');
    const read = async () => (await cluster.gateways[0]!.rest.inject(`/v1/records/${key}?type=counter&operation=value`)).json();
    await expect.poll(read, { interval: 5 }).toMatchObject({ code: 'shard_unavailable' });
    expect(await failures([key, 'Counter.add', 1])).toMatchObject({
      code: 'shard_unavailable',
      cause: 'shard_unavailable',
      key,
      operation: 'Counter.add',
      retryable: true,
      commit_state: 'none',
    });
  });
});

describe('a body', () => {
  onCluster();

  test('that takes too long has timeout as the cause, and no blocking transaction', async () => {
    await others.transaction('Warm', (tx) => tx.counter('a').value()); // opens its sessions
    const ending = Promise.withResolvers<void>();
    const error = await rejection(
      others.transaction(
        'Slow',
        async (tx) => {
          await tx.counter('a').value();
          await ending.promise;
        },
        { timeoutMs: 2_000 },
      ),
    );
    ending.resolve();
    expect(detailsFromClient(error)).toEqual({
      code: 'gave_up',
      cause: 'timeout',
      key: undefined,
      operation: undefined,
      blocking_operation: undefined,
      blocking_label: undefined,
      retryable: true,
      retries: 0,
      commit_state: 'none',
    });
  });
});

describe('REST and gRPC carry the details of the client', () => {
  const TOLD = { key: 'k', operation: 'Set.add', blockingOperation: 'Set.size', blockingLabel: 'View' };
  const all = Object.entries(ERRORS as Record<string, ErrorRow>);

  test.each(all)('for the code %s, with its status and whether to retry', async (code, { http, grpc, retryable, title }) => {
    const isClients = (ERROR_CODES as readonly string[]).includes(code);
    const error = new ClaretError({ code, message: 'why', ...TOLD, retryable });
    const known = isClients ? fromClient(error) : new GatewayError(code as ErrorCode, error.message, TOLD);
    if (!(known instanceof GatewayError)) throw known;
    const details = { ...detailsFromClient(error), cause: known.detail.cause };

    const app = Fastify().setErrorHandler(sendProblem);
    app.get('/', () => Promise.reject(known));
    const answer = await app.inject('/');
    await app.close();
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['retry-after']]).toEqual([
      http,
      'application/problem+json',
      retryable ? '1' : undefined,
    ]);
    const message = 'Set.add k: why (it met Set.size of View)';
    expect(answer.json()).toMatchObject({ type: `/v1/errors/${code}`, title, detail: message });
    expect(detailsFromRest(answer.json())).toEqual(details);

    const status = statusOf(known);
    expect(status.details).toBe(message);
    const sent = unpack(status);
    expect(sent).toMatchObject({ status: grpc, reason: code.toUpperCase(), domain: 'claret', retryInfo: retryable });
    expect(detailsFromGrpc(sent.metadata)).toEqual(details);
  });

  test.each(
    ERROR_CAUSES.flatMap((cause) => (['none', 'applied', 'unknown'] as const).map((state): [ErrorCause, typeof state] => [cause, state])),
  )('for %s, commit state %s', (cause, commitState) => {
    const error = new ClaretError({
      code: 'gave_up',
      message: 'why',
      key: 'k',
      operation: 'Set.add',
      blockingOperation: 'Set.size',
      blockingLabel: 'View',
      retryable: true,
      cause,
      commitState,
      retries: 3,
    });
    const known = fromClient(error);
    if (!(known instanceof GatewayError)) throw known;
    const details = detailsFromClient(error);
    expect(details.cause).toBe(cause);
    expect(detailsFromRest(problemOf(known, 'request'))).toEqual(details);
    expect(detailsFromGrpc(unpack(statusOf(known)).metadata)).toEqual(details);
  });
});

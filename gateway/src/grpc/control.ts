// The unary calls: the functions of REST for gRPC callers. Each handler is an adapter; errors become statuses with details.
import { createHash } from 'node:crypto';
import { Scope } from '@claret/client';
import { CONDITIONS, wordsOf } from '@claret/client/telemetry';
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import Value from 'typebox/value';
import { GatewayError, withUnknownOutcome } from '../errors.ts';
import { asGatewayError } from '../rest/problem.ts';
import { WantedConditionsSchema } from '../rest/schemas.ts';
import type { Services } from '../services.ts';
import type { Executed } from '../transaction/natives.ts';
import { greetingAnswerToWire, greetingFromWire } from './greeting.ts';
import type { WireGreeting } from './greeting.ts';
import { serveMoveStep } from './move.ts';
import type { WireMoveStep } from './move.ts';
import { conditionsToWire, namedInWire } from './wire-conditions.ts';
import type { SetConditionsRequest, WireWarranties } from './peers.ts';
import { statusOf } from './status.ts';
import { serveChangeTypes, serveCheckType, serveFollowType, serveGetTypes } from './types.ts';
import type { WireCheck, WireTypeChange } from './types.ts';
import { decodeExecute, decodeTransact, encodeError, encodeValue, type WireOperation } from './operation-codec.ts';

type Handler<Q, A> = (call: ServerUnaryCall<Q, A>, callback: sendUnaryData<A>) => void;

type OnError = (error: Error, known: GatewayError) => void;

/** `from`: the caller's address */
function unary<Q, A>(work: (request: Q, scope: Scope, from: string) => A | Promise<A>, onError: OnError): Handler<Q, A> {
  return (call, callback) => {
    const scope = scopeOf(call);
    Promise.resolve(call.request)
      .then((request) => work(request, scope, call.getPeer()))
      .then((answer) => callback(null, answer))
      .catch((error: Error) => {
        const known = asGatewayError(error);
        onError(error, known);
        callback(statusOf(known));
      });
  };
}

/** The scope of a call ends at the caller's deadline, or when the caller cancels. */
function scopeOf<Q, A>(call: ServerUnaryCall<Q, A>): Scope {
  const scope = new Scope(performance.now() + (Number(call.getDeadline()) - Date.now()));
  call.on('cancelled', () => scope.callOff());
  return scope;
}

/** Aborted when the scope is called off. */
function signalOf(scope: Scope): AbortSignal {
  const gone = new AbortController();
  if (scope.calledOff) gone.abort();
  else scope.enter({ callOff: () => gone.abort() });
  return gone.signal;
}

const ID_BYTES = 16;

/** Throws invalid_request. */
function idOf(id: Uint8Array): string {
  if (id.length !== ID_BYTES) throw new GatewayError('invalid_request', `id: ${ID_BYTES} bytes, or none.`);
  return Buffer.from(id).toString('hex');
}

/** The fingerprint of the decoded content: in protobuf, different bytes can have the same meaning. */
function fingerprintOf(label: string, operations: readonly WireOperation[]): string {
  const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? { integer: String(value) } : value);
  return createHash('sha256')
    .update(JSON.stringify([label, operations], plain))
    .digest('base64');
}

export function controlHandlers(services: Services, messageBytesMax: number, onFault: (error: unknown) => void) {
  const { transactions, calls, conditions, catalogue, topology, agreement, marks } = services;
  const onError: OnError = (error, known) => {
    calls.refused('grpc', known);
    if (known.code === 'internal') onFault(error);
  };
  const transact = async (request: Buffer, scope: Scope) => {
    const { label, operations, id } = decodeTransact(request);
    const idempotency =
      id.length === 0 ? undefined : { id: idOf(id), fingerprint: fingerprintOf(label, operations), keepMs: services.idempotencyMs };
    const { results, committedAt, retries, replayed } = await transactions.oneShotFromWire(label, operations, {
      scope,
      idempotency,
    });
    return { results: results.map(encodeValue), committedAt: committedAt.toString(), retries, replayed };
  };
  const execute = async (request: Buffer, scope: Scope) => {
    const outcomes = await transactions.natives.runFromWire(decodeExecute(request), scope);
    return {
      results: outcomes.map((outcome) => (outcome.status === 'fulfilled' ? done(outcome.value) : failed(outcome))),
    };
  };
  const done = ({ value, executedAt }: Executed) => ({ value: encodeValue(value), at: executedAt.toString() });
  const failed = ({ reason }: PromiseRejectedResult) => {
    const known = asGatewayError(reason as Error);
    if (known.code === 'internal') onFault(reason);
    return { error: encodeError(known) };
  };
  const checkSize = ({ length }: Buffer) => {
    if (length > messageBytesMax) throw new GatewayError('body_too_large', `A request may have ${messageBytesMax} bytes.`);
  };
  return {
    Transact: unary((request: Buffer, scope) => {
      checkSize(request);
      return calls
        .run(scope, () => transact(request, scope))
        .catch((error: unknown) => {
          throw error instanceof GatewayError && decodeTransact(request).id.length > 0 ? withUnknownOutcome(error) : error;
        });
    }, onError),
    Execute: unary((request: Buffer, scope) => {
      checkSize(request);
      return calls.run(scope, () => execute(request, scope));
    }, onError),
    GetTopology: unary(() => ({ ...topology.describe(), clusterName: topology.clusterName, clockMs: Date.now() }), onError),
    Greet: unary((greeting: WireGreeting) => greetingAnswerToWire(agreement.answer(greetingFromWire(greeting))), onError),
    GetCatalogue: unary(() => ({ json: catalogue.json }), onError),
    GetConditions: unary(() => conditionsToWire(conditions.local()), onError),
    SetConditions: unary(async (request: SetConditionsRequest) => {
      const version = Number(request.conditions?.version ?? 0);
      const wanted = namedInWire(request.conditions ?? {});
      if (!Value.Check(WantedConditionsSchema, wanted) || !Number.isSafeInteger(version)) {
        const allowed = CONDITIONS.map((each) => `${each.name} is ${wordsOf(each).join(' | ')}`);
        throw new GatewayError('invalid_request', `conditions: ${allowed.join(', ')}.`);
      }
      if (request.localOnly) return conditionsToWire(conditions.setLocal({ ...wanted, version }));
      await conditions.setEverywhere(wanted);
      return conditionsToWire(conditions.local());
    }, onError),
    GetTypes: unary((request: { id: number }) => serveGetTypes(services.types.own, request), onError),
    CheckType: unary((request: WireCheck, scope) => serveCheckType(services.types, request, signalOf(scope)), onError),
    FollowType: unary((request: { id: number }) => serveFollowType(services.types, request), onError),
    ChangeTypes: unary((request: WireTypeChange, _scope, from) => serveChangeTypes(services.types, request, from), onError),
    Warranties: unary(({ key, recall }: WireWarranties) => ({ json: JSON.stringify(services.warranties.askOwn(key, recall)) }), onError),
    Move: unary((step: WireMoveStep) => serveMoveStep(services.ownMoves, step), onError),
    AddMark: unary(({ text }: { text: string }) => {
      const { id, what } = marks.note(text);
      return { id, what: JSON.stringify(what) };
    }, onError),
  };
}

// The unary calls: what REST offers, for gRPC callers. Each is an adapter; errors become statuses with details.
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import Value from 'typebox/value';
import { GatewayError } from '../errors.ts';
import { asGatewayError } from '../rest/problem.ts';
import { ConditionsSchema } from '../rest/schemas.ts';
import type { Services } from '../services.ts';
import { conditionsToWire } from './peers.ts';
import type { SetConditionsRequest } from './peers.ts';
import { statusOf } from './status.ts';
import { decodeTransact, encodeValue } from './transact-codec.ts';

type Handler<Q, A> = (call: ServerUnaryCall<Q, A>, callback: sendUnaryData<A>) => void;

function unary<Q, A>(work: (request: Q) => A | Promise<A>, onFault: (error: unknown) => void): Handler<Q, A> {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(work)
      .then((answer) => callback(null, answer))
      .catch((error: Error) => {
        const known = asGatewayError(error);
        if (known.code === 'internal') onFault(error);
        callback(statusOf(known));
      });
  };
}

export function controlHandlers(services: Services, messageBytesMax: number, onFault: (error: unknown) => void) {
  const { transactions, conditions, catalogue, topology, marks } = services;
  return {
    Transact: unary(async (request: Buffer) => {
      if (request.length > messageBytesMax) {
        throw new GatewayError('body_too_large', `A request may have ${messageBytesMax} bytes.`);
      }
      const { label, operations } = decodeTransact(request);
      const committed = await transactions.oneShotFromWire(label, operations);
      const { committedAt, retries } = committed;
      return { results: committed.results.map(encodeValue), committedAt: committedAt.toString(), retries };
    }, onFault),
    GetTopology: unary(() => ({
      version: topology.version,
      durability: topology.durability,
      shards: topology.members.map(({ grpc, rest, ...slots }) => ({ ...slots, address: grpc, restAddress: rest })),
    }), onFault),
    GetCatalogue: unary(() => ({ json: catalogue.json }), onFault),
    GetConditions: unary(() => conditionsToWire(conditions.local()), onFault),
    SetConditions: unary(async (request: SetConditionsRequest) => {
      const { version = '0', draining: _, ...wanted } = request.conditions ?? {};
      if (!Value.Check(ConditionsSchema, wanted) || !Number.isSafeInteger(Number(version))) {
        throw new GatewayError('invalid_request', 'conditions: locks is none | rw | abstract, combining is auto | on | off.');
      }
      if (request.localOnly) return conditionsToWire(conditions.setLocal({ ...wanted, version: Number(version) }));
      await conditions.setEverywhere(wanted);
      return conditionsToWire(conditions.local());
    }, onFault),
    AddMark: unary(({ text }: { text: string }) => {
      const { id, what } = marks.note(text);
      return { id, what: JSON.stringify(what) };
    }, onFault),
  };
}

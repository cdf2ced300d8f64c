// Installed data types over gRPC, in the loader's form: serves the calls of clients and other gateways, and asks other gateways.
import type { ServiceError } from '@grpc/grpc-js';
import type { InstalledType } from '@claret/core';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError, isErrorCode } from '../errors.ts';
import { ID_FIRST, ID_LAST } from '../store/cluster-types.ts';
import type { ChangedType, ClusterTypes, PeerTypes } from '../store/cluster-types.ts';
import { DONE_WITHIN_MS } from '../store/own-types.ts';
import type { ListedType, LocalTypes, OwnTypes } from '../store/own-types.ts';
import { SECONDS_MAX } from '../store/type-trials.ts';
import type { Trial, TypeReport } from '../store/type-trials.ts';
import { metadataIn } from './status.ts';

export interface WireType {
  id: number;
  name?: string;
  version?: string;
  hash?: string;
  retired: boolean;
  definition: string;
}
export interface WireTypes {
  types: WireType[];
  done: boolean;
}
export interface WireCheck {
  definition: string;
  seconds: number;
  seed: string;
}
export interface WireTypeChange {
  change?: 'install' | 'retire';
  install?: string;
  retire?: string;
}
export interface WireTypeAnswer {
  json: string;
}

const answerOf = (value: unknown): WireTypeAnswer => ({ json: JSON.stringify(value) });

export function serveGetTypes(own: OwnTypes, { id }: { id: number }): WireTypes {
  const { types, done } = wireOf(own.list());
  if (id === 0) return { types, done };
  const shown = types.filter((type) => type.id === id);
  return { types: shown.map((type) => ({ ...type, definition: own.withId(type.id)!.definition })), done };
}

const wireOf = ({ types, done }: LocalTypes): WireTypes => ({
  types: types.map(({ version, ...type }) => ({ ...type, version: String(version), definition: '' })),
  done,
});

/** Throws GatewayError. */
export async function serveFollowType(types: ClusterTypes, { id }: { id: number }): Promise<WireTypes> {
  if (id < ID_FIRST || id > ID_LAST) throw new GatewayError('invalid_request', `id: ${ID_FIRST} to ${ID_LAST}.`);
  return wireOf(await types.follow(id));
}

/** Throws GatewayError. */
export function checkedTrial({ seconds, seed }: Omit<WireCheck, 'definition'>): Trial {
  if (!(seconds >= 0 && seconds <= SECONDS_MAX)) throw new GatewayError('invalid_request', `seconds: 0 to ${SECONDS_MAX}.`);
  if (!/^\d{0,20}$/.test(seed)) throw new GatewayError('invalid_request', 'seed: up to 20 digits.');
  return { ...(seconds !== 0 && { seconds }), ...(seed !== '' && { seed }) };
}

export const serveCheckType = async (
  types: ClusterTypes,
  { definition, ...trial }: WireCheck,
  signal: AbortSignal,
): Promise<WireTypeAnswer> => answerOf(await types.check(definition, { ...checkedTrial(trial), signal }));

/** `from`: who asks, for the log. */
export async function serveChangeTypes(types: ClusterTypes, request: WireTypeChange, from: string): Promise<WireTypeAnswer> {
  switch (request.change) {
    case 'install':
      return answerOf(await types.install(request.install!, from));
    case 'retire':
      return answerOf(await types.retire(request.retire!, from));
    default:
      throw new GatewayError('invalid_request', 'change: install or retire.');
  }
}

/** Makes a call; `problem` makes an error of what went wrong. */
export type CallTypes = <Q, A>(
  member: ClusterMember,
  name: 'CheckType' | 'GetTypes' | 'ChangeTypes' | 'FollowType',
  request: Q,
  timeoutMs: number,
  problem: (member: ClusterMember, error: ServiceError) => GatewayError,
  signal?: AbortSignal,
) => Promise<A>;

const ASK_TIMEOUT_MS = 2_000;
/** A little longer than the other side waits. */
const CHANGE_TIMEOUT_MS = DONE_WITHIN_MS + 2_000;
/** All trials that may wait there, and then the change of all shards. */
const DECIDE_TIMEOUT_MS = 15 * 60_000;

/** The gateways of other shards. */
export function remoteTypes(call: CallTypes): PeerTypes {
  const json = async <A>(
    member: ClusterMember,
    name: 'CheckType' | 'ChangeTypes',
    request: WireCheck | WireTypeChange,
    timeoutMs: number,
    signal?: AbortSignal,
  ) => JSON.parse((await call<typeof request, WireTypeAnswer>(member, name, request, timeoutMs, problemIn, signal)).json) as A;
  const getTypes = (member: ClusterMember, id: number) => call<object, WireTypes>(member, 'GetTypes', { id }, ASK_TIMEOUT_MS, problemIn);
  return {
    getTypes: async (member) => localOf(await getTypes(member, 0)),
    async getType(member, id): Promise<InstalledType | undefined> {
      const [type] = (await getTypes(member, id)).types;
      return type && { id: type.id, retired: type.retired, definition: type.definition };
    },
    followType: async (member, id) => localOf(await call<object, WireTypes>(member, 'FollowType', { id }, CHANGE_TIMEOUT_MS, problemIn)),
    checkType: (member, definition, { seconds = 0, seed = '', signal }) =>
      json<TypeReport>(member, 'CheckType', { definition, seconds, seed }, DECIDE_TIMEOUT_MS, signal),
    installType: (member, definition) => json<ChangedType>(member, 'ChangeTypes', { install: definition }, DECIDE_TIMEOUT_MS),
    retireType: (member, name) => json<ChangedType>(member, 'ChangeTypes', { retire: name }, DECIDE_TIMEOUT_MS),
  };
}

const listed = ({ id, name = '', version, hash = '', retired }: WireType): ListedType => ({
  id,
  name,
  version: Number(version),
  hash,
  retired,
});

const localOf = ({ types, done }: WireTypes): LocalTypes => ({ types: types.map(listed), done });

/** The refusal of the other gateway with what it shows, or that it did not answer. */
function problemIn({ shard, grpc }: ClusterMember, error: ServiceError): GatewayError {
  const told = metadataIn(error);
  const code = told.get('code');
  if (code === undefined || !isErrorCode(code)) {
    return new GatewayError('shard_unavailable', `Shard ${shard} at ${grpc} did not answer: ${error.details}.`);
  }
  const extra = [...told]
    .filter(([name]) => name === 'report' || name === 'shards')
    .map(([name, text]) => [name, JSON.parse(text) as unknown]);
  return new GatewayError(code, error.details, extra.length > 0 ? { extra: Object.fromEntries(extra) as Record<string, unknown> } : {});
}

// Errors over gRPC: a status code, and in `grpc-status-details-bin` a google.rpc.Status with ErrorInfo{reason, domain, metadata} and, for
// retryable errors, RetryInfo{retry_delay}.
//
// `reason` is the stable code in the spelling that google.rpc.ErrorInfo requires (WRONG_TYPE); metadata.code has the usual spelling
// (wrong_type). The dot in a code of an installed data type becomes `_` there: SeatMap.taken is SEATMAP_TAKEN.
import { Metadata, status as grpcStatus } from '@grpc/grpc-js';
import type { ServiceError, StatusObject } from '@grpc/grpc-js';
import { RETRY_DELAY_MS } from '../errors.ts';
import type { GatewayError } from '../errors.ts';
import { bytesField, bytesOf, fieldsOf, textOf, varintField } from './protobuf.ts';

export const ERROR_DOMAIN = 'claret';
const DETAILS = 'grpc-status-details-bin';
const ANY_PREFIX = 'type.googleapis.com/google.rpc.';

export function statusOf(error: GatewayError): StatusObject {
  const code = grpcStatus[error.row.grpc];
  const metadata = new Metadata();
  metadata.set(DETAILS, encodeDetails(code, error));
  // grpc-js never answers a call whose message holds half of a surrogate pair.
  return { code, details: error.message.toWellFormed(), metadata };
}

/** The stable code in an error from another gateway; undefined if it is not an error of Claret's. */
export const codeIn = (error: Partial<ServiceError>): string | undefined => metadataIn(error).get('code');

/** What `metadataOf` has put into an error of another gateway. */
export function metadataIn({ metadata }: Partial<ServiceError>): Map<string, string> {
  const [details] = metadata?.get(DETAILS) ?? [];
  if (!Buffer.isBuffer(details)) return new Map();
  for (const content of membersOf(details, 3).map((any) => membersOf(any, 2)[0])) {
    if (content === undefined) continue;
    const pairs = membersOf(content, 3).map((pair) =>
      [1, 2].map((member) => membersOf(pair, member)[0]).map((text) => (text === undefined ? '' : textOf(text))),
    );
    const found = new Map(pairs as [string, string][]);
    if (found.has('code')) return found;
  }
  return new Map();
}

const membersOf = (message: Uint8Array, wanted: number): Uint8Array[] =>
  [...fieldsOf(message)].filter(({ number }) => number === wanted).map(({ value }) => bytesOf(value));

// google.rpc.Status := code(1: int32) message(2: string) details(3: Any)*
function encodeDetails(code: number, error: GatewayError): Buffer {
  const fields = [varintField(1, code), bytesField(2, error.message), any('ErrorInfo', errorInfo(error))];
  if (error.retryable) fields.push(any('RetryInfo', retryInfo(RETRY_DELAY_MS)));
  return Buffer.concat(fields);
}

// Any := type_url(1: string) value(2: bytes)
const any = (type: string, value: Uint8Array): Buffer =>
  bytesField(3, Buffer.concat([bytesField(1, ANY_PREFIX + type), bytesField(2, value)]));

// ErrorInfo := reason(1: string) domain(2: string) metadata(3: map<string, string>)
function errorInfo(error: GatewayError): Buffer {
  const metadata = metadataOf(error).map(([name, value]) => bytesField(3, Buffer.concat([bytesField(1, name), bytesField(2, value)])));
  return Buffer.concat([bytesField(1, error.code.toUpperCase().replace('.', '_')), bytesField(2, ERROR_DOMAIN), ...metadata]);
}

// RetryInfo := retry_delay(1: Duration); Duration := seconds(1: int64) nanos(2: int32)
const retryInfo = (delayMs: number): Buffer =>
  bytesField(1, Buffer.concat([varintField(1, Math.floor(delayMs / 1000)), varintField(2, (delayMs % 1000) * 1e6)]));

function metadataOf(error: GatewayError): [string, string][] {
  const { detail } = error;
  const all: [string, string | undefined][] = [
    ['code', error.code],
    ['retryable', String(error.retryable)],
    ['commit_state', detail.commitState ?? 'none'],
    ['retries', String(detail.retries ?? 0)],
    ['key', detail.key],
    ['operation', detail.operation],
    ['blocking_operation', detail.blockingOperation],
    ['blocking_label', detail.blockingLabel],
    ['cause', detail.cause],
    ...Object.entries(detail.extra ?? {}).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
}

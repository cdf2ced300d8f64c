// gRPC calls without the Claret client, for tests: raw bytes or published messages, and decoded errors.
import { status as grpcStatus } from '@grpc/grpc-js';
import type { CallOptions, Client, ClientDuplexStream, MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { claretService, packages } from '../grpc/proto.ts';
import { bytesOf, fieldsOf, textOf } from '../grpc/protobuf.ts';

export const asIs = (bytes: Buffer): Buffer => bytes;
const published = packages['claret.v1.Claret'] as unknown as Record<string, MethodDefinition<object, object>>;

/** Makes a unary call with a published message. Throws the ServiceError. */
export function unary<A = Record<string, unknown>>(client: Client, method: string, request: object, options: CallOptions = {}): Promise<A> {
  return unaryRaw(client, method, Buffer.from(published[method]!.requestSerialize(request)), options);
}

export function unaryRaw<A = Record<string, unknown>>(
  client: Client,
  method: string,
  request: Buffer,
  options: CallOptions = {},
): Promise<A> {
  const { path, responseDeserialize } = published[method]!;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, responseDeserialize, request, options, (error, answer) =>
      error ? reject(error) : resolve(answer as A),
    );
  });
}

export function openSession(client: Client): ClientDuplexStream<Buffer, Buffer> {
  return client.makeBidiStreamRequest(claretService['Session']!.path, asIs, asIs);
}

const MESSAGES = packages as unknown as Record<string, MethodDefinition<object, object>>;
const session = MESSAGES['claret.v1.Claret'] as unknown as { Session: MethodDefinition<object, object> };

export const clientFrame = (frame: object): Buffer => Buffer.from(session.Session.requestSerialize(frame));
// The published message in the loader's form, untyped: tests access only members that they know.
// oxlint-disable-next-line typescript/no-explicit-any
export const serverFrame = (bytes: Buffer): any => session.Session.responseDeserialize(bytes);

export interface UnpackedError {
  status: string;
  code: string | undefined;
  reason: string | undefined;
  domain: string | undefined;
  metadata: Record<string, string>;
  retryInfo: boolean;
}

/** Decodes `grpc-status-details-bin`. */
export function unpack(error: unknown): UnpackedError {
  const { code, metadata } = error as ServiceError;
  const unpacked: UnpackedError = {
    status: grpcStatus[code],
    code: undefined,
    reason: undefined,
    domain: undefined,
    metadata: {},
    retryInfo: false,
  };
  const [details] = metadata?.get('grpc-status-details-bin') ?? [];
  if (!Buffer.isBuffer(details)) return unpacked;
  for (const { number, value } of fieldsOf(details)) {
    if (number !== 3) continue;
    const [type, content] = [...fieldsOf(bytesOf(value))].map((field) => field.value);
    if (textOf(type!).endsWith('RetryInfo')) unpacked.retryInfo = true;
    if (textOf(type!).endsWith('ErrorInfo')) readErrorInfo(bytesOf(content!), unpacked);
  }
  unpacked.code = unpacked.metadata['code'];
  return unpacked;
}

function readErrorInfo(bytes: Uint8Array, into: UnpackedError): void {
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) into.reason = textOf(value);
    if (number === 2) into.domain = textOf(value);
    if (number === 3) {
      const [name, text] = [...fieldsOf(bytesOf(value))].map((field) => textOf(field.value));
      into.metadata[name!] = text!;
    }
  }
}

export async function failure(work: Promise<unknown>): Promise<UnpackedError> {
  try {
    await work;
  } catch (error) {
    return unpack(error);
  }
  throw new Error('the call succeeded');
}

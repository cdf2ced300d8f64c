// The published protocol, loaded once: client/proto/claret.proto, and the standard health service, which reflection describes too.
import { createRequire } from 'node:module';
import type { ServiceDefinition } from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';

const claretProto = createRequire(import.meta.url).resolve('@claret/client/proto');

const OPTIONS: protoLoader.Options = { longs: String, defaults: true, oneofs: true };

/** the packages that reflection describes */
export const packages = protoLoader.loadSync([claretProto, healthProto], OPTIONS);

const asIs = (bytes: Buffer) => bytes;
const rawRequest = { requestSerialize: asIs, requestDeserialize: asIs };

const published = packages['claret.v1.Claret'] as unknown as ServiceDefinition;

/**
 * The service, with raw bytes for messages that the loader must not decode: both directions of Session, which the core decodes, and the
 * requests of Transact and Execute, which are decoded strictly (operation-codec.ts).
 */
export const claretService: ServiceDefinition = {
  ...published,
  Session: { ...published['Session']!, ...rawRequest, responseSerialize: asIs, responseDeserialize: asIs },
  Transact: { ...published['Transact']!, ...rawRequest },
  Execute: { ...published['Execute']!, ...rawRequest },
};

// The published contract, loaded with proto-loader. It serves the calls of the control plane, which are rare. Tests compare the
// hand-written codec with it.

import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import { fileURLToPath } from 'node:url';

export const PROTO_PATH = fileURLToPath(new URL('../../proto/claret.proto', import.meta.url));

/** 64-bit integers as decimal text, enums by name, lists never absent. */
const packageDefinition = loadSync(PROTO_PATH, {
  keepCase: false,
  longs: String,
  enums: String,
  arrays: true,
  defaults: true,
  oneofs: true,
});

export type Service = Record<string, MethodDefinition<object, object>>;

/** Methods by name, each with its path and the serializers of both directions. */
export const claretService = packageDefinition['claret.v1.Claret'] as unknown as Service;

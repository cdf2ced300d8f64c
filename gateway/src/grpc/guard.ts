// Requires the cluster's token for every gRPC call except health and reflection, which only return published information, and the admin token,
// where there is one, for changes of the data types.
import type { Metadata, ServerUnaryCall, ServerWritableStream, UntypedServiceImplementation, sendUnaryData } from '@grpc/grpc-js';
import type { GatewayError } from '../errors.ts';
import { adminTokenCheck, tokenCheck } from '../token.ts';
import type { Tokens } from '../token.ts';
import { claretService } from './proto.ts';
import { statusOf } from './status.ts';

type Unary = (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => void;
type Streaming = (call: ServerWritableStream<unknown, unknown>) => void;

/** The calls that need the admin token. */
export const OF_ADMINS: ReadonlySet<string> = new Set(['CheckType', 'ChangeTypes']);

/** Wraps each call of `implementation` with a check of the token. */
export function guarded(implementation: UntypedServiceImplementation, tokens: Tokens): UntypedServiceImplementation {
  const check = tokenCheck(tokens);
  const checkAdmin = adminTokenCheck(tokens);
  const refusalOf = (name: string, metadata: Metadata) => {
    try {
      (OF_ADMINS.has(name) ? checkAdmin : check)(metadata.get('authorization')[0]?.toString());
      return null;
    } catch (error) {
      return statusOf(error as GatewayError);
    }
  };
  const guard = (name: string, handler: unknown) => {
    if (claretService[name]!.responseStream) {
      return (call: ServerWritableStream<unknown, unknown>) => {
        const refusal = refusalOf(name, call.metadata);
        if (refusal === null) (handler as Streaming)(call);
        else call.emit('error', refusal);
      };
    }
    return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
      const refusal = refusalOf(name, call.metadata);
      if (refusal === null) (handler as Unary)(call, callback);
      else callback(refusal);
    };
  };
  const calls = Object.entries(implementation).map(([name, handler]) => [name, guard(name, handler)]);
  return Object.fromEntries(calls) as UntypedServiceImplementation;
}

// Requires the cluster's token for every gRPC call except health and reflection, which only return published information.
import type { Metadata, ServerUnaryCall, ServerWritableStream, UntypedServiceImplementation, sendUnaryData } from '@grpc/grpc-js';
import type { GatewayError } from '../errors.ts';
import type { TokenCheck } from '../token.ts';
import { claretService } from './proto.ts';
import { statusOf } from './status.ts';

type Unary = (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => void;
type Streaming = (call: ServerWritableStream<unknown, unknown>) => void;

/** Wraps each call of `implementation` with a check of the token. */
export function guarded(implementation: UntypedServiceImplementation, check: TokenCheck): UntypedServiceImplementation {
  const refusalOf = (metadata: Metadata) => {
    try {
      check(metadata.get('authorization')[0]?.toString());
      return null;
    } catch (error) {
      return statusOf(error as GatewayError);
    }
  };
  const guard = (name: string, handler: unknown) => {
    if (claretService[name]!.responseStream) {
      return (call: ServerWritableStream<unknown, unknown>) => {
        const refusal = refusalOf(call.metadata);
        if (refusal === null) (handler as Streaming)(call);
        else call.emit('error', refusal);
      };
    }
    return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
      const refusal = refusalOf(call.metadata);
      if (refusal === null) (handler as Unary)(call, callback);
      else callback(refusal);
    };
  };
  const calls = Object.entries(implementation).map(([name, handler]) => [name, guard(name, handler)]);
  return Object.fromEntries(calls) as UntypedServiceImplementation;
}

// The options of grpc-js for servers and clients.
import type { ChannelOptions } from '@grpc/grpc-js';

/**
 * grpc-js refuses a longer message with RESOURCE_EXHAUSTED and no error code of Claret's. The value is well above the gateway's own limits
 * (frameBytesMax, bodyBytesMax), whose errors carry a code.
 */
export const messageBytesMax = (ownLimit: number): number => 4 * ownLimit + 64 * 1024;

export function serverOptions(ownLimit: number): ChannelOptions {
  return {
    'grpc.max_receive_message_length': messageBytesMax(ownLimit),
    'grpc.max_send_message_length': -1,
    // Detects a peer that disappeared without closing the connection, in case its session's lease is longer.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  };
}

export const CLIENT_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // Each gateway of a process has its own connections (tests run several gateways in one process).
  'grpc.use_local_subchannel_pool': 1,
};

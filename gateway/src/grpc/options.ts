// How grpc-js is set up on both sides, and why.
import type { ChannelOptions } from '@grpc/grpc-js';

/**
 * A message beyond this is cut off by grpc-js with a bare RESOURCE_EXHAUSTED. It is above the gateway's own limits
 * (frameBytesMax, bodyBytesMax), which answer with a code, so that only a gross excess ends this way.
 */
export const messageBytesMax = (ownLimit: number): number => 4 * ownLimit + 64 * 1024;

export function serverOptions(ownLimit: number): ChannelOptions {
  return {
    'grpc.max_receive_message_length': messageBytesMax(ownLimit),
    'grpc.max_send_message_length': -1,
    // A peer that vanished without a word is noticed here, should its session's lease be long.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  };
}

export const CLIENT_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // One connection per gateway, not one shared by every gateway of this process (tests run several).
  'grpc.use_local_subchannel_pool': 1,
};

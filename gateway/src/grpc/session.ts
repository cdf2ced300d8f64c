// The Session stream: raw frames between a peer and the shard host, in both directions, with backpressure.
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ShardHost } from '../store/shard-host.ts';

export const serveSession =
  (host: ShardHost) =>
  (call: ServerDuplexStream<Buffer, Buffer>): void => {
    const peer = host.connect({
      write: (frame) => call.write(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)),
      end: () => call.end(),
      destroy: () => call.destroy(),
    });
    const gone = () => host.disconnect(peer);
    call.on('data', (frame: Buffer) => host.receive(peer, frame));
    call.on('drain', () => host.writable(peer));
    // A peer that half-closes has left, so its session ends.
    call.on('end', () => {
      gone();
      call.end();
    });
    for (const event of ['cancelled', 'error', 'close']) call.on(event, gone);
  };

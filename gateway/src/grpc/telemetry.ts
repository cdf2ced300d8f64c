// WatchTelemetry: sends the own shard's telemetry, and the marks made at this gateway, to its listeners (the other gateways).
//
// Nothing is buffered for a listener beyond its stream: while the stream is full, the listener misses frames. It never misses a mark:
// marks are sent before the next frame.
import type { ServerWritableStream } from '@grpc/grpc-js';
import { GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { PeerMessage } from '../telemetry/peer-telemetry.ts';
import type { ShardFrame } from '../telemetry/shard-telemetry.ts';
import { statusOf } from './status.ts';

/** claret.v1.Telemetry in the loader's form */
export interface WireTelemetry {
  atMs: number;
  hello?: { incarnation: string; startedAtMs: number };
  frame?: string;
  mark?: { id: string; what: string };
  giving?: string;
}

/** Limit on listeners over gRPC, usually the other gateways. The viewers at this gateway do not count. */
export const LISTENERS_MAX = 256;
/** messages that may wait in one stream */
const WAITING_MAX = 4;

export function messageFromWire({ atMs, hello, frame, mark, giving = '' }: WireTelemetry): PeerMessage {
  return { atMs, hello: hello && { ...hello, incarnation: Number(hello.incarnation) }, frame, mark, giving };
}

type Call = ServerWritableStream<{ background?: boolean }, WireTelemetry>;

export const serveTelemetry =
  ({ shardTelemetry, marks }: Pick<Services, 'shardTelemetry' | 'marks'>) =>
  (call: Call): void => {
    let newestSent = 0;
    const send = ({ atMs, text, giving }: ShardFrame) => {
      if (call.writableLength >= WAITING_MAX) return;
      for (const { own, atMs: madeMs, mark } of marks.after(newestSent)) {
        if (own) call.write({ atMs: madeMs, mark: { id: mark.id, what: JSON.stringify(mark.what) } });
      }
      newestSent = marks.newest;
      call.write({ atMs, frame: text, giving });
    };
    if (shardTelemetry.listenerCount >= LISTENERS_MAX) {
      const full = `This shard has the maximum of ${LISTENERS_MAX} listeners.`;
      call.emit('error', statusOf(new GatewayError('too_many_viewers', full)));
      return;
    }
    const end = shardTelemetry.listen(send, call.request.background !== true);
    for (const event of ['cancelled', 'error', 'close']) call.on(event, end);
    const { incarnation, startedMs } = shardTelemetry;
    call.write({ atMs: shardTelemetry.nowMs(), hello: { incarnation: String(incarnation), startedAtMs: startedMs } });
  };

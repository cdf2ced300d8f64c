// WatchTelemetry: what the own shard tells, and the marks made here, to whoever listens (the other gateways).
//
// What its stream has not taken yet is all that is kept for a listener: until that has left it misses frames. Marks it does
// not miss: they leave before the next frame.
import type { ServerWritableStream } from '@grpc/grpc-js';
import { GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { PeerMessage } from '../telemetry/peer-telemetry.ts';
import { statusOf } from './status.ts';

/** As claret.v1.Telemetry goes to the loader and comes from it. */
export interface WireTelemetry {
  atMs: number;
  hello?: { incarnation: string; startedAtMs: number };
  frame?: string;
  mark?: { id: string; what: string };
}

/** Other gateways, and whoever else listens as they do. The own gateway's viewers never find the shard full because of them. */
export const LISTENERS_MAX = 256;
/** Messages that may wait in one stream. */
const WAITING_MAX = 4;

export function messageFromWire({ atMs, hello, frame, mark }: WireTelemetry): PeerMessage {
  return { atMs, hello: hello && { ...hello, incarnation: Number(hello.incarnation) }, frame, mark };
}

type Call = ServerWritableStream<{ background?: boolean }, WireTelemetry>;

export const serveTelemetry =
  ({ shardTelemetry, marks }: Pick<Services, 'shardTelemetry' | 'marks'>) =>
  (call: Call): void => {
    let told = 0;
    const tell = ({ atMs, text }: { atMs: number; text: string }) => {
      if (call.writableLength >= WAITING_MAX) return;
      for (const { own, atMs: madeMs, mark } of marks.after(told)) {
        if (own) call.write({ atMs: madeMs, mark: { id: mark.id, what: JSON.stringify(mark.what) } });
      }
      told = marks.newest;
      call.write({ atMs, frame: text });
    };
    if (shardTelemetry.listenerCount >= LISTENERS_MAX) {
      const full = `This shard has ${LISTENERS_MAX} listeners, as many as it takes.`;
      call.emit('error', statusOf(new GatewayError('too_many_viewers', full)));
      return;
    }
    const end = shardTelemetry.listen(tell, call.request.background !== true);
    for (const event of ['cancelled', 'error', 'close']) call.on(event, end);
    const { incarnation, startedMs } = shardTelemetry;
    call.write({ atMs: shardTelemetry.nowMs(), hello: { incarnation: String(incarnation), startedAtMs: startedMs } });
  };

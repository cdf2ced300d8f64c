// A viewer at the end of an event stream (text/event-stream). Only the bytes that its socket has not taken yet are buffered. Until
// they are sent the viewer gets no frames; the next frame carries the number of those it missed. Marks are never missed: they are
// sent before the next frame.
import type { ServerResponse } from 'node:http';
import type { ClusterTelemetry, MergedFrame, Viewer } from './cluster-telemetry.ts';
import { frameHead } from './frame-text.ts';

/** A viewer that has read nothing for this long is disconnected. */
const BLOCKED_MS_MAX = 60_000;
/** The delay after which a page that lost the stream reconnects. */
const RECONNECT_MS = 1_000;

export class EventViewer implements Viewer {
  private readonly response: ServerResponse;
  private readonly telemetry: ClusterTelemetry;
  private readonly nowMs: () => number;
  private number = 0;
  private missed = 0;
  /** the number of the newest mark sent */
  private mark = 0;
  private takenMs: number;

  /** REQUIRES: the headers of the response have not been sent. */
  constructor(response: ServerResponse, telemetry: ClusterTelemetry, nowMs: () => number = () => performance.now()) {
    this.response = response;
    this.telemetry = telemetry;
    this.nowMs = nowMs;
    this.takenMs = nowMs();
    // No chunked encoding: chunks would cost more than their content, and the stream ends with the connection.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    this.mark = telemetry.marks.newest;
    response.write(`retry: ${RECONNECT_MS}\nid: ${telemetry.runId}\nevent: welcome\ndata: ${JSON.stringify(telemetry.welcome())}\n\n`);
  }

  take(frame: MergedFrame): void {
    const { response } = this;
    if (response.writableNeedDrain) {
      this.missed++;
      if (this.nowMs() - this.takenMs > BLOCKED_MS_MAX) response.destroy();
      return;
    }
    this.takenMs = this.nowMs();
    response.cork();
    for (const { text } of this.telemetry.marks.after(this.mark)) response.write(`event: mark\ndata: ${text}\n\n`);
    this.mark = this.telemetry.marks.newest;
    response.write(`event: frame\ndata: ${frameHead(++this.number, this.missed)}`);
    response.write(frame.bytes);
    response.write('\n\n');
    response.uncork();
    this.missed = 0;
  }

  close(): void {
    // A viewer that does not read would never take the buffered bytes, and the stream would never end.
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }
}

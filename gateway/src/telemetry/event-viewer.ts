// A viewer at the end of an event stream (text/event-stream). What its socket has not taken yet is all that is ever kept for
// it: until that has left it gets nothing, and is told afterwards how many frames it has missed. Marks are not missed: those
// that it has not been told leave before the next frame.
import type { ServerResponse } from 'node:http';
import { frameHead } from './cluster-telemetry.ts';
import type { ClusterTelemetry, MergedFrame, Viewer } from './cluster-telemetry.ts';

/** A viewer that has taken nothing for so long is gone. */
const BLOCKED_MS_MAX = 60_000;
/** A page that has lost the stream comes back after so long. */
const RECONNECT_MS = 1_000;

export class EventViewer implements Viewer {
  private readonly response: ServerResponse;
  private readonly telemetry: ClusterTelemetry;
  private readonly nowMs: () => number;
  private number = 0;
  private missed = 0;
  /** the newest mark that it was told */
  private mark = 0;
  private takenMs: number;

  /** REQUIRES: headers of the response are not sent, but may be set. */
  constructor(response: ServerResponse, telemetry: ClusterTelemetry, nowMs: () => number = () => performance.now()) {
    this.response = response;
    this.telemetry = telemetry;
    this.nowMs = nowMs;
    this.takenMs = nowMs();
    // What comes is written as it is, and ends with the connection: chunks would cost more than what is in them.
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
    // What waits for somebody who does not read would never leave, and the stream never end.
    if (this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }
}

// Parses a text/event-stream incrementally, as defined in the WHATWG HTML standard (section 9.2.6). Comments are reported too: servers use
// them as heartbeats, and the browser's own EventSource hides them.

export interface StreamEvent {
  readonly type: string;
  readonly data: string;
  /** the last id seen on the stream; '' before the first */
  readonly id: string;
}

export interface SseSink {
  onEvent(event: StreamEvent): void;
  /** The server has set the first reconnect delay. */
  onRetry(delay_ms: number): void;
}

export class SseParser {
  private rest = '';
  private data: string[] = [];
  private type = '';
  private id: string;
  private readonly sink: SseSink;

  constructor(sink: SseSink, lastEventId = '') {
    this.sink = sink;
    this.id = lastEventId;
  }

  /** Takes the next decoded piece; a piece may end anywhere, also inside a line end. */
  push(piece: string): void {
    const text = this.rest + piece;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const mark = text[at];
      if (mark !== '\n' && mark !== '\r') continue;
      if (mark === '\r' && at === text.length - 1) break; // "\n" may follow in the next piece
      this.line(text.slice(start, at));
      if (mark === '\r' && text[at + 1] === '\n') at++;
      start = at + 1;
    }
    this.rest = text.slice(start);
  }

  private line(line: string): void {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.type = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.sink.onRetry(Number(value));
  }

  private dispatch(): void {
    const { data, type, id } = this;
    this.data = [];
    this.type = '';
    if (data.length > 0) this.sink.onEvent({ type: type || 'message', data: data.join('\n'), id });
  }
}

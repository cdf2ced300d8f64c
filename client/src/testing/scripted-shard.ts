// ScriptedShard: a shard that sends exactly the frames of a test's script.

import type { LocalShard } from '../transport/local.ts';
import type { Link, LinkHandlers } from '../transport/transport.ts';
import { claretService } from '../wire/contract.ts';

const { requestDeserialize, responseSerialize } = claretService['Session']!;

/** It keeps every frame that it receives, and sends the welcome by itself. */
export class ScriptedShard implements LocalShard {
  readonly number: number;
  heard: any[] = [];
  sessions = 0;
  leaseMs = 5000;
  /** 0: it warrants nothing */
  warrantyTermMs = 0;
  /** the number in its welcome */
  welcomesAs: number;
  acknowledges = true;
  /** the timestamp in its welcome; 0: it names none */
  time = '0';
  /** another one: it has restarted */
  incarnation = '7';
  /** what it tells of a lost session */
  resumed: object | null = null;
  #handlers: LinkHandlers | null = null;
  #sequence = 0;
  #heardSequence = 0;
  #acknowledged = 0;
  #last: Buffer = Buffer.alloc(0);
  #waiting: { matches: (frame: any) => boolean; resolve: (frame: any) => void }[] = [];

  constructor(number: number) {
    this.number = this.welcomesAs = number;
  }

  attach(handlers: LinkHandlers): Link {
    this.#handlers = handlers;
    this.#sequence = this.#heardSequence = this.#acknowledged = 0;
    this.sessions++;
    let open = true;
    return {
      send: (bytes) => {
        if (open) setImmediate(() => this.#hear(requestDeserialize(Buffer.from(bytes))));
        return open;
      },
      close: () => {
        open = false;
        if (this.#handlers === handlers) this.#handlers = null;
      },
    };
  }

  #hear(frame: any): void {
    this.heard.push(frame);
    this.#heardSequence = Number(frame.sequence);
    if (frame.hello) this.#welcome(frame.hello);
    this.#waiting = this.#waiting.filter(({ matches, resolve }) => (matches(frame) ? resolve(frame) : true));
  }

  #welcome({ resumes }: { resumes: string }): void {
    const resumed = resumes === '0' ? null : this.resumed;
    const { incarnation, leaseMs: sessionLeaseMs, warrantyTermMs, time } = this;
    this.say({ welcome: { protocol: 1, shard: this.welcomesAs, incarnation, sessionLeaseMs, warrantyTermMs, resumed, time } });
  }

  say(frame: object): void {
    if (this.acknowledges) this.#acknowledged = this.#heardSequence;
    this.#last = responseSerialize({ ...frame, sequence: ++this.#sequence, acknowledged: this.#acknowledged });
    this.sayBytes(this.#last);
  }

  /** Sends the last frame once more. */
  repeat(): void {
    this.sayBytes(this.#last);
  }

  /** Skips a number, as if its next frame were lost. */
  skip(): void {
    this.#sequence++;
  }

  sayBytes(bytes: Buffer): void {
    this.#handlers?.onFrame(bytes);
  }

  breakSession(): void {
    const handlers = this.#handlers;
    this.#handlers = null;
    handlers?.onClose();
  }

  /** Resolves with the next frame that matches, or one received before. */
  frame(matches: (frame: any) => boolean): Promise<any> {
    const heard = this.heard.find(matches);
    return heard !== undefined ? Promise.resolve(heard) : new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  async request(label: string): Promise<any> {
    const of = (frame: any) => frame.requests.find((request: any) => request.begin?.label === label);
    return of(await this.frame(of));
  }
}

// Standbys: what gateways without a shard say of themselves, once a second: where they are, and how far they have followed the logs.
import type { Environment, Timer } from '@claret/client';
import type { Entry } from './entries.ts';
import type { Candidate } from './owner.ts';

export interface Followed {
  shard: number;
  /** the last entry of the log that is restored */
  position: number;
  /** It has reached the log's end once: the shard can be taken over within moments. */
  isReady: boolean;
}

export interface Standby extends Candidate {
  follows: readonly Followed[];
}

const PREFIX = 'standby.';
const SAY_MS = 1_000;

/** One for each address, so that a gateway that starts again leaves nothing behind. */
export const standbyKey = ({ grpc }: Candidate): string => `${PREFIX}${Buffer.from(grpc).toString('base64url')}`;
export const isStandbyKey = (key: string): boolean => key.startsWith(PREFIX);

/** Undefined if the entry holds something else. */
export function decodeStandby({ value }: Entry): Standby | undefined {
  try {
    const { gateway, grpc, rest, resp, follows } = JSON.parse(value) as Partial<Standby>;
    const texts = [gateway, grpc, rest, resp ?? ''].every((text) => typeof text === 'string');
    return texts && Array.isArray(follows) ? { gateway: gateway!, grpc: grpc!, rest: rest!, resp, follows } : undefined;
  } catch {
    return undefined;
  }
}

export interface AnnouncerOptions {
  environment: Environment;
  candidate: Candidate;
  follows(): readonly Followed[];
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

export class Announcer {
  readonly #options: AnnouncerOptions;
  #timer: Timer | undefined;
  #isStopped = false;
  #said = 0;
  #saying: Promise<void> = Promise.resolve();

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#say();
  }

  #say(): void {
    const { candidate, follows, set, environment } = this.#options;
    if (this.#isStopped) return;
    // The count makes each value differ from the one before.
    const value = JSON.stringify({ ...candidate, follows: follows(), said: ++this.#said });
    this.#saying = set(standbyKey(candidate), value).catch(() => {}); // said again soon
    void this.#saying.then(() => {
      if (!this.#isStopped) this.#timer = environment.setTimeout(() => this.#say(), SAY_MS);
    });
  }

  /** The gateway is no standby any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { candidate, remove, environment } = this.#options;
    environment.clearTimeout(this.#timer);
    await this.#saying;
    await remove(standbyKey(candidate)).catch(() => {}); // others miss it soon
  }
}

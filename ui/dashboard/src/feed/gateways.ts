// The gateways that a page may ask for telemetry. It asks the one that has served it. Where that one does not answer, it asks the others that
// the telemetry has named, one after the other: in a replicated cluster a gateway may die, and the cluster goes on without it.
//
// The others have origins of their own. They let a page of their cluster read telemetry, and nothing else.
import type { Replication } from '@claret/client/telemetry';

export interface GatewaysWorld {
  /** host:port of the gateway that has served the page */
  readonly host: string;
  fetch(url: string, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  setTimeout(run: () => void, delay_ms: number): number;
  clearTimeout(timer: number): void;
}

/** A gateway that has not begun to answer within this time is given up, if another one is left. */
const PATIENCE_MS = 2_000;
const OWN = '';

/** The REST addresses of the gateways that can send telemetry: a standby passes on what an owner sends. */
export const servingAddresses = ({ owners, standbys }: Replication): string[] =>
  [...owners.filter(({ present }) => present), ...standbys].map(({ rest_address }) => rest_address);

type Init = Parameters<GatewaysWorld['fetch']>[1];

export class Gateways {
  private readonly world: GatewaysWorld;
  /** host:port of each, the most promising first */
  private others: readonly string[] = [];
  private answering = OWN;

  constructor(world: GatewaysWorld) {
    this.world = world;
  }

  /** The gateway that has answered `open` last; null: the page's own. */
  get elsewhere(): string | null {
    return this.answering === OWN ? null : this.answering;
  }

  /** Another page has the stream, from this gateway; null: from the page's own. */
  follow(gateway: string | null): void {
    this.answering = gateway ?? OWN;
  }

  /** The REST addresses of the cluster's gateways, as they are now. */
  learn(addresses: readonly string[]): void {
    const known = new Set(addresses.filter((address) => address !== this.world.host));
    const still = this.others.filter((address) => known.delete(address));
    this.others = [...known, ...still];
  }

  /** Asks one gateway after the other, the page's own first, until one answers with success. Otherwise the first answer counts. */
  async open(path: string, init: Init): Promise<Response> {
    let [refusal, failure]: [Response | null, unknown] = [null, null];
    const asked = [OWN, ...this.others];
    for (const [place, gateway] of asked.entries()) {
      try {
        const response = await this.ask(gateway, path, init, place < asked.length - 1 ? PATIENCE_MS : Infinity);
        if (response.ok) {
          this.answering = gateway;
          return response;
        }
        refusal ??= response;
      } catch (error) {
        failure ??= error;
      }
      // Later ones come first the next time, so that each gets its turn however many are silent.
      if (gateway !== OWN) this.others = [...this.others.filter((other) => other !== gateway), gateway];
      if (init.signal.aborted) break;
    }
    if (refusal !== null) return refusal;
    throw failure;
  }

  /** Asks the gateway that has answered `open` last. */
  fetch(path: string, init: Init): Promise<Response> {
    return this.ask(this.answering, path, init, Infinity);
  }

  /** Whether the page's own gateway can serve again. */
  async isOwnBack(): Promise<boolean> {
    const given = { headers: {}, signal: new AbortController().signal };
    return this.ask(OWN, '/readyz', given, PATIENCE_MS).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private async ask(gateway: string, path: string, { headers, signal }: Init, patience_ms: number): Promise<Response> {
    const url = gateway === OWN ? path : `http://${gateway}${path}`;
    // Another origin would have to permit this header first; and it names a run of another gateway.
    const { 'last-event-id': _lastEventId, ...others } = headers;
    const impatience = new AbortController();
    const timer = patience_ms === Infinity ? null : this.world.setTimeout(() => impatience.abort(), patience_ms);
    try {
      const either = AbortSignal.any([signal, impatience.signal]);
      return await this.world.fetch(url, { headers: gateway === OWN ? headers : others, signal: either });
    } finally {
      if (timer !== null) this.world.clearTimeout(timer);
    }
  }
}

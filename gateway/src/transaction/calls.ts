// Limits the calls of REST and unary gRPC in flight, for one-shot transactions and natives, to `callCountMax`, and sheds further ones. The
// gateway's own shard runs on the same thread, so a crowd of callers would delay the clients with a Session. All requests that this limit or
// another one sheds are counted here, for /metrics.
import type { Scope } from '@claret/client';
import { GatewayError } from '../errors.ts';

export type Protocol = 'rest' | 'grpc';

export class Calls {
  private readonly countMax: number;
  private readonly shedByProtocol: Record<Protocol, Map<string, number>> = { rest: new Map(), grpc: new Map() };
  private count = 0;

  constructor(countMax: number) {
    this.countMax = countMax;
  }

  get inFlight(): number {
    return this.count;
  }

  /** Throws `overloaded` if the limit is reached, without having called `work`. */
  async run<T>(scope: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
    if (this.count >= this.countMax) throw new GatewayError('overloaded', `This gateway runs ${this.countMax} calls at once.`);
    this.count++;
    try {
      return await work(scope);
    } finally {
      this.count--;
    }
  }

  /** Counts a request that was answered with this error, if a limit was the reason. */
  refused(protocol: Protocol, { code, row }: GatewayError): void {
    if (row.grpc !== 'RESOURCE_EXHAUSTED') return;
    const shed = this.shedByProtocol[protocol];
    shed.set(code, (shed.get(code) ?? 0) + 1);
  }

  /** Numbers of shed requests. */
  shed(): { protocol: Protocol; code: string; count: number }[] {
    return (['rest', 'grpc'] as const).flatMap((protocol) =>
      [...this.shedByProtocol[protocol]].map(([code, count]) => ({ protocol, code, count })),
    );
  }
}

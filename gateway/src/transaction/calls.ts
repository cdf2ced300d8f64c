// Calls: the one-shot transactions of REST and unary gRPC that are at work, at most `callCountMax`. The gateway's own shard runs on
// the same thread: a crowd of callers must not keep it from those who hold a Session. More are refused at once, as is what
// other limits refuse; all refusals of that kind are counted here, for /metrics.
import type { Scope } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

export type Door = 'rest' | 'grpc';

export class Calls {
  private readonly countMax: number;
  private readonly shedByDoor: Record<Door, Map<ErrorCode, number>> = { rest: new Map(), grpc: new Map() };
  private count = 0;

  constructor(countMax: number) {
    this.countMax = countMax;
  }

  get atWork(): number {
    return this.count;
  }

  /** Throws `overloaded` where as many are at work as may be; nothing of `work` has happened then. */
  async run<T>(scope: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
    if (this.count >= this.countMax) throw new GatewayError('overloaded', `This gateway runs ${this.countMax} calls at once.`);
    this.count++;
    try {
      return await work(scope);
    } finally {
      this.count--;
    }
  }

  /** A request was answered with this error. */
  refused(door: Door, { code, row }: GatewayError): void {
    if (row.grpc !== 'RESOURCE_EXHAUSTED') return;
    const shed = this.shedByDoor[door];
    shed.set(code, (shed.get(code) ?? 0) + 1);
  }

  /** Requests refused since a limit was reached. */
  shed(): { door: Door; code: ErrorCode; count: number }[] {
    return (['rest', 'grpc'] as const).flatMap((door) => [...this.shedByDoor[door]].map(([code, count]) => ({ door, code, count })));
  }
}

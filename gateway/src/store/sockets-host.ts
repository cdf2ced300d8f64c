// SocketsHost: the part of a shard's host for Redis clients whose sockets the addon has (RespSockets of @claret/core). Their bytes pass without it.
// It hears of those that come and go, and does after their turns of the core what those of JavaScript's frames are followed by.
import type { Environment } from '@claret/client';
import type { RespSockets, Shard } from '@claret/core';

/** What it needs of the host. */
export interface SocketsHostPart {
  shard: Shard;
  environment: Environment;
  pollMs: number;
  blockedMs: number;
  /** Until when replies may leave; absent: they may always. */
  answersUntilMs: (() => number) | undefined;
  /** Returns the number of a new peer. */
  connect(link: { end(): void; destroy(): void }): number;
  hangUp(peer: number): Promise<void>;
  disconnect(peer: number): void;
  /** A turn is over, and these peers have output. */
  turned(peers: number[]): void;
  wake(): void;
}

export class SocketsHost {
  private readonly host: SocketsHostPart;
  private sockets: RespSockets | undefined;

  constructor(host: SocketsHostPart) {
    this.host = host;
  }

  /** `opened`: called for each client that comes. REQUIRES: the door is open; called once. */
  serve(sockets: RespSockets, opened: () => void): void {
    const { shard, environment, pollMs, blockedMs, answersUntilMs, ...host } = this.host;
    this.sockets = sockets;
    const service = { monotonicMs: environment.monotonicMs(), blockedMs, pollMs, leased: answersUntilMs !== undefined };
    sockets.serve(shard, service, {
      opened: (address, localAddress) => {
        opened();
        const peer: number = host.connect({ end: () => sockets.end(peer), destroy: () => sockets.destroy(peer) });
        shard.connectResp(peer, address, localAddress, environment.wallMs(), environment.monotonicMs());
        return peer;
      },
      ended: (peer) => void host.hangUp(peer),
      gone: host.disconnect,
      turned: host.turned,
      wake: host.wake,
    });
    host.wake();
  }

  /** Their replies leave, unless none may. To be called after each turn and when more is durable, once entries are on their way to the log. */
  flush(): void {
    this.sockets?.flush(this.host.answersUntilMs?.() ?? Infinity);
  }

  /** Of the turns of their bytes alone. */
  counters(): { coreMs: number; polledMs: number; longTurns: number } {
    return this.sockets?.counters() ?? { coreMs: 0, polledMs: 0, longTurns: 0 };
  }
}

// The native sockets of the Redis door. Unlike the rest of the boundary (core.d.ts) they do I/O, on the event loop of this environment, and call back.
import type { Shard } from './core.js';

/** What RespSockets tells the owner of the port. */
export interface RespServerCalls {
  /** A connection beyond the limit was closed. */
  dropped(): void;
  /** No connection is left. */
  emptied(): void;
}

/** What RespSockets tells the owner of the shard. */
export interface RespHostCalls {
  /** A client has come, between these addresses ("host:port"): `connectResp` it. Returns the peer's number. */
  opened(address: string, localAddress: string): number;
  /** The client has sent its last byte, and may still read: `end` it once it has its answers. */
  ended(peer: number): void;
  /** Its socket is closed: `disconnect` it. */
  gone(peer: number): void;
  /**
   * A turn of the core is over, as after `process`, which has made entries of the log, output for these peers or anything else that JavaScript has to
   * see to. `flush` is to be called.
   */
  turned(peers: number[]): void;
  /** `nextDeadlineMs` has come nearer since it was called. */
  wake(): void;
}

/**
 * The sockets of Redis clients: the port, and its connections, whose bytes go to the shard and back without JavaScript. What is read in one turn of
 * the event loop is one call into the core. Those clients are no peers of `process`, `durable`, `drain` and `closed` of the shard, which leave them out;
 * `connectResp` and `disconnect` are as for any.
 */
export class RespSockets {
  /** Connections beyond `connectionsMax` are closed as they come, as are those that come while no shard is served. */
  constructor(connectionsMax: number, calls: RespServerCalls);
  /** Returns 0, or the number of the system's error. */
  listen(ip: string, port: number): number;
  /** Frees the port. Clients that are connected stay. */
  stopListening(): void;
  /**
   * Those that come from now on are clients of the shard. `monotonicMs`: now. `blockedMs`: a client that has taken nothing for so long is dropped.
   * `pollMs`: so long after input the event loop stays awake. `leased`: replies leave only with `flush`, so `turned` is called after each turn.
   */
  serve(shard: Shard, service: { monotonicMs: number; blockedMs: number; pollMs: number; leased: boolean }, calls: RespHostCalls): void;
  /** Those that come from now on are closed. Clients that are connected stay. */
  serveNoMore(): void;
  /**
   * Writes what the core has for clients, unless the monotonic time `untilMs` has passed. To be called after each `process`, `durable` and `turned`, once
   * the entries of the log are on their way.
   */
  flush(untilMs: number): void;
  /** Closes the client's socket once everything has been written. */
  end(peer: number): void;
  destroy(peer: number): void;
  endAll(): void;
  destroyAll(): void;
  /** Closes everything. Nothing is called any more, and nothing but `counters` may be called. */
  shutDown(): void;
  /** the number of those that are open */
  connections(): number;
  /** In total, of the turns made here: time in the core, time awake without input, and turns that took longer than 2 ms. */
  counters(): { coreMs: number; polledMs: number; longTurns: number };
}

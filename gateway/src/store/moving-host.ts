// MovingHost: the part of a shard's host that moves runs of slots (moving/): each step of the core, with its entries in the log, as a call that
// throws a GatewayError where the core refuses, and that resolves when it is durable where that matters.
import type { Environment, SlotRun } from '@claret/client';
import type { GivePiece, MoveRefusal, Shard } from '@claret/core';
import { GatewayError } from '../errors.ts';
import type { MovedSlots, UnsettledMove } from '../moving/moving-shard.ts';

export interface MovingHostDependencies {
  shard: Shard;
  environment: Environment;
  /** Appends the entries of the step, and lets the core run in the next turn. */
  stepped(): void;
  /** Resolves once the entry is durable. */
  durable(position: number): Promise<void>;
}

export class MovingHost {
  private readonly dependencies: MovingHostDependencies;

  constructor(dependencies: MovingHostDependencies) {
    this.dependencies = dependencies;
  }

  beginGive({ move, slots, to }: { move: string; slots: MovedSlots; to: number }): void {
    this.step((shard) => shard.beginGive(move, slots, to));
  }

  takeGive(bytesMax: number): GivePiece {
    const piece = this.dependencies.shard.takeGive(bytesMax);
    if ('code' in piece) throw errorOf(piece);
    return piece;
  }

  drainGive(woundAfterMs: number): void {
    this.step((shard, wallMs, monotonicMs) => shard.drainGive(woundAfterMs, wallMs, monotonicMs));
  }

  isDrained(): boolean {
    return this.dependencies.shard.isDrained();
  }

  callOffDrain(): void {
    this.step((shard, wallMs, monotonicMs) => shard.callOffDrain(wallMs, monotonicMs));
  }

  callOffGive(): void {
    this.step((shard, wallMs, monotonicMs) => shard.callOffGive(wallMs, monotonicMs));
  }

  give(): Promise<void> {
    return this.logged((shard, wallMs, monotonicMs) => shard.give(wallMs, monotonicMs));
  }

  /** The time above which the taker's clock has to be; null: the run was not given, or that is not durable yet. */
  given(move: string): bigint | null {
    return this.dependencies.shard.given(move);
  }

  settleGive(move: string): Promise<void> {
    return this.logged((shard) => shard.settleGive(move));
  }

  importPiece(move: string, from: number, bytes: Uint8Array): Promise<void> {
    return this.logged((shard, wallMs, monotonicMs) => shard.importPiece(move, from, bytes, wallMs, monotonicMs));
  }

  takeOver(move: string, at: bigint): Promise<void> {
    return this.logged((shard, wallMs, monotonicMs) => shard.takeOver(move, at, wallMs, monotonicMs));
  }

  hasTaken(move: string): boolean {
    return this.dependencies.shard.hasTaken(move);
  }

  dropImport(move: string): Promise<void> {
    return this.logged((shard, wallMs, monotonicMs) => shard.dropImport(move, wallMs, monotonicMs));
  }

  slots(): SlotRun[] {
    return this.dependencies.shard.slots();
  }

  /** The run that the shard has given, until it knows that it was taken, and the version of the slots at the other shard. */
  givenRun(): (UnsettledMove & { version: number }) | null {
    const { given } = this.dependencies.shard.moves();
    return given && { move: given.move, slots: { first: given.first, last: given.last }, other: given.to, version: given.version };
  }

  /** The run of which the shard has pieces, until it has taken it or dropped them. */
  imported(): UnsettledMove | null {
    const { imported } = this.dependencies.shard.moves();
    return imported && { move: imported.move, slots: { first: imported.first, last: imported.last }, other: imported.from };
  }

  private step(call: (shard: Shard, wallMs: number, monotonicMs: number) => MoveRefusal | null): void {
    const { shard, environment, stepped } = this.dependencies;
    const refusal = call(shard, environment.wallMs(), environment.monotonicMs());
    stepped();
    if (refusal !== null) throw errorOf(refusal);
  }

  private async logged(call: (shard: Shard, wallMs: number, monotonicMs: number) => MoveRefusal | null): Promise<void> {
    this.step(call);
    const { shard, durable } = this.dependencies;
    await durable(shard.logPosition());
  }
}

const errorOf = ({ code, message, retryable }: MoveRefusal): GatewayError => new GatewayError(code, `${message}.`, { retryable });

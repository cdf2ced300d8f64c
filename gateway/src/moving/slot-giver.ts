// SlotGiver: gives a run of slots of the own shard to another shard, while both serve.
//
//   copying        The records go over in pieces, each durable at the taker before the next; those that change meanwhile go over again.
//   draining       Little is left: the run is held for a moment, so that nothing changes in it any more. If some transaction does not end in
//                  time, the run is let go, and drained again later.
//   handing_over   The rest is over, and the log says that the run is given: from here on the move is completed, whoever dies. The taker is
//                  asked until it owns the run. Nobody serves the run meanwhile.
//
// Up to the last moment before the entry `gave`, the move can be called off, and is called off if the taker does not answer.
import type { Environment, SlotRun } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { MovingHost } from '../store/moving-host.ts';
import type { MovedSlots, TakingShard } from './moving-shard.ts';

/** The own shard. */
export type GivingShard = Pick<
  MovingHost,
  'beginGive' | 'takeGive' | 'drainGive' | 'isDrained' | 'callOffDrain' | 'callOffGive' | 'give' | 'given' | 'settleGive'
>;

export type MovePhase = 'copying' | 'draining' | 'handing_over' | 'done' | 'called_off' | 'failed';

export interface MoveState {
  move: string;
  from: number;
  to: number;
  slots: MovedSlots;
  phase: MovePhase;
  bytesSent: number;
  /** estimate */
  bytesLeft: number;
  /** how often the run was held */
  drains: number;
  /** for how long nobody could use the run, the last time that it was held; null: it was not, or before this start */
  heldMs: number | null;
  /** of the wall clock, in ms since the Unix epoch */
  beganAtMs: number;
  /** why it was called off, has failed, or goes on in vain at present */
  why: string | null;
}

export interface SlotGiverOptions {
  shard: number;
  own: GivingShard;
  taker(shard: number): TakingShard;
  environment: Environment;
  /**
   * Whether some shard says that it owns the run that was given. A taker knows of the last move that it has taken alone: it refuses to take an
   * earlier one again.
   */
  isTaken(move: string): boolean;
  /** The run has another owner: `taken` are the taker's slots. */
  onMoved(to: number, taken: readonly SlotRun[]): void;
  /** The run was held for so long, and is served again. */
  onHeld?(heldMs: number): void;
  /** The move is over: done, called off or failed. */
  onEnded?(state: Readonly<MoveState>): void;
}

/** Limits, in one place; see docs/operations.md. */
export const MOVE_LIMITS = {
  pieceBytes: 256 << 10,
  /** the run is held when at most so much is left */
  restBytes: 256 << 10,
  /** so long until holders that have not voted are wounded */
  woundAfterMs: 50,
  /** a run is held for at most so long before it is let go */
  drainWithinMs: 400,
  /** and drained again after so long */
  drainAgainMs: 300,
  drainsMax: 40,
  /** the taker is asked again after so long */
  askAgainMs: 100,
  /** a taker that does not answer for so long has its move called off */
  silentMs: 10_000,
};

const LOOK_MS = 1;

class CalledOff extends Error {}

export class SlotGiver {
  readonly #options: SlotGiverOptions;
  readonly #limits: typeof MOVE_LIMITS;
  #state: MoveState | null = null;
  #isCalledOff = false;
  #isClosed = false;
  /** since when the run is held; null: it is not, or since before this start */
  #heldAtMs: number | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: SlotGiverOptions, limits: Partial<typeof MOVE_LIMITS> = {}) {
    this.#options = options;
    this.#limits = { ...MOVE_LIMITS, ...limits };
  }

  /** The last move of this start; null: none. */
  get state(): Readonly<MoveState> | null {
    return this.#state;
  }

  /** The move goes on here, or is being completed. */
  isUnderWay(move: string): boolean {
    return this.#isUnderWay && this.#state!.move === move;
  }

  get #isUnderWay(): boolean {
    return this.#state !== null && ['copying', 'draining', 'handing_over'].includes(this.#state.phase);
  }

  /** Begins a move. Throws move_in_progress, and the shard's refusals. */
  begin(move: string, slots: MovedSlots, to: number): MoveState {
    if (this.#isUnderWay)
      throw new GatewayError('move_in_progress', `Shard ${this.#options.shard} gives slots away already, one run at a time.`);
    this.#options.own.beginGive({ move, slots, to });
    const state = this.#begin(move, slots, to, 'copying');
    this.#running = this.#move(state);
    return state;
  }

  /** Completes a move that was given before this start. */
  complete(move: string, slots: MovedSlots, to: number): void {
    const state = this.#begin(move, slots, to, 'handing_over');
    this.#running = this.#handOver(state);
  }

  /** Throws unknown_move, and move_given: it is too late. */
  callOff(move: string): void {
    const state = this.#state;
    if (state?.move !== move || !this.#isUnderWay)
      throw new GatewayError('unknown_move', `No move ${move} is under way at shard ${this.#options.shard}.`);
    if (state.phase === 'handing_over') throw new GatewayError('move_given', 'The slots are given, and the move is being completed.');
    this.#isCalledOff = true;
  }

  /** Leaves a move where it is: the log says how it goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #begin(move: string, slots: MovedSlots, to: number, phase: MovePhase): MoveState {
    this.#isCalledOff = false;
    this.#heldAtMs = null;
    const { shard: from, environment } = this.#options;
    const beganAtMs = Math.round(environment.wallMs());
    this.#state = { move, from, to, slots, phase, bytesSent: 0, bytesLeft: 0, drains: 0, heldMs: null, beganAtMs, why: null };
    return this.#state;
  }

  async #move(state: MoveState): Promise<void> {
    try {
      await this.#copy(state);
      await this.#holdAndSendRest(state);
      await this.#options.own.give();
      state.phase = 'handing_over';
      await this.#handOver(state);
    } catch (error) {
      if (!this.#isClosed) await this.#end(state, error as Error);
    }
  }

  async #copy(state: MoveState): Promise<void> {
    const { restBytes } = this.#limits;
    for (;;) {
      const bytesLeft = await this.#sendPiece(state);
      if (bytesLeft === null || bytesLeft <= restBytes) return;
    }
  }

  /** Returns what is left; null: nothing is, and nothing can change. */
  async #sendPiece(state: MoveState): Promise<number | null> {
    this.#check();
    const { own, shard } = this.#options;
    const { bytes, complete, bytesLeft } = own.takeGive(this.#limits.pieceBytes);
    state.bytesLeft = bytesLeft;
    if (bytes.length > 0) {
      await this.#untilTaken(state, (taker) => taker.importPiece(state.move, shard, bytes));
      state.bytesSent += bytes.length;
    } else if (!complete) {
      await this.#turn(); // others have theirs, also if there is nothing to hand out for long
    }
    return complete ? null : bytesLeft;
  }

  /** The run is held when it resolves. */
  async #holdAndSendRest(state: MoveState): Promise<void> {
    const { drainAgainMs, drainsMax } = this.#limits;
    for (let tries = 0; tries < drainsMax; tries++) {
      state.phase = 'draining';
      if (await this.#hold(state)) {
        while ((await this.#sendPiece(state)) !== null);
        return;
      }
      state.phase = 'copying';
      await this.#pause(drainAgainMs);
      await this.#copy(state);
    }
    throw new CalledOff(
      `each of the ${drainsMax} times that the slots were to be handed over, some transaction held records there, or a backup was being made`,
    );
  }

  /** False: the run is let go again, or cannot be held at present. */
  async #hold(state: MoveState): Promise<boolean> {
    const { own, environment } = this.#options;
    const heldAtMs = environment.monotonicMs();
    try {
      own.drainGive(this.#limits.woundAfterMs);
    } catch (error) {
      if (!(error instanceof GatewayError) || !error.retryable) throw error;
      return false;
    }
    this.#heldAtMs = heldAtMs;
    state.drains++;
    if (await this.#drainedWithin(heldAtMs)) return true;
    own.callOffDrain();
    this.#noteHeld(state);
    return false;
  }

  async #drainedWithin(heldAtMs: number): Promise<boolean> {
    const { own, environment } = this.#options;
    while (!own.isDrained()) {
      if (environment.monotonicMs() - heldAtMs > this.#limits.drainWithinMs) return false;
      await this.#pause(LOOK_MS);
      this.#check();
    }
    return true;
  }

  async #handOver(state: MoveState): Promise<void> {
    const { own, taker, isTaken, onMoved, onEnded } = this.#options;
    const { move, to } = state;
    while (!this.#isClosed) {
      try {
        const at = own.given(move);
        if (at === null) throw new Error(`the shard does not know that it gave ${move}`);
        const taken = await taker(to)
          .takeOver(move, at)
          .catch((error: unknown) => {
            if (error instanceof GatewayError && error.code === 'unknown_move' && isTaken(move)) return null;
            throw error;
          });
        this.#noteHeld(state);
        if (taken !== null) onMoved(to, taken);
        await own.settleGive(move);
        state.phase = 'done';
        state.why = null;
        onEnded?.(state);
        return;
      } catch (error) {
        state.why = (error as Error).message;
        await this.#pause(this.#limits.askAgainMs);
      }
    }
  }

  /** The run is no longer held. */
  #noteHeld(state: MoveState): void {
    if (this.#heldAtMs === null) return;
    const { environment, onHeld } = this.#options;
    state.heldMs = environment.monotonicMs() - this.#heldAtMs;
    this.#heldAtMs = null;
    onHeld?.(state.heldMs);
  }

  /** Tries again while the taker does not answer, for a while. A refusal is final. */
  async #untilTaken(state: MoveState, ask: (taker: TakingShard) => Promise<void>): Promise<void> {
    const { taker, environment } = this.#options;
    for (const giveUpMs = environment.monotonicMs() + this.#limits.silentMs; ;) {
      try {
        await ask(taker(state.to));
        state.why = null;
        return;
      } catch (error) {
        const { message } = error as Error;
        state.why = message;
        const isSilent = error instanceof GatewayError && error.row.retryable;
        if (!isSilent || environment.monotonicMs() > giveUpMs) throw new CalledOff(message);
        await this.#pause(this.#limits.askAgainMs);
        this.#check();
      }
    }
  }

  /** The shard keeps its slots; the taker forgets what it has. */
  async #end(state: MoveState, error: Error): Promise<void> {
    const { own, taker, onEnded } = this.#options;
    try {
      own.callOffGive();
    } catch {
      // it has ended there
    }
    this.#noteHeld(state);
    state.why = error.message;
    state.phase = error instanceof CalledOff ? 'called_off' : 'failed';
    onEnded?.(state);
    await taker(state.to)
      .dropImport(state.move)
      .catch(() => {}); // its gateway asks about the move by itself
  }

  #check(): void {
    if (this.#isClosed) throw new CalledOff('the gateway stops');
    if (this.#isCalledOff) throw new CalledOff('an operator has called it off');
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#options.environment.setImmediate(resolve));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.environment.setTimeout(resolve, ms));
  }
}

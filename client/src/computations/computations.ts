// Computations: the nodes of one client, and the runs that no transaction has asked for (docs/decisions/0035-computations.md).
//
// A run outside of transactions is a read-only transaction of its own. While its body runs, further callers join it: the moment as of which it
// reads is yet to come, so it lies within their calls too. Later callers wait for its end and look again.

import type { Environment, Timer } from '../environment/environment.ts';
import type { Warranties } from '../warranties/warranties.ts';
import type { Computation, Keeper } from './computation.ts';
import { impure } from './errors.ts';
import { Node, type Definition, type NodeRecord } from './node.ts';
import { runningInside } from './purity.ts';
import { Refresh, type ReadAll } from './refresh.ts';

/** of values and grants */
const BYTES_MAX = 64 * 1024 * 1024;
/** What is left when there were too many. */
const BYTES_LEFT = 0.9 * BYTES_MAX;
const UNUSED_MS = 10_000;
const LOOK_AT_UNUSED_MS = 1_000;
/** Outside of strict mode, one run in so many is done twice. */
const TWICE_EVERY = 64;

type AnyComputation = Computation<never, unknown>;

/** Runs a transaction that returns the value of the node. */
export type RunNode = (node: Node, flight: Flight) => Promise<unknown>;

export class Flight {
  /** The moment as of which it reads is yet to come: the body of its transaction has not ended. */
  joinable = true;
  /** The votes prove the value, if it is still the one in memory. */
  proving = false;
  value!: Promise<unknown>;
}

export interface ComputationStats {
  /** in memory */
  nodes: number;
  bytes: number;
  /** answered without a question */
  hits: number;
  /** answered by the run of another caller */
  joined: number;
  /** runs of bodies */
  runs: number;
  /** values that were brought up to date for what had changed alone */
  refreshed: number;
  /** values that were asked about and found to be the same, without a run of their own body */
  proved: number;
  /** of these, values below which a body ran and came to what it had before */
  cutoffs: number;
  /** computations that gave two values for the same results */
  impure: number;
}

export class Computations implements Keeper {
  readonly warranties: Warranties;
  readonly stats: ComputationStats = { nodes: 0, bytes: 0, hits: 0, joined: 0, runs: 0, refreshed: 0, proved: 0, cutoffs: 0, impure: 0 };
  readonly #environment: Environment;
  readonly #runNode: RunNode;
  readonly #refresh: Refresh;
  readonly #nodes = new Set<Node>();
  readonly #flights = new Map<Node, Flight>();
  #timer: Timer | null = null;

  constructor(environment: Environment, warranties: Warranties, runNode: RunNode, readAll: ReadAll) {
    this.#environment = environment;
    this.warranties = warranties;
    this.#runNode = runNode;
    this.#refresh = new Refresh(this, readAll);
  }

  get nowMs(): number {
    return this.#environment.monotonicMs();
  }

  // ---- outside of transactions ----

  async get(node: Node): Promise<unknown> {
    refuseInside('get');
    for (;;) {
      if (this.warranties.turnIsLong) await new Promise<void>((resolve) => this.#environment.setImmediate(resolve));
      if (this.#stands(node)) return node.record!.value;
      const flight = this.#flights.get(node);
      if (flight === undefined) return this.#fly(node);
      if (flight.joinable) {
        this.stats.joined++;
        return flight.value;
      }
      await flight.value.catch(() => {});
    }
  }

  kept(node: Node): NodeRecord | null {
    refuseInside('kept');
    return this.#stands(node) ? node.record : null;
  }

  #stands(node: Node): boolean {
    if (!this.#isOfNow(node)) return false;
    node.hit(this.nowMs);
    this.warranties.hit();
    this.stats.hits++;
    return true;
  }

  #isOfNow(node: Node): boolean {
    const { nowMs, warranties } = this;
    warranties.look(nowMs);
    return node.settle(nowMs, warranties.table) && node.standsAt(nowMs);
  }

  #fly(node: Node): Promise<unknown> {
    const flight = new Flight();
    this.#flights.set(node, flight);
    // The body may begin at once.
    const run = this.#refresh.suits(node) ? this.#refreshed(node, flight) : this.#runNode(node, flight);
    return (flight.value = this.#landed(node, flight, run));
  }

  async #refreshed(node: Node, flight: Flight): Promise<unknown> {
    if (!(await this.#refresh.run(node)) || !this.#isOfNow(node)) return this.#runNode(node, flight);
    flight.joinable = false;
    node.hit(this.nowMs);
    this.stats.refreshed++;
    return node.record!.value;
  }

  async #landed(node: Node, flight: Flight, run: Promise<unknown>): Promise<unknown> {
    try {
      const value = await run;
      if (flight.proving) {
        this.stats.proved++;
        node.changing = false;
      }
      return value;
    } finally {
      this.#flights.delete(node);
    }
  }

  settle(node: Node): boolean {
    return node.settle(this.nowMs, this.warranties.table);
  }

  // ---- what is kept ----

  newNode(definition: Definition, args: readonly unknown[], name: string): Node {
    const node = new Node(definition, args, name, this.nowMs);
    this.#add(node);
    return node;
  }

  #add(node: Node): void {
    node.computation.nodes.set(node.name, node);
    this.#nodes.add(node);
    this.stats.nodes++;
    this.stats.bytes += node.bytes;
    this.#timer ??= this.#environment.setTimeout(this.#onTimer, LOOK_AT_UNUSED_MS);
  }

  keep(node: Node, record: NodeRecord): void {
    node.usedMs = this.nowMs;
    this.#replace(node, record);
    this.settle(node);
    if (this.stats.bytes + this.warranties.table.bytes > BYTES_MAX) this.#makeRoom();
  }

  /** Keeps no value of the node. */
  drop(node: Node): void {
    this.#replace(node, null);
  }

  /** A node that was dropped may still be evaluated. It is in memory again, unless there is another one in its place. */
  #replace(node: Node, record: NodeRecord | null): void {
    const there = node.computation.nodes.get(node.name);
    if (there === undefined) this.#add(node);
    else if (there !== node) return;
    this.stats.bytes -= node.bytes;
    node.replace(record);
    this.stats.bytes += node.bytes;
  }

  #makeRoom(): void {
    for (const node of [...this.#nodes].toSorted((one, other) => one.usedMs - other.usedMs)) {
      if (this.stats.bytes + this.warranties.table.bytes <= BYTES_LEFT) return;
      this.#remove(node);
    }
  }

  /** With all that rests on it. */
  #remove(node: Node): void {
    if (!this.#nodes.delete(node)) return;
    for (const parent of [...node.parents]) this.#remove(parent);
    this.stats.nodes--;
    this.stats.bytes -= node.bytes;
    node.replace(null);
    node.computation.nodes.delete(node.name);
  }

  readonly #onTimer = (): void => {
    this.#timer = null;
    const { nowMs } = this;
    for (const node of [...this.#nodes]) if (nowMs - node.usedMs >= UNUSED_MS && !this.#flights.has(node)) this.#remove(node);
    if (this.#nodes.size > 0) this.#timer = this.#environment.setTimeout(this.#onTimer, LOOK_AT_UNUSED_MS);
  };

  // ---- purity ----

  runsTwice({ strict }: { readonly strict: boolean }): boolean {
    return strict || this.stats.runs % TWICE_EVERY === 0;
  }

  /** It gave two values for the same results. In strict mode that fails; otherwise it is reported, and its values are not kept any more. */
  isImpure(computation: AnyComputation): void {
    this.stats.impure++;
    computation.impure = true;
    for (const node of [...computation.nodes.values()]) this.#remove(node);
    const error = impure(computation.name, 'gave two values for the same results');
    if (computation.strict) throw error;
    process.emitWarning(error.message, { code: error.code });
  }

  /** The client is closing. */
  close(): void {
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
    for (const node of [...this.#nodes]) this.#remove(node);
  }
}

/** A computation that is running may only call others through its reader. */
function refuseInside(method: 'get' | 'kept'): void {
  const caller = runningInside();
  if (caller !== undefined) throw impure(caller, `calls \`${method}\`; inside of a computation it is \`read.call\``);
}

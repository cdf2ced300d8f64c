// Node: one computation with its arguments, and what was found out about it.
//
// A record says: these members had these results, so the value was that. Since computations are pure, a record never becomes wrong; it
// only may be no longer about the present. A node is *clean* while grants say that all leaves below it still have their results. When a
// grant falls, all nodes above are not clean at once, before the grant can be returned.
//
//   clean    every leaf below has a grant that has not fallen
//   suspect  a leaf below has lost its grant, so its result may have changed
//   unproven a leaf below never had a grant

import type { Dependent, Holder } from '../warranties/grant.ts';
import type { GrantTable } from '../warranties/grant-table.ts';
import { sizeOf } from '../warranties/size-of.ts';
import { hashOf } from './identity.ts';
import { Leaf } from './leaf.ts';

/** Computations may call each other so deep. */
export const DEPTH_MAX = 32;
/** Grants learn this often that nodes above have used them. */
const SPREAD_MS = 1_000;
const NODE_BYTES = 500;

/** What a node is a computation of. */
export interface Definition {
  readonly name: string;
  readonly version: number;
  /** of name, version and text */
  readonly hash: string;
  /** those that are in memory, by the canonical text of their arguments */
  readonly nodes: Map<string, Node>;
  /** It gave two values for the same results, so none of its values is kept. */
  impure: boolean;
}

/** A node below, and the value that it had. */
export class Child {
  readonly node: Node;
  readonly hash: string;

  constructor(node: Node, hash: string) {
    this.node = node;
    this.hash = hash;
  }
}

export class NodeRecord {
  /** in the order in which the body asked for them */
  readonly members: readonly (Leaf | Child)[];
  /** frozen, and the same for all users */
  readonly value: unknown;
  readonly hash: string;
  readonly bytes: number;

  /** @param text of the value */
  constructor(members: readonly (Leaf | Child)[], value: unknown, text: string) {
    this.members = members;
    this.value = value;
    this.hash = hashOf(text);
    this.bytes = members.reduce(
      (sum, member) => sum + (member instanceof Leaf ? sizeOf(member.call, member.result) : 100),
      4 * text.length,
    );
  }
}

/** The leaves below a record. `whole`: all nodes below have the values that it rests on. */
export interface Below {
  readonly leaves: readonly Leaf[];
  readonly whole: boolean;
}

export class Node implements Dependent {
  readonly computation: Definition;
  readonly args: readonly unknown[];
  /** canonical text of the arguments */
  readonly name: string;
  record: NodeRecord | null = null;
  clean = false;
  /** kept nodes that have used its value */
  readonly parents = new Set<Node>();
  usedMs: number;
  hits = 0;
  runs = 0;
  /** When it was looked at last, a leaf below had changed: digests are hardly worth a try. */
  changing = false;
  /** It could not be made clean for what has changed alone: something below is not promised. Until it is clean again. */
  unpromised = false;
  /** of the grants below. REQUIRES: clean. */
  #holders: readonly Holder[] = [];
  /** it is being looked at: records of different times may need each other */
  #settling = false;
  /** hits of which the grants below do not know */
  #untold = 0;
  #spreadMs = -Infinity;

  constructor(computation: Definition, args: readonly unknown[], name: string, nowMs: number) {
    this.computation = computation;
    this.args = args;
    this.name = name;
    this.usedMs = nowMs;
  }

  get bytes(): number {
    return NODE_BYTES + 2 * this.name.length + (this.record?.bytes ?? 0);
  }

  // ---- what it rests on ----

  /** A new record, or none. Those above have to be looked at again. */
  replace(record: NodeRecord | null): void {
    for (const member of this.record?.members ?? []) {
      if (member instanceof Leaf) member.detach();
      else member.node.parents.delete(this);
    }
    this.suspect();
    this.record = record;
    for (const member of record?.members ?? []) {
      if (member instanceof Leaf) member.attach(this);
      else member.node.parents.add(this);
    }
  }

  /** A leaf below has fallen, or a node below has another record. */
  suspect(): void {
    // If it is not clean, neither is any node above.
    if (!this.clean) return;
    this.#spread();
    this.clean = false;
    for (const parent of this.parents) parent.suspect();
  }

  /** Its value is that of now, without any question. */
  standsAt(nowMs: number): boolean {
    return this.clean && this.#holders.every(({ leaseUntilMs }) => nowMs < leaseUntilMs);
  }

  /** Until then its value stands, unless it is suspect before. REQUIRES: clean. */
  get leaseUntilMs(): number {
    return this.#holders.reduce((until, { leaseUntilMs }) => Math.min(until, leaseUntilMs), Infinity);
  }

  /** Makes it clean if all that it rests on is promised. */
  settle(nowMs: number, table: GrantTable): boolean {
    if (this.clean) return true;
    if (this.record === null || this.#settling) return false;
    this.#settling = true;
    this.clean = this.#isPromised(nowMs, table);
    this.#settling = false;
    if (this.clean) this.unpromised = false;
    return this.clean;
  }

  /** REQUIRES: it has a record. */
  #isPromised(nowMs: number, table: GrantTable): boolean {
    const holders = new Set<Holder>();
    for (const member of this.record!.members) {
      if (member instanceof Leaf) {
        if (!member.promised && !member.stands(nowMs, table)) return false;
        holders.add(member.grant!.holder);
      } else {
        const { node, hash } = member;
        if (node.record?.hash !== hash || !node.settle(nowMs, table)) return false;
        for (const holder of node.#holders) holders.add(holder);
      }
    }
    this.#holders = [...holders];
    return true;
  }

  below(nowMs: number): Below {
    const leaves: Leaf[] = [];
    let whole = true;
    const walked = new Set<Node>();
    const walk = (node: Node): void => {
      if (walked.has(node)) return;
      walked.add(node);
      node.usedMs = Math.max(node.usedMs, nowMs);
      for (const member of node.record!.members) {
        if (member instanceof Leaf) leaves.push(member);
        else if (member.node.record?.hash === member.hash) walk(member.node);
        else whole = false;
      }
    };
    walk(this);
    return { leaves, whole };
  }

  // ---- uses ----

  /** It has answered without a question. */
  hit(nowMs: number): void {
    this.hits++;
    this.#untold++;
    this.usedMs = nowMs;
    if (nowMs - this.#spreadMs >= SPREAD_MS) this.#spread();
  }

  /** Tells the grants below, which are given back if nothing uses them. */
  #spread(): void {
    const { usedMs } = this;
    const uses = this.#untold;
    this.#untold = 0;
    this.#spreadMs = usedMs;
    if (uses === 0) return;
    for (const { grant } of this.below(usedMs).leaves) {
      if (grant === null) continue;
      grant.uses += uses;
      grant.usedMs = Math.max(grant.usedMs, usedMs);
    }
  }
}

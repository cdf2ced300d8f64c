// Chains of waits: waiters behind another waiter. Nodes are transactions; an edge leads from a waiter to a blocker. A wait for a
// running holder alone is no chain, and is left to the table.
//
// The graph is made from the shards' reports of the longest waits, with a few blockers each, at slightly different times. So a
// cycle over several shards may consist of waits that never existed at the same time; a cycle within a shard never lasts.
import type { ShownWaiter } from '../../store/telemetryStore.ts';

export interface WaitEdge {
  to: string;
  key: string;
  operation: string;
  blockingOperation: string;
  /** false: it is ahead in the queue */
  holds: boolean;
  isInCycle: boolean;
}

export interface WaitNode {
  id: string;
  label: string;
  /** transactions with the same position in the graph: none waits for them, and they have the same blockers */
  count: number;
  /** its longest wait; null: not among the reported waits, although it may wait */
  waitedMs: number | null;
  /** some shard reports that it waits */
  waits: boolean;
  /** it has voted at some shard: there it only waits for its outcome */
  voted: boolean;
  isInCycle: boolean;
  /** its column: every edge outside a cycle leads to a greater level */
  level: number;
  edges: WaitEdge[];
}

export interface WaitGraph {
  /** by level, then the longest waits first */
  nodes: WaitNode[];
  /** transactions that wait for each other in a circle */
  cycles: string[][];
  /** nodes beyond the limit */
  leftOut: number;
}

export const NODES_SHOWN = 24;

export function waitGraph(waiters: readonly ShownWaiter[], most = NODES_SHOWN): WaitGraph {
  const all = nodesOf(waiters);
  const chained = inChains(all);
  const groups = stronglyConnected(chained);
  markCycles(chained, groups);
  setLevels(chained, groups);
  const nodes = [...mergeAlike(chained).values()].sort(
    (a, b) => a.level - b.level || (b.waitedMs ?? -1) - (a.waitedMs ?? -1) || (a.id < b.id ? -1 : 1),
  );
  const shown = nodes.length > most ? withinRoom(nodes, most) : nodes;
  return { nodes: shown, cycles: groups.filter((group) => chained.get(group[0]!)!.isInCycle), leftOut: nodes.length - shown.length };
}

function nodesOf(waiters: readonly ShownWaiter[]): Map<string, WaitNode> {
  const nodes = new Map<string, WaitNode>();
  const node = (id: string, label: string): WaitNode => {
    let found = nodes.get(id);
    if (found === undefined) {
      found = { id, label, count: 1, waitedMs: null, waits: false, voted: false, isInCycle: false, level: 0, edges: [] };
      nodes.set(id, found);
    }
    return found;
  };
  for (const { transaction, label, key, operation, waitedMs, blockers } of waiters) {
    const waiter = node(transaction, label);
    waiter.waits = true;
    waiter.waitedMs = Math.max(waiter.waitedMs ?? 0, waitedMs);
    for (const blocker of blockers) {
      const id = blocker.transaction;
      const target = node(id, blocker.label);
      target.waits ||= blocker.waits;
      target.voted ||= blocker.voted;
      if (waiter.edges.some((edge) => edge.to === id && edge.key === key)) continue;
      waiter.edges.push({ to: id, key, operation, blockingOperation: blocker.operation, holds: blocker.holds, isInCycle: false });
    }
  }
  return nodes;
}

/** Every waiter behind another waiter, and all transactions that these lead to. */
function inChains(nodes: Map<string, WaitNode>): Map<string, WaitNode> {
  const chained = new Map<string, WaitNode>();
  const add = (node: WaitNode) => {
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (chained.has(next.id)) continue;
      chained.set(next.id, next);
      open.push(...next.edges.map(({ to }) => nodes.get(to)!));
    }
  };
  for (const node of nodes.values()) {
    if (node.edges.some(({ to }) => nodes.get(to)!.waits)) add(node);
  }
  return chained;
}

/** Tarjan's algorithm: groups come after all groups that they lead to. Chains are short, so recursion is safe. */
function stronglyConnected(nodes: Map<string, WaitNode>): string[][] {
  const found = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (id: string): { index: number; low: number; isOpen: boolean } => {
    const self = { index: found.size, low: found.size, isOpen: true };
    found.set(id, self);
    stack.push(id);
    for (const { to } of nodes.get(id)!.edges) {
      const known = found.get(to);
      if (known === undefined) self.low = Math.min(self.low, visit(to).low);
      else if (known.isOpen) self.low = Math.min(self.low, known.index);
    }
    if (self.low === self.index) {
      const group = stack.splice(stack.indexOf(id));
      for (const member of group) found.get(member)!.isOpen = false;
      groups.push(group);
    }
    return self;
  };
  for (const id of nodes.keys()) if (!found.has(id)) visit(id);
  return groups;
}

function markCycles(nodes: Map<string, WaitNode>, groups: readonly string[][]): void {
  for (const group of groups) {
    const members = new Set(group);
    const isCycle = group.length > 1 || nodes.get(group[0]!)!.edges.some(({ to }) => to === group[0]);
    if (!isCycle) continue;
    for (const id of group) {
      const node = nodes.get(id)!;
      node.isInCycle = true;
      for (const edge of node.edges) edge.isInCycle = members.has(edge.to);
    }
  }
}

/** The length of the longest path to a node from one without waiters; the members of a cycle get consecutive columns in their order. */
function setLevels(nodes: Map<string, WaitNode>, groups: readonly string[][]): void {
  const groupOf = new Map<string, number>();
  groups.forEach((group, at) => group.forEach((id) => groupOf.set(id, at)));
  const starts = new Array<number>(groups.length).fill(0);
  // Backwards, because a group comes after all groups that it leads to.
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    const group = groups[at]!;
    group.forEach((id, place) => (nodes.get(id)!.level = starts[at]! + place));
    for (const id of group) {
      for (const { to } of nodes.get(id)!.edges) {
        const target = groupOf.get(to)!;
        if (target !== at) starts[target] = Math.max(starts[target]!, starts[at]! + group.length);
      }
    }
  }
}

/** Merges transactions with the same blockers into one node. */
function mergeAlike(nodes: Map<string, WaitNode>): Map<string, WaitNode> {
  const targets = new Set([...nodes.values()].flatMap(({ edges }) => edges.map(({ to }) => to)));
  const kept = new Map<string, WaitNode>();
  const alike = new Map<string, WaitNode>();
  for (const node of nodes.values()) {
    if (targets.has(node.id)) {
      kept.set(node.id, node);
      continue;
    }
    const edges = node.edges.map((edge) => [edge.to, edge.key, edge.operation]).sort();
    const looks = JSON.stringify([node.label, edges]);
    const first = alike.get(looks);
    if (first === undefined) {
      alike.set(looks, node);
      kept.set(node.id, node);
    } else {
      first.count += 1;
      first.waitedMs = Math.max(first.waitedMs ?? 0, node.waitedMs ?? 0);
    }
  }
  return kept;
}

/** Cycles first, then the longest waits; edges to omitted nodes are dropped. */
function withinRoom(nodes: readonly WaitNode[], most: number): WaitNode[] {
  const ranked = [...nodes].sort((a, b) => Number(b.isInCycle) - Number(a.isInCycle) || (b.waitedMs ?? -1) - (a.waitedMs ?? -1));
  const shown = new Set(ranked.slice(0, most).map(({ id }) => id));
  return nodes.filter(({ id }) => shown.has(id)).map((node) => ({ ...node, edges: node.edges.filter(({ to }) => shown.has(to)) }));
}

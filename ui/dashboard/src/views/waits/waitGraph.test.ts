import { describe, expect, it } from 'vitest';
import { seeded } from '../../../../kit/seeded.ts';
import type { ShownWaiter } from '../../store/telemetryStore.ts';
import { waitGraph, type WaitGraph } from './waitGraph.ts';

type Edge = [from: string, to: string, key?: string];

/** Waiters from edges waiter → blocker; a transaction without an outgoing edge holds. */
function waiters(edges: readonly Edge[], labelOf = (id: string) => `L${id}`): ShownWaiter[] {
  const waiting = new Set(edges.map(([from]) => from));
  return edges.map(([from, to, key = 'k'], at) => ({
    transaction: from,
    label: labelOf(from),
    key,
    operation: 'Set.size',
    mode: 'read',
    cause: 'lock_wait',
    waitedMs: 100 - at,
    blockers: [{ transaction: to, label: labelOf(to), operation: 'Set.add', holds: true, voted: false, waits: waiting.has(to) }],
    moreBlockers: false,
    warranty: null,
    shard: 0,
  }));
}

const levels = ({ nodes }: WaitGraph) => Object.fromEntries(nodes.map(({ id, level }) => [id, level]));

describe('chains of waits', () => {
  it('leave out waiters behind a running transaction', () => {
    expect(
      waitGraph(
        waiters([
          ['1', '2'],
          ['3', '2'],
        ]),
      ),
    ).toEqual({ nodes: [], cycles: [], leftOut: 0 });
  });

  it('lead from each waiter to its blocker, to the end', () => {
    const graph = waitGraph(
      waiters([
        ['1', '2'],
        ['2', '3'],
        ['4', '3'],
      ]),
    );
    expect(levels(graph)).toEqual({ 1: 0, 2: 1, 3: 2 });
    expect(graph.nodes.map(({ waitedMs }) => waitedMs)).toEqual([100, 99, null]);
    expect(graph.cycles).toEqual([]);
  });

  it('show that a blocker waits even if its own wait is not among the longest', () => {
    const told = waiters([['1', '2']]);
    told[0]!.blockers[0]!.waits = true;
    expect(waitGraph(told).nodes).toMatchObject([{ id: '1' }, { id: '2', waits: true, waitedMs: null }]);
  });

  it('mark a cycle, but not transactions that only wait for it', () => {
    const graph = waitGraph(
      waiters([
        ['0', '1'],
        ['1', '2'],
        ['2', '3', 'other'],
        ['3', '1'],
      ]),
    );
    expect(graph.cycles.map((cycle) => [...cycle].sort())).toEqual([['1', '2', '3']]);
    const marked = Object.fromEntries(graph.nodes.map(({ id, isInCycle }) => [id, isInCycle]));
    expect(marked).toEqual({ 0: false, 1: true, 2: true, 3: true });
    const edges = graph.nodes.flatMap(({ id, edges }) => edges.map(({ to, isInCycle }) => `${id}${to}${isInCycle}`));
    expect(edges.sort()).toEqual(['01false', '12true', '23true', '31true']);
  });

  it('show transactions with the same blockers as one node', () => {
    const alike: Edge[] = Array.from({ length: 12 }, (_, at): Edge => [`v${at}`, 'b']);
    const graph = waitGraph(waiters([...alike, ['b', 'h']], (id) => id[0]!));
    expect(graph.nodes.map(({ label, count }) => [label, count])).toEqual([
      ['v', 12],
      ['b', 1],
      ['h', 1],
    ]);
    expect(graph.nodes[0]!.waitedMs).toBe(100);
  });

  it('respect the limit of nodes, cycles first', () => {
    const chain: Edge[] = Array.from({ length: 40 }, (_, at): Edge => [`${at}`, `${at + 1}`]);
    const graph = waitGraph(waiters([...chain, ['x', 'y'], ['y', 'x']]), 10);
    expect(graph.nodes).toHaveLength(10);
    expect(graph.leftOut).toBe(33);
    expect(graph.nodes.filter(({ isInCycle }) => isInCycle)).toHaveLength(2);
    const shown = new Set(graph.nodes.map(({ id }) => id));
    for (const { edges } of graph.nodes) for (const { to } of edges) expect(shown.has(to)).toBe(true);
  });

  it('find exactly the cycles of any graph', () => {
    for (let trial = 0; trial < 200; trial += 1) {
      const dice = seeded(`waits ${trial}`);
      const ids = Array.from({ length: dice.integer(2, 9) }, (_, at) => `${at}`);
      const edges = new Map<string, Edge>();
      for (let count = dice.integer(1, 14); count > 0; count -= 1) {
        const [from, to] = [dice.pick(ids), dice.pick(ids)];
        if (from !== to) edges.set(`${from}>${to}`, [from, to]);
      }
      const graph = waitGraph(waiters([...edges.values()]), 100);
      const reaches = closure(ids, [...edges.values()]);
      for (const { id, isInCycle, level, edges: out } of graph.nodes) {
        expect(isInCycle, `trial ${trial}, ${id}`).toBe(reaches.has(`${id}>${id}`));
        for (const { to, isInCycle: edgeInCycle } of out) {
          expect(edgeInCycle, `trial ${trial}`).toBe(reaches.has(`${to}>${id}`));
          const target = graph.nodes.find((node) => node.id === to)!;
          if (!edgeInCycle) expect(target.level, `trial ${trial}`).toBeGreaterThan(level);
        }
      }
      const inCycles = ids.filter((id) => reaches.has(`${id}>${id}`));
      expect(graph.cycles.flat().sort(), `trial ${trial}`).toEqual(inCycles.sort());
    }
  });
});

/** Warshall's algorithm; pairs as "from>to". */
function closure(ids: readonly string[], edges: readonly Edge[]): Set<string> {
  const reaches = new Set(edges.map(([from, to]) => `${from}>${to}`));
  for (const over of ids)
    for (const from of ids)
      for (const to of ids) if (reaches.has(`${from}>${over}`) && reaches.has(`${over}>${to}`)) reaches.add(`${from}>${to}`);
  return reaches;
}

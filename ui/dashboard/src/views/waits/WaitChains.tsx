// Chains of waits as a small graph: an arrow leads from the waiter to its blocker, from left to right; cycles are thick, red and
// named. The table and the list of waits have the same information in words.
import { formatCount, useScrollStop } from '@claret/ui/kit';
import { useId } from 'react';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { msWords } from '../../components/figures.ts';
import { shortOperation } from '../transactions/verdict.ts';
import styles from './WaitChains.module.css';
import type { WaitEdge, WaitGraph, WaitNode } from './waitGraph.ts';

const NODE_WIDTH = 116;
const NODE_HEIGHT = 34;
const COLUMN_GAP = 32;
/** below the nodes, for the edges that close cycles */
const BACK_ROOM = 26;
const ROW_GAP = 8;
const LABEL_LETTERS = 13;

export interface WaitChainsProps {
  graph: WaitGraph;
  /** number of waits from which the graph is made */
  listed: number;
}

export function WaitChains({ graph, listed }: WaitChainsProps) {
  const title = useId();
  const scrollStop = useScrollStop();
  const { nodes, cycles, leftOut } = graph;
  if (nodes.length === 0) return <p className={styles.caption}>{noChainWords(listed)}</p>;
  const points = placed(nodes);
  const width = Math.max(...[...points.values()].map(({ x }) => x)) + NODE_WIDTH + 2;
  const height = Math.max(...[...points.values()].map(({ y }) => y)) + NODE_HEIGHT + 2 + (cycles.length > 0 ? BACK_ROOM : 0);
  return (
    <figure className={styles.figure}>
      <figcaption id={title} className={styles.caption}>
        {chainWords(graph)}
        {cycles.length > 0 && <> Shards report at slightly different times: a cycle over two of them may never have been complete.</>}
        {leftOut > 0 && <> {formatCount(leftOut)} more transactions are not drawn.</>}
      </figcaption>
      <div className={styles.scroll} {...scrollStop}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={title}>
          {nodes.flatMap((node) =>
            node.edges.map((edge) => (
              <Edge key={`${node.id} ${edge.to} ${edge.key}`} edge={edge} from={points.get(node.id)!} to={points.get(edge.to)!} />
            )),
          )}
          {nodes.map((node) => (
            <Node key={node.id} node={node} at={points.get(node.id)!} />
          ))}
        </svg>
      </div>
    </figure>
  );
}

interface Point {
  x: number;
  y: number;
}

function placed(nodes: readonly WaitNode[]): Map<string, Point> {
  const rows = new Map<number, number>();
  return new Map(
    nodes.map(({ id, level }) => {
      const row = rows.get(level) ?? 0;
      rows.set(level, row + 1);
      return [id, { x: 1 + level * (NODE_WIDTH + COLUMN_GAP), y: 1 + row * (NODE_HEIGHT + ROW_GAP) }];
    }),
  );
}

/** A chain has at least three transactions: one waits for another that waits for a third. */
function noChainWords(listed: number): string {
  const waits = listed === 1 ? 'the one wait listed is' : `all ${formatCount(listed)} waits listed are`;
  return `No graph: ${waits} directly behind a transaction that is running, not behind another waiter.`;
}

function chainWords({ nodes, cycles }: WaitGraph): string {
  const behind = nodes.filter(({ edges }) => edges.length > 0).reduce((sum, { count }) => sum + count, 0);
  const chains = `${formatCount(behind)} of them wait behind transactions that wait, too.`;
  if (cycles.length === 0)
    return hasQueued(nodes) ? `${chains} Dashed: the one in the way holds nothing yet, it is ahead in the queue.` : chains;
  return `${chains} ${cycles.length === 1 ? 'A cycle' : `${formatCount(cycles.length)} cycles`} (thick): they wait for each other.`;
}

const hasQueued = (nodes: readonly WaitNode[]) => nodes.some(({ edges }) => edges.some(({ holds }) => !holds));

function Node({ node, at }: { node: WaitNode; at: Point }) {
  const { label, count, waitedMs, voted, waits, isInCycle } = node;
  const name = labelWords(label);
  const cut = name.length > LABEL_LETTERS ? `${name.slice(0, LABEL_LETTERS - 1)}…` : name;
  const does =
    waitedMs !== null ? `${isInCycle ? 'cycle,' : 'waits'} ${msWords(waitedMs)}` : voted ? 'has voted' : waits ? 'waits, too' : 'holds';
  return (
    <g transform={`translate(${at.x} ${at.y})`} className={isInCycle ? styles.inCycle : undefined}>
      <title>{`${count > 1 ? `${formatCount(count)} × ` : ''}${name}: ${does}${isInCycle ? ', in a cycle' : ''}`}</title>
      <rect className={styles.node} width={NODE_WIDTH} height={NODE_HEIGHT} rx={5} />
      <text className={styles.label} x={8} y={14}>
        {count > 1 ? `${formatCount(count)} × ${cut}` : cut}
      </text>
      <text className={styles.does} x={8} y={27}>
        {does}
      </text>
    </g>
  );
}

/** Whether an edge closes a cycle: such an edge runs below the nodes. */
const isBack = (from: Point, to: Point) => to.x <= from.x;
const side = ({ x, y }: Point, offset: number): Point => ({ x: x + offset, y: y + NODE_HEIGHT / 2 });
const foot = ({ x, y }: Point): Point => ({ x: x + NODE_WIDTH / 2, y: y + NODE_HEIGHT });

function Edge({ edge, from, to }: { edge: WaitEdge; from: Point; to: Point }) {
  const [out, into] = isBack(from, to) ? [foot(from), foot(to)] : [side(from, NODE_WIDTH), side(to, 0)];
  const half = (into.x - out.x) / 2;
  const line = isBack(from, to)
    ? `M${out.x} ${out.y} C${out.x} ${out.y + 1.3 * BACK_ROOM} ${into.x} ${into.y + 1.3 * BACK_ROOM} ${into.x} ${into.y}`
    : `M${out.x} ${out.y} C${out.x + half} ${out.y} ${into.x - half} ${into.y} ${into.x} ${into.y}`;
  return (
    <g className={edge.isInCycle ? styles.cycleEdge : undefined}>
      <title>{`${edge.operation} waits for ${shortOperation(edge.blockingOperation)}${edge.holds ? '' : ', which is ahead in the queue,'} on ${edge.key}`}</title>
      <path className={edge.holds ? styles.edge : styles.queued} d={line} />
      <circle className={styles.tip} cx={into.x} cy={into.y} r={3} />
    </g>
  );
}

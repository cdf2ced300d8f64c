// Chains of waits as a small graph: from left to right, who waits for whom; cycles are thick, red and named. The table and
// the list of waits say the same in words.
import { formatCount, useScrollStop } from '@claret/ui/kit';
import { useId } from 'react';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { msWords } from '../../parts/figures.ts';
import { shortOperation } from '../transactions/verdict.ts';
import styles from './WaitChains.module.css';
import type { WaitEdge, WaitGraph, WaitNode } from './waitGraph.ts';

const NODE_WIDTH = 116;
const NODE_HEIGHT = 34;
const COLUMN_GAP = 32;
const ROW_GAP = 8;
const LABEL_LETTERS = 13;

export function WaitChains({ graph }: { graph: WaitGraph }) {
  const title = useId();
  const scrollStop = useScrollStop();
  const { nodes, cycles, leftOut } = graph;
  if (nodes.length === 0) return <p className={styles.caption}>Everybody waits for transactions that run: there is no chain.</p>;
  const places = placed(nodes);
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + NODE_WIDTH + 2;
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + NODE_HEIGHT + 2;
  return (
    <figure className={styles.figure}>
      <figcaption id={title} className={styles.caption}>
        {chainWords(graph)}
        {cycles.length > 0 && <> Shards tell a little apart in time: a cycle over two of them may never have been whole.</>}
        {leftOut > 0 && <> {formatCount(leftOut)} more are not drawn.</>}
      </figcaption>
      <div className={styles.scroll} {...scrollStop}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={title}>
          {nodes.flatMap((node) =>
            node.edges.map((edge) => <Edge key={`${node.id} ${edge.to} ${edge.key}`} edge={edge} from={places.get(node.id)!} to={places.get(edge.to)!} />),
          )}
          {nodes.map((node) => (
            <Node key={node.id} node={node} place={places.get(node.id)!} />
          ))}
        </svg>
      </div>
    </figure>
  );
}

interface Place {
  x: number;
  y: number;
}

function placed(nodes: readonly WaitNode[]): Map<string, Place> {
  const rows = new Map<number, number>();
  return new Map(
    nodes.map(({ id, level }) => {
      const row = rows.get(level) ?? 0;
      rows.set(level, row + 1);
      return [id, { x: 1 + level * (NODE_WIDTH + COLUMN_GAP), y: 1 + row * (NODE_HEIGHT + ROW_GAP) }];
    }),
  );
}

function chainWords({ nodes, cycles }: WaitGraph): string {
  const behind = nodes.filter(({ edges }) => edges.length > 0).reduce((sum, { count }) => sum + count, 0);
  const chains = `${formatCount(behind)} of them wait in chains, for others that wait.`;
  if (cycles.length === 0) return chains;
  return `${chains} ${cycles.length === 1 ? 'A cycle' : `${formatCount(cycles.length)} cycles`} (thick): they wait for each other.`;
}

function Node({ node, place }: { node: WaitNode; place: Place }) {
  const { label, count, waitedMs, voted, waits, isInCycle } = node;
  const name = labelWords(label);
  const cut = name.length > LABEL_LETTERS ? `${name.slice(0, LABEL_LETTERS - 1)}…` : name;
  const does = waitedMs !== null ? `waits ${msWords(waitedMs)}` : voted ? 'has voted' : waits ? 'waits too' : 'holds';
  return (
    <g transform={`translate(${place.x} ${place.y})`} className={isInCycle ? styles.inCycle : undefined}>
      <title>{`${count > 1 ? `${formatCount(count)} × ` : ''}${name}: ${does}${isInCycle ? ', in a cycle' : ''}`}</title>
      <rect className={styles.node} width={NODE_WIDTH} height={NODE_HEIGHT} rx={5} />
      <text className={styles.label} x={8} y={14}>
        {count > 1 ? `${formatCount(count)} × ${cut}` : cut}
      </text>
      <text className={styles.does} x={8} y={27}>
        {does}
        {isInCycle ? ' · cycle' : ''}
      </text>
    </g>
  );
}

function Edge({ edge, from, to }: { edge: WaitEdge; from: Place; to: Place }) {
  const isBack = to.x <= from.x;
  const [x1, y1] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2];
  const [x2, y2] = isBack ? [to.x + NODE_WIDTH / 2, to.y + (to.y >= from.y ? 0 : NODE_HEIGHT)] : [to.x, to.y + NODE_HEIGHT / 2];
  const bend = isBack ? COLUMN_GAP : (x2 - x1) / 2;
  const line = isBack
    ? `M${x1} ${y1} C${x1 + bend} ${y1} ${x2} ${y2 + (to.y >= from.y ? -bend : bend)} ${x2} ${y2}`
    : `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return (
    <g className={edge.isInCycle ? styles.cycleEdge : undefined}>
      <title>{`${edge.operation} waits for ${shortOperation(edge.blockingOperation)}${edge.holds ? '' : ', which waits in front,'} at ${edge.key}`}</title>
      <path className={edge.holds ? styles.edge : styles.queued} d={line} />
      <circle className={styles.tip} cx={x2} cy={y2} r={3} />
    </g>
  );
}

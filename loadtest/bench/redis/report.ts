// Figures of the benchmark of the Redis door: ratios of medians, and the targets.
import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';

export const COMMANDS = ['set', 'get', 'incr', 'sadd', 'hset', 'lpush', 'zadd'] as const;
export type Command = (typeof COMMANDS)[number];

/** `kept`: both sides write every change to disk before they answer */
export type Durability = 'none' | 'kept';

/** Commands per second in one round, the two sides right after each other. */
export interface Round {
  durability: Durability;
  pipeline: number;
  command: Command;
  door: number;
  redis: number;
}

export interface Row {
  durability: Durability;
  pipeline: number;
  command: Command;
  door_per_s: number;
  redis_per_s: number;
  /** median of the rounds' ratios, and the least and greatest */
  ratio: number;
  ratios: [least: number, greatest: number];
}

/** The least ratio to redis-server that is wanted, by commands in one message. */
const WANTED: Readonly<Record<number, number>> = { 1: 0.55, 16: 0.9, 64: 1 };

export function rowsOf(rounds: readonly Round[]): Row[] {
  const cells = Map.groupBy(rounds, ({ durability, pipeline, command }) => `${durability} ${pipeline} ${command}`);
  return [...cells.values()].map((cell) => {
    const { durability, pipeline, command } = cell[0]!;
    const ratios = cell.map(({ door, redis }) => door / redis);
    return {
      durability,
      pipeline,
      command,
      door_per_s: median(cell.map(({ door }) => door)),
      redis_per_s: median(cell.map(({ redis }) => redis)),
      ratio: median(ratios),
      ratios: [Math.min(...ratios), Math.max(...ratios)],
    };
  });
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ durability, pipeline, command, door_per_s, redis_per_s, ratio, ratios }) => [
    durability,
    String(pipeline),
    command.toUpperCase(),
    Math.round(door_per_s).toLocaleString('en'),
    Math.round(redis_per_s).toLocaleString('en'),
    `${ratio.toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(' to ')})`,
  ]);
  return table(['durability', 'pipeline', 'command', 'door/s', 'redis/s', 'door to redis'], lines);
}

export function verdictsOf(rows: readonly Row[]): string[] {
  const groups = Map.groupBy(rows, ({ durability, pipeline }) => `${durability} ${pipeline}`);
  return [...groups.values()].map((group) => {
    const { durability, pipeline } = group[0]!;
    const wanted = WANTED[pipeline];
    const least = group.reduce((a, b) => (a.ratio < b.ratio ? a : b));
    const goal = wanted === undefined ? '' : ` (target: ${wanted}, ${least.ratio >= wanted ? 'met' : 'missed'})`;
    return `durability ${durability}, pipeline ${pipeline}: ${median(group.map(({ ratio }) => ratio)).toFixed(2)} in the middle, at least ${least.ratio.toFixed(2)}, by ${least.command.toUpperCase()}${goal}`;
  });
}

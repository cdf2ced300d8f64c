// How far the log of each other shard had come when that shard last reported it: `logs.json` in the data directory, a LogPoint or null for
// each shard. A shard that returns with another log, or with one that ends earlier, has lost its branches of transactions that other shards
// still have: its disk was replaced, its directory was reset to an older state, or a backup was restored for it alone. The other gateways
// must not accept it (agreement.ts).
import { promises as fs } from 'node:fs';
import type { LogPoint } from '../log/lineage.ts';
import { LogDamaged } from '../log/log.ts';
import { knownLogsFile } from './data-dir.ts';
import { readText, writeSafely } from './safe-file.ts';

/** delay before progress of a known log is written; a new log is written at once */
const WRITE_AFTER_MS = 1_000;

export class KnownLogs {
  private readonly path: string;
  private readonly onUnwritten: (why: string) => void;
  private points: readonly (LogPoint | null)[];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private changed = false;
  private closed = false;

  /** Throws LogDamaged. */
  constructor(dataDir: string, onUnwritten: (why: string) => void) {
    this.path = knownLogsFile(dataDir);
    this.onUnwritten = onUnwritten;
    this.points = read(this.path);
  }

  of(shard: number): LogPoint | null {
    return this.points[shard] ?? null;
  }

  /** Records a point that the shard itself reported. False: the shard has another log than the known one, and nothing is recorded. */
  learn(shard: number, point: LogPoint): boolean {
    const known = this.of(shard);
    if (known !== null && known.log !== point.log) return false;
    if (known !== null && !isLater(point, known)) return true;
    const points = Array.from({ length: Math.max(shard + 1, this.points.length) }, (_, other) =>
      other === shard ? point : this.of(other),
    );
    if (known === null) this.writeNow(points);
    else this.writeSoon();
    this.points = points;
    return true;
  }

  /** Tries to write pending changes. Nothing is written afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.writing;
    if (this.changed) await this.write();
  }

  private writeNow(points: readonly (LogPoint | null)[]): void {
    try {
      writeSafely(this.path, textOf(points));
    } catch (error) {
      this.onUnwritten((error as Error).message);
      this.writeSoon();
    }
  }

  private writeSoon(): void {
    this.changed = true;
    if (this.closed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.writing = (this.writing ?? Promise.resolve()).then(() => this.write());
    }, WRITE_AFTER_MS).unref();
  }

  /** As `writeSafely`, without blocking the shard. */
  private async write(): Promise<void> {
    this.changed = false;
    const draft = `${this.path}.later`;
    try {
      const file = await fs.open(draft, 'w');
      try {
        await file.writeFile(textOf(this.points));
        await file.sync();
      } finally {
        await file.close();
      }
      await fs.rename(draft, this.path);
    } catch (error) {
      this.onUnwritten((error as Error).message);
    }
  }
}

const textOf = (points: readonly (LogPoint | null)[]): string => `${JSON.stringify(points)}\n`;

const isLater = (point: LogPoint, other: LogPoint): boolean =>
  point.incarnation > other.incarnation || (point.incarnation === other.incarnation && point.position > other.position);

function read(path: string): (LogPoint | null)[] {
  const text = readText(path);
  if (text === undefined) return [];
  try {
    const points = JSON.parse(text) as unknown;
    if (Array.isArray(points)) return points.map(pointOf);
  } catch {
    // thrown below
  }
  throw new LogDamaged(
    path,
    0,
    'it does not say which logs the shards of the cluster keep: it may be removed; then it goes unnoticed if another shard has lost its own',
  );
}

function pointOf(value: unknown): LogPoint | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return { log: value, incarnation: 0, position: 0 }; // older files contain only the log's id
  const { log, incarnation, position } = value as LogPoint;
  if (typeof log !== 'string' || !Number.isSafeInteger(incarnation) || !Number.isSafeInteger(position))
    throw new Error('not a point in a log');
  return { log, incarnation, position };
}

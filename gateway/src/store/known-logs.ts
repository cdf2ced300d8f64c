// How far the log of each other shard had come when that shard last said so: `logs.json` in the data directory, a LogPlace or null for each shard.
// A shard that comes back with another log, or with one that ends before that, has lost what the others hold the other half of: its disk
// was replaced, its directory was put back to an older state, or a backup was restored for it alone. It must not meet them (agreement.ts).
import { promises as fs } from 'node:fs';
import type { LogPlace } from '../log/lineage.ts';
import { LogDamaged } from '../log/log.ts';
import { knownLogsFile } from './data-dir.ts';
import { readText, writeSafely } from './safe-file.ts';

/** A log that is not known yet is noted at once; how far a known one has come, so much later. */
const NOTE_AFTER_MS = 1_000;

export class KnownLogs {
  private readonly path: string;
  private readonly onUnwritten: (why: string) => void;
  private places: readonly (LogPlace | null)[];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private changed = false;
  private closed = false;

  /** Throws LogDamaged. */
  constructor(dataDir: string, shards: number, onUnwritten: (why: string) => void) {
    this.path = knownLogsFile(dataDir);
    this.onUnwritten = onUnwritten;
    this.places = read(this.path, shards);
  }

  of(shard: number): LogPlace | null {
    return this.places[shard] ?? null;
  }

  /** That shard itself says so. False: it has another log than the one that is known, and nothing is noted. */
  learn(shard: number, place: LogPlace): boolean {
    const known = this.of(shard);
    if (known !== null && known.log !== place.log) return false;
    if (known !== null && !isLater(place, known)) return true;
    const places = this.places.with(shard, place);
    if (known === null) this.writeNow(places);
    else this.writeSoon();
    this.places = places;
    return true;
  }

  /** What has been learned is written, if the disk lets it. Nothing is noted afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.writing;
    if (this.changed) await this.write();
  }

  private writeNow(places: readonly (LogPlace | null)[]): void {
    try {
      writeSafely(this.path, textOf(places));
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
    }, NOTE_AFTER_MS).unref();
  }

  /** As `writeSafely`, without holding up the shard. */
  private async write(): Promise<void> {
    this.changed = false;
    const draft = `${this.path}.later`;
    try {
      const file = await fs.open(draft, 'w');
      try {
        await file.writeFile(textOf(this.places));
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

const textOf = (places: readonly (LogPlace | null)[]): string => `${JSON.stringify(places)}\n`;

const isLater = (one: LogPlace, other: LogPlace): boolean =>
  one.incarnation > other.incarnation || (one.incarnation === other.incarnation && one.position > other.position);

function read(path: string, shards: number): (LogPlace | null)[] {
  const text = readText(path);
  if (text === undefined) return new Array<null>(shards).fill(null);
  try {
    const places = JSON.parse(text) as unknown;
    if (Array.isArray(places) && places.length === shards) return places.map(placeOf);
  } catch {
    // told below
  }
  throw new LogDamaged(
    path,
    0,
    'it does not say which logs the shards of the cluster keep: it may be removed; then it goes unnoticed if another shard has lost its own',
  );
}

function placeOf(value: unknown): LogPlace | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return { log: value, incarnation: 0, position: 0 }; // as it was noted before positions were
  const { log, incarnation, position } = value as LogPlace;
  if (typeof log !== 'string' || !Number.isSafeInteger(incarnation) || !Number.isSafeInteger(position))
    throw new Error('not a place in a log');
  return { log, incarnation, position };
}

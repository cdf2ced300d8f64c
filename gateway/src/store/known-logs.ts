// Which log each shard of the cluster keeps, as far as this shard has heard: `logs.json` in its data directory, written when it first hears of
// one. A shard that comes back with another log than the others know has lost what they hold the other half of: its disk was
// replaced, or a backup was restored for it alone. Such ones must not meet (agreement.ts).
import { join } from 'node:path';
import { LogDamaged } from '../log/log.ts';
import { readText, writeSafely } from './safe-file.ts';

const FILE = 'logs.json';

export class KnownLogs {
  private readonly path: string;
  /** by shard; empty: not heard of */
  private readonly ids: string[];

  /** `own`: this shard's log. Throws LogDamaged. */
  constructor(dataDir: string, { shard, shards, own }: { shard: number; shards: number; own: string }) {
    this.path = join(dataDir, FILE);
    this.ids = read(this.path, shards);
    this.ids[shard] = own;
  }

  get all(): readonly string[] {
    return this.ids;
  }

  /** That shard itself says so. Throws where it cannot be written. */
  learn(shard: number, id: string): void {
    if (id === '' || this.ids[shard] === id) return;
    writeSafely(this.path, `${JSON.stringify(this.ids.with(shard, id))}\n`);
    this.ids[shard] = id;
  }
}

function read(path: string, shards: number): string[] {
  const none = new Array<string>(shards).fill('');
  const text = readText(path);
  if (text === undefined) return none;
  try {
    const ids = JSON.parse(text) as unknown;
    if (Array.isArray(ids) && ids.length === shards && ids.every((id) => typeof id === 'string')) return ids;
  } catch {
    // told below
  }
  throw new LogDamaged(path, 0, 'it does not say which logs the shards of the cluster keep: it may be removed; then it goes unnoticed if another shard has lost its own');
}

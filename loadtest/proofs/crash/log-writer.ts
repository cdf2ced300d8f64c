// A process that writes a log until it is killed: entries, and sometimes a checkpoint. All contents are derived from their
// position, so that a reader of the log knows what must be there. On its output the process reports `ready <position>`, `durable
// <position>`, `sealed <position>`, `trouble <kind>` and `well`.
import type { Log } from '@claret/gateway/log/log.ts';
import { openLog } from '@claret/gateway/log/open-log.ts';
import { entry, keep, put, readAll, seal } from '@claret/gateway/log/sample.ts';

const UNDER_WAY_MAX = 3;
const ENTRIES_PER_CHECKPOINT = 60;

/** These pairs hold the position of the checkpoint that wrote them; the last one is written with the seal. */
export const CHECKPOINT_KEYS = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
export const SEAL_KEY = 'h';

export const entryAt = (position: number): Uint8Array => entry(position, 10 + ((position * 37) % 900));
export const entriesTo = (first: number, last: number): Buffer =>
  Buffer.concat(Array.from({ length: last - first + 1 }, (_, n) => entryAt(first + n)));

const tell = (text: string): void => void process.stdout.write(`${text}\n`);

async function begin(dir: string): Promise<{ log: Log; position: number }> {
  const { log, kept } = await openLog({
    dir,
    clusterName: 'crash',
    shard: 0,
    shards: 1,
    incarnation: Math.floor(Date.now() / 1000),
    durability: 'sync',
    onTrouble: (trouble) => tell(trouble === null ? 'well' : `trouble ${trouble.kind}`),
  });
  const { pairs, count } = await readAll(kept);
  return { log, position: Number(pairs[SEAL_KEY] ?? 0) + count };
}

async function write(dir: string): Promise<void> {
  const { log, position } = await begin(dir);
  tell(`ready ${position}`);
  let [last, underWay, checkpointed] = [position, 0, position];
  let checkpointing = false;
  const checkpoint = async (): Promise<void> => {
    checkpointing = true;
    checkpointed = last;
    const at = String(last);
    for (const key of CHECKPOINT_KEYS) await keep(log, put(key, at));
    await seal(log, put(SEAL_KEY, at), Number(at));
    tell(`sealed ${at}`);
    checkpointing = false;
  };
  const more = (): void => {
    for (; underWay < UNDER_WAY_MAX; underWay++) {
      const first = last + 1;
      last += 1 + (last % 4);
      log.append(entriesTo(first, last), last, (durable) => {
        tell(`durable ${durable}`);
        underWay--;
        setImmediate(more);
      });
      if (last - checkpointed >= ENTRIES_PER_CHECKPOINT && !checkpointing) void checkpoint();
    }
  };
  more();
}

if (process.argv[1] === import.meta.filename) void write(process.argv[2]!);

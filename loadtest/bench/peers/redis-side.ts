// Redis as a peer, or Claret's Redis door: the point's data, and connections for each cell.

import { randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import { Rubis, type RubisMix } from '../../workloads/rubis.ts';
import type { Runner } from './cell.ts';
import type { CellQuestion, LoadQuestion } from './question.ts';
import { rawmixByBareMulti, rawmixByLua, rawmixByMulti, rawmixByWatch, type RawmixOnRedis } from './redis-rawmix.ts';
import { rubisByLua } from './redis-rubis-lua.ts';
import { rubisByWatch } from './redis-rubis-watch.ts';
import { RedisStore } from './redis-store.ts';
import type { WayName } from './ways.ts';

const RAWMIX: Partial<Record<WayName, RawmixOnRedis>> = {
  'redis MULTI': rawmixByMulti,
  'redis MULTI bare': rawmixByBareMulti,
  'redis Lua': rawmixByLua,
  'redis WATCH': rawmixByWatch,
  'claret door MULTI': rawmixByMulti,
  'claret door WATCH': rawmixByWatch,
  'redis WATCH pooled': rawmixByWatch,
};

/** Loads the point's data. Resolves to a factory of runners. */
export async function redisSide(
  port: number,
  { point, seed, rubis_items }: LoadQuestion,
): Promise<(cell: CellQuestion) => Promise<Runner>> {
  let cells = 0;
  let rubis: Rubis<RedisStore> | null = null;
  if (point.workload !== 'rawmix') {
    rubis = new Rubis({ mix: point.name as RubisMix, items: rubis_items }, randomFrom(seed), rubisByLua);
    const store = await RedisStore.connect({ port });
    await rubis.load(store);
    await store.close();
  }
  return async ({ way, clients, pool, backoff_ms_max }) => {
    const store = await RedisStore.connect({
      port,
      backoff_ms_max,
      isolated: isolatedFor(way, clients, pool),
      isBare: way === 'redis MULTI bare',
    });
    const runner = (run: () => Promise<void>, mismatches: () => Promise<string[]>, clear: () => Promise<unknown>): Runner => ({
      run: () => run().then(() => true),
      aborts: () => store.aborts,
      mismatches,
      close: async () => {
        await clear();
        await store.close();
      },
    });
    if (point.workload !== 'rawmix') {
      rubis!.site = way === 'redis Lua' ? rubisByLua : rubisByWatch;
      return runner(
        () => rubis!.run(store),
        () => rubis!.mismatches(store),
        async () => {},
      );
    }
    const { alpha, update } = point;
    const rawmix = new Rawmix({ alpha, update, name: `redis${cells++}` }, randomFrom(seed));
    const run = RAWMIX[way]!;
    return runner(
      async () => {
        const drawn = rawmix.draw(store);
        await run(store, drawn.operations);
        rawmix.committed(drawn);
      },
      () => rawmix.mismatches(store),
      () => store.shared.flushAll(),
    );
  };
}

function isolatedFor(way: WayName, clients: number, pool: number): number {
  if (way === 'redis WATCH' || way === 'claret door WATCH') return clients;
  return way === 'redis WATCH pooled' ? Math.min(clients, pool) : 0;
}

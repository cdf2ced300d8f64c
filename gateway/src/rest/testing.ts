// Set-up for tests of the examples of "Read, decide, write" (docs/clients.md): two gateways, and a program that bids.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startCluster } from '../testing/cluster.ts';

export const docs = new URL('../../../docs/', import.meta.url);
export const example = (file: string): string => fileURLToPath(new URL(`examples/${file}`, docs));
export const isThere = (program: string, asks: string): boolean => spawnSync(program, [asks]).status === 0;

export async function startBidding() {
  const cluster = await startCluster(2);
  const run = async (program: string, words: readonly string[], gateway = 0): Promise<string> => {
    const env = { ...process.env, CLARET_GATEWAY: cluster.gateways[gateway]!.member.rest };
    return (await promisify(execFile)(program, words, { env })).stdout;
  };
  const read = async (key: string, type: string, operation: string): Promise<unknown> =>
    (await cluster.gateways[0]!.rest.inject(`/v1/records/${key}?type=${type}&operation=${operation}`)).json().value;
  async function clear(): Promise<void> {
    const operations = ['item:7', 'item:7:bids'].map((key) => ({ key, type: 'Record', operation: 'delete' }));
    await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations } });
  }
  return {
    cluster,
    /** Resolves with what the program prints, which is told that gateway. */
    run,
    clear,
    /** Two bids, one after the other, and then six at once: what the program says of them, and what is stored afterwards. */
    async bids(program: string, ...words: string[]) {
      await clear();
      const place = async (offer: number, gateway: number) => (await run(program, [...words, `${offer}`], gateway)).trim();
      const first = [await place(10, 0), await place(10, 1)];
      const atOnce = await Promise.all([14, 12, 16, 11, 15, 13].map((offer, i) => place(offer, i % 2)));
      const wins = atOnce.filter((word) => word === 'highest').length;
      return {
        first,
        best: atOnce[2],
        wins,
        highest: await read('item:7', 'Register', 'get'),
        counted: await read('item:7:bids', 'Counter', 'value'),
      };
    },
  };
}

export type Bidding = Awaited<ReturnType<typeof startBidding>>;

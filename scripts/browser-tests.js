// Playwright's global set-up: a cluster of two shards and two auction servers on free ports with the small data set.
// Tests find it in the environment: CLARET_TEST_AUCTIONS and CLARET_TEST_GATEWAYS, base URLs separated by commas.
import { startCluster } from './cluster.js';

export default async function setUp() {
  const cluster = await startCluster({
    shards: 2, auctionServers: 2, profile: 'small',
    auctionFlags: ['--auction-seconds-min', '1'],
    onLine: (server, line) => console.error(`[${server}] ${line}`),
  });
  process.env.CLARET_TEST_AUCTIONS = cluster.auctions.map(({ url }) => url).join(',');
  process.env.CLARET_TEST_GATEWAYS = cluster.gateways.map(({ rest }) => rest).join(',');
  return () => cluster.stop();
}

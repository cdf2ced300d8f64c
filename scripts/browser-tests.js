// Playwright's global set-up: a cluster of two shards and two app servers of each site on free ports, with small data sets. Tests
// read its addresses from the environment: CLARET_TEST_AUCTIONS, CLARET_TEST_TIMELINES and CLARET_TEST_GATEWAYS, base URLs
// separated by commas.
import { startCluster } from './cluster.js';

export default async function setUp() {
  const cluster = await startCluster({
    shards: 2,
    auctionServers: 2,
    timelineServers: 2,
    profile: 'small',
    graphScale: 9,
    dashboard: true,
    // The dashboard shows one moment of each second, since motion is reduced: a wait behind a frozen client must span some.
    gatewayFlags: ['--warranty-term-ms', '5000', '--past-ms', '600000'],
    auctionFlags: ['--auction-seconds-min', '1'],
    registrationsPerHour: 100_000,
    onLine: (server, line) => console.error(`[${server}] ${line}`),
  });
  process.env.CLARET_TEST_AUCTIONS = cluster.auctions.map(({ url }) => url).join(',');
  process.env.CLARET_TEST_TIMELINES = cluster.timelines.map(({ url }) => url).join(',');
  process.env.CLARET_TEST_GATEWAYS = cluster.gateways.map(({ rest }) => rest).join(',');
  return () => cluster.stop();
}

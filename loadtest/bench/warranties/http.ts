// Pages behind a cache: visitors come to a quiet auction and to hot ones, by way of nginx before two app servers of the auction site. How many
// requests reach the site, and does an answer ever show less than was acknowledged before its request?

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@claret/client';
import { ensureK6 } from '../../../scripts/setup/k6.js';
import type { Cluster } from '../../../scripts/cluster.js';
import { conditionNamed, WARRANTED } from '../../kit/conditions.ts';
import { cpuUsOf } from '../../kit/cpu.ts';
import type { Progress } from '../../kit/progress.ts';
import { randomApart } from '../../kit/random.ts';
import { median, quantile } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import { Mismatch } from '../paper/mismatch.ts';
import { Bidding } from './bidding.ts';
import { isNginxThere, Nginx, type Served } from './nginx.ts';
import { verdictText } from './report.ts';
import { visitByK6, visitFromHere, type Visit, type Visiting } from './visits.ts';

const APP_SERVERS = 2;
const SHARDS = 2;
const QUIET = 0;
const QUIET_PER_S = 200;
const HOT_PER_S = 50;
/** Caches keep an answer for seconds, so a span has to be longer than those of other parts. */
const SPAN_FACTOR = 4;
/** k6 takes its time to start. */
const WARM_S = 3;
const TIMEOUT_MS = 30_000;
/** A bid waits for as long as caches may keep what it changes: 3 s (`warrantyFirmMsMax`), and a margin. */
const BID_MOST_MS = 3_500;
const CONDITIONS = ['off', 'auto'] as const;
const WAYS = ['quiet page', 'hot auctions'] as const;

type Condition = (typeof CONDITIONS)[number];
type Way = (typeof WAYS)[number];

export interface HttpRow {
  part: 'http';
  condition: Condition;
  way: Way;
  shards: number;
  users: number;
  /** requests */
  txn_per_s: number;
  over_off: number;
  /** requests that reach the site, per request */
  messages_per_txn: number;
  /** answers that show less than was acknowledged when their request began, and requests that were not answered with the page */
  stale: number;
  failed: number;
  read_p50_ms: number;
  read_p99_ms: number;
  /** of both pages together; null: nobody bids on this page */
  write_mean_ms: number | null;
  write_max_ms: number | null;
  /** CPU time of the app servers per request, of both pages together */
  site_us_per_txn: number;
}

interface Round {
  seconds: number;
  visits: Visit[];
  served: Served[];
  bid_ms: number[];
  site_us: number;
}

type Load = (visiting: Visiting, folder: string) => Promise<Visit[]>;

async function loadOf(progress: Progress): Promise<Load> {
  try {
    const k6 = await ensureK6();
    return (visiting, folder) => visitByK6(k6, visiting, folder);
  } catch (error) {
    progress.say(`http: visits come from here, since there is no k6: ${(error as Error).message}`);
    return visitFromHere;
  }
}

class Site {
  readonly #cluster: Cluster;
  readonly #bidding: Bidding;
  readonly #nginx: Nginx;
  readonly #load: Load;
  readonly #folder: string;

  constructor(cluster: Cluster, { bidding, nginx, load, folder }: { bidding: Bidding; nginx: Nginx; load: Load; folder: string }) {
    this.#cluster = cluster;
    this.#bidding = bidding;
    this.#nginx = nginx;
    this.#load = load;
    this.#folder = folder;
  }

  async round(warranties: Condition, seconds: number): Promise<Round> {
    await setConditions(this.#cluster, { ...conditionNamed(WARRANTED.name), warranties });
    const folder = mkdtempSync(join(this.#folder, 'visits-'));
    const hot = this.#bidding.item_ids.map((_, page) => page).filter((page) => page !== QUIET);
    const visiting = {
      urls: this.#bidding.item_ids.map((item_id) => this.#nginx.url + pathOf(item_id)),
      streams: [
        { pages: [QUIET], per_s: QUIET_PER_S },
        { pages: hot, per_s: HOT_PER_S },
      ],
      seconds: WARM_S + seconds,
    };
    const end = new AbortController();
    const bids = this.#bidding.run(end.signal);
    const visits = this.#load(visiting, folder);
    let span: { from_ms: number; until_ms: number; site_us: number };
    let all: Visit[];
    try {
      [span, all] = await Promise.all([this.#span(seconds), visits]);
    } finally {
      end.abort();
      await bids;
    }
    const { from_ms, until_ms, site_us } = span;
    const within = (at_ms: number) => at_ms >= from_ms && at_ms < until_ms;
    return {
      seconds,
      visits: all.filter(({ began_ms }) => within(began_ms)),
      served: this.#nginx.served().filter(({ at_ms }) => within(at_ms)),
      bid_ms: this.#bidding.timesWithin(from_ms, until_ms),
      site_us,
    };
  }

  async #span(seconds: number): Promise<{ from_ms: number; until_ms: number; site_us: number }> {
    const siteUs = () => this.#cluster.auctions.reduce((sum, { pid }) => sum + cpuUsOf(pid), 0);
    await sleep(1_000 * WARM_S);
    const [from_ms, before_us] = [Date.now(), siteUs()];
    await sleep(1_000 * seconds);
    return { from_ms, until_ms: Date.now(), site_us: siteUs() - before_us };
  }
}

const pathOf = (item_id: string): string => `/public/items/${item_id}`;

function rowOf(
  condition: Condition,
  way: Way,
  rounds: readonly Round[],
  { bidding, off }: { bidding: Bidding; off: readonly Round[] },
): HttpRow {
  const isOf = (page: number) => (page === QUIET) === (way === 'quiet page');
  const visitsOf = ({ visits }: Round) => visits.filter(({ page }) => isOf(page));
  const paths = new Set(bidding.item_ids.filter((_, page) => isOf(page)).map(pathOf));
  const atOrigin = ({ served }: Round) => {
    const own = served.filter(({ path }) => paths.has(path));
    return own.filter((one) => one.atOrigin).length / own.length;
  };
  const speed = (round: Round) => visitsOf(round).length / round.seconds;
  const all = rounds.flatMap(visitsOf);
  const took = (share: number) =>
    median(
      rounds.map((round) =>
        quantile(
          visitsOf(round).map(({ took_ms }) => took_ms),
          share,
        ),
      ),
    );
  const bids = way === 'quiet page' ? [] : rounds.flatMap(({ bid_ms }) => bid_ms);
  return {
    part: 'http',
    condition,
    way,
    shards: SHARDS,
    users: 0,
    txn_per_s: median(rounds.map(speed)),
    over_off: median(rounds.map((round, i) => speed(round) / speed(off[i]!))),
    messages_per_txn: median(rounds.map(atOrigin)),
    stale: all.filter(({ page, began_ms, bids: shown }) => shown !== null && shown < bidding.before(page, began_ms)).length,
    failed: all.filter(({ status }) => status !== 200).length,
    read_p50_ms: took(0.5),
    read_p99_ms: took(0.99),
    write_mean_ms: bids.length === 0 ? null : bids.reduce((sum, ms) => sum + ms, 0) / bids.length,
    write_max_ms: bids.length === 0 ? null : Math.max(...bids),
    site_us_per_txn: median(rounds.map(({ site_us, visits }) => site_us / visits.length)),
  };
}

/** Throws `Mismatch` if an answer was stale, or the auctions do not have the bids that were acknowledged. Empty: there is no nginx. */
export async function measureHttp(options: { rounds: number; seconds: number; seed: number; progress: Progress }): Promise<HttpRow[]> {
  const { rounds, seconds, seed, progress } = options;
  if (!isNginxThere()) {
    progress.say('http: left out, since there is no nginx (Debian: nginx-light)');
    return [];
  }
  const load = await loadOf(progress);
  const folder = mkdtempSync(join(tmpdir(), 'claret-http-'));
  let rows: HttpRow[] = [];
  const work = async (cluster: Cluster) => {
    const claret = await connect({ addresses: cluster.gateways.map(({ grpc }) => grpc), name: 'bidder', timeoutMs: TIMEOUT_MS });
    const bidding = await Bidding.open(claret, randomApart(seed, 0));
    const origins = cluster.auctions.map(({ url }) => url);
    const nginx = await Nginx.start(folder, origins, pathOf(bidding.item_ids[QUIET]!));
    try {
      const site = new Site(cluster, { bidding, nginx, load, folder });
      const measured: Record<Condition, Round[]> = { off: [], auto: [] };
      for (let round = 0; round < rounds; round++) {
        for (const condition of CONDITIONS) {
          progress.show(`http: ${condition}, round ${round + 1} of ${rounds}`, 'http');
          measured[condition].push(await site.round(condition, SPAN_FACTOR * seconds));
        }
      }
      rows = CONDITIONS.flatMap((condition) =>
        WAYS.map((way) => rowOf(condition, way, measured[condition], { bidding, off: measured.off })),
      );
      const mismatches = await bidding.mismatches();
      if (mismatches.length > 0) throw new Mismatch(`http: ${mismatches[0]}`);
    } finally {
      await nginx.stop();
      await claret.close();
    }
  };
  try {
    await withCluster(SHARDS, {}, work, { auctionServers: APP_SERVERS, auctionFlags: ['--proxies', '127.0.0.1'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(rows, progress);
  const stale = rows.reduce((sum, row) => sum + row.stale, 0);
  if (stale > 0) throw new Mismatch(`http: ${stale} answers showed less than had been acknowledged before`);
  return rows;
}

function say(rows: readonly HttpRow[], progress: Progress): void {
  const lines = rows.map((row) => [
    `${row.condition}, ${row.way}`,
    row.txn_per_s.toFixed(0),
    `${(100 * row.messages_per_txn).toFixed(2)} %`,
    String(row.stale),
    String(row.failed),
    [row.read_p50_ms, row.read_p99_ms].map((ms) => ms.toFixed(2)).join(', '),
    [row.write_mean_ms, row.write_max_ms].map((ms) => ms?.toFixed(1) ?? '').join(', '),
    row.site_us_per_txn.toFixed(0),
  ]);
  const titles = ['http', 'requests/s', 'reach the site', 'stale', 'failed', 'p50, p99 ms', 'bid mean, max ms', 'site µs/request'];
  progress.say(`\n${table(titles, lines)}\n`);
  const quiet = rows.find(({ condition, way }) => condition === 'auto' && way === 'quiet page')!;
  progress.say(verdictText({ what: "share of the quiet page's requests that reach the site", value: quiet.messages_per_txn, most: 0.02 }));
  const hot = rows.find(({ condition, way }) => condition === 'auto' && way === 'hot auctions')!;
  progress.say(verdictText({ what: 'longest bid, in ms', value: hot.write_max_ms ?? Number.NaN, most: BID_MOST_MS }));
  progress.say(verdictText({ what: 'stale answers', value: rows.reduce((sum, row) => sum + row.stale, 0), most: 0 }));
}

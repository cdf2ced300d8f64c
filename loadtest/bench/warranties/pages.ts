// Pages of the sites, forty that only read for each that changes something: what the paper measured with its course management system (Liu et
// al., section 7). A page has one transaction or several, as the site makes them.

import type { Claret } from '@claret/client';
import { kronecker } from '../../../apps/retwis/server/data/graph.ts';
import { randomFrom } from '../../kit/random.ts';
import type { RetwisKind } from '../../workloads/retwis-mixes.ts';
import { Retwis } from '../../workloads/retwis.ts';
import { Rubis, type RubisKind } from '../../workloads/rubis.ts';
import type { DriverTotals, LoadQuestion } from './question.ts';
import type { Workload } from './workload.ts';

interface Site<Kind> {
  draw(): Kind;
  run(claret: Claret, kind: Kind): Promise<void>;
  mismatches(claret: Claret): Promise<string[]>;
}

const MIX = '40:1';
const LOOKS = ['view_auction', 'browse', 'view_user', 'timeline'];

/** REQUIRES: there is one driver, since the check of a site knows only what it was told itself. */
class Pages<Kind extends string> implements Workload {
  readonly isPages = true;
  readonly totals: DriverTotals = {};
  readonly #claret: Claret;
  readonly #site: Site<Kind>;
  readonly #load: () => Promise<void>;

  constructor(claret: Claret, site: Site<Kind>, load: () => Promise<void>) {
    this.#claret = claret;
    this.#site = site;
    this.#load = load;
  }

  load(): Promise<void> {
    return this.#load();
  }

  async run(): Promise<boolean> {
    const kind = this.#site.draw();
    await this.#site.run(this.#claret, kind);
    return !LOOKS.includes(kind);
  }

  mismatches(): Promise<string[]> {
    return this.#site.mismatches(this.#claret);
  }
}

export function auctionPages(claret: Claret, { rubis_items: items, seed }: LoadQuestion): Workload {
  const rubis = new Rubis({ mix: MIX, items }, randomFrom(seed));
  return new Pages<RubisKind>(claret, rubis, () => rubis.load(claret));
}

export function timelinePages(claret: Claret, { retwis_scale, seed }: LoadQuestion): Workload {
  const graph = kronecker(retwis_scale, randomFrom(seed));
  return new Pages<RetwisKind>(claret, new Retwis(graph, MIX, randomFrom(seed)), () => Retwis.load(claret, graph));
}

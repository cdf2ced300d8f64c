// The people of the data set: generated names that belong to no real person. Their ids are u1, u2, …; the site's own ids contain a hyphen.
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import type { Random } from '@claret/site/data/random.ts';

import { REGIONS } from './regions.ts';
import { NAME_FIRST, NAME_SECOND } from './vocabulary.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MEMBER_DAYS_MAX = 1_000;
// All people registered before the first auction of the data set opened.
const MEMBER_DAYS_MIN = 60;

export type SeedUser = { id: string; nickname: string; region_id: string; created_in_ms: number };

export function makeUsers(count: number, random: Random): SeedUser[] {
  const pairs = random.shuffle(NAME_FIRST.flatMap((first) => NAME_SECOND.map((second) => `${first}_${second}`)));
  return Array.from({ length: count }, (_, i) => ({
    id: `u${i + 1}`,
    nickname: nickname(i, pairs),
    region_id: random.pick(REGIONS).id,
    created_in_ms: -Math.floor((MEMBER_DAYS_MIN + random.fraction() * (MEMBER_DAYS_MAX - MEMBER_DAYS_MIN)) * DAY_MS),
  }));
}

function nickname(index: number, pairs: readonly string[]): string {
  const demo = DEMO_NAMES[index];
  if (demo !== undefined) return demo;
  const round = Math.floor(index / pairs.length);
  return `${pairs[index % pairs.length]}${round === 0 ? '' : round + 1}`;
}

// Timelines: an entry that the storm has put on a person's page is, with the same time, on that person's timeline and on the
// timelines of all who followed then. A timeline has no entry that is not on the page of a followed person.
//
// Present followers followed then, except those who began during the storm according to the ledger. If their follow was
// acknowledged before the entry was made, they must have the entry; otherwise each entry that they have must be correct. Each
// timeline is read once; a suspicious entry is read again atomically with all related records, and reported only if it is still
// wrong.

import { TIMELINE_MAX, key, parseEntry, scoreAt, timeOf } from '../../../../apps/retwis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import type { TimelinesStorm } from './pages.ts';
import type { Room } from './room.ts';
import type { Entry } from '../../../kit/store.ts';

interface Suspicion {
  entry_id: string;
  /** the person who posted or reposted it; null: unknown */
  by: string | null;
}

export const timelines: Room<TimelinesStorm> = async (storm) => {
  const findings = new Findings('timelines');
  const sources = await readSources(storm);
  const readers = [...sources.keys()];
  const began_ms = followsBegan(storm);
  const authors = authorsOf(storm);
  let next = 0;
  for await (const [, entries] of storm.store.lists(readers.map(key.timeline), { max: scoreAt(storm.before.at_ms) })) {
    const reader = readers[next++]!;
    const owed = owedTo(reader, sources.get(reader)!, storm, began_ms);
    const suspicions = suspicious(entries, owed, authors);
    if (suspicions.length > 0) await judge(storm, reader, suspicions, owed, findings);
  }
  return findings;
};

/** By reader: the people with new entries whom they follow, and themselves. */
async function readSources({ store, pages, data }: TimelinesStorm): Promise<Map<string, string[]>> {
  const sources = new Map<string, string[]>([...data.timeline_people.map(({ id }) => id), ...data.followers_of_hot].map((id) => [id, []]));
  const add = (reader: string, source: string): void => {
    const known = sources.get(reader);
    if (known === undefined) sources.set(reader, [source]);
    else known.push(source);
  };
  const busy = [...pages.keys()];
  let next = 0;
  for await (const [, followers] of store.sets(busy.map(key.followers))) {
    const source = busy[next++]!;
    add(source, source);
    for (const follower of followers) add(follower, source);
  }
  return sources;
}

const pairOf = (follower: string, followed: string): string => `${follower} ${followed}`;

/** On a busy machine, k6 may start to measure a request this long after the time that it records. */
const MEASURED_LATE_MS = 1_000;

/** For follows begun during the storm: the time from which they are certain; infinite: they may have begun at any time. */
function followsBegan({ writes, ids, before }: TimelinesStorm): ReadonlyMap<string, number> {
  const began_ms = new Map<string, number>();
  for (const { person_id, facts, certain, ended_ms } of writes.follow) {
    const followed = ids.get(facts.who.toLowerCase()) ?? '';
    if (before.following.get(person_id)?.has(followed) === true) continue;
    const pair = pairOf(person_id, followed);
    began_ms.set(pair, Math.min(began_ms.get(pair) ?? Infinity, certain ? ended_ms + MEASURED_LATE_MS : Infinity));
  }
  return began_ms;
}

/** The authors of the posts on pages. */
function authorsOf({ pages }: TimelinesStorm): ReadonlyMap<string, string> {
  const authors = new Map<string, string>();
  for (const [person_id, page] of pages) {
    for (const entry_id of page.keys()) if (parseEntry(entry_id).reposter_id === null) authors.set(entry_id, person_id);
  }
  return authors;
}

/** by entry: its time, its person, and whether it must be there */
type Owed = Map<string, { at_ms: number; by: string; must: boolean }>;

function owedTo(reader: string, sources: readonly string[], { pages }: TimelinesStorm, began_ms: ReadonlyMap<string, number>): Owed {
  const owed: Owed = new Map();
  for (const by of sources) {
    const since_ms = by === reader ? undefined : began_ms.get(pairOf(reader, by));
    for (const [entry_id, at_ms] of pages.get(by) ?? [])
      owed.set(entry_id, { at_ms, by, must: since_ms === undefined || since_ms < at_ms });
  }
  return owed;
}

function suspicious(entries: readonly Entry[], owed: Owed, authors: ReadonlyMap<string, string>): Suspicion[] {
  const found = new Set<string>();
  const suspicions: Suspicion[] = [];
  for (const [entry_id, score] of entries) {
    found.add(entry_id);
    const known = owed.get(entry_id);
    if (known !== undefined && known.at_ms === timeOf(score)) continue;
    suspicions.push({ entry_id, by: known?.by ?? parseEntry(entry_id).reposter_id ?? authors.get(entry_id) ?? null });
  }
  for (const [entry_id, { by, must }] of owed) if (must && !found.has(entry_id)) suspicions.push({ entry_id, by });
  return suspicions;
}

async function judge(
  { store, writes }: TimelinesStorm,
  reader: string,
  suspicions: Suspicion[],
  owed: Owed,
  findings: Findings,
): Promise<void> {
  const { on } = store;
  const timeline = on.scoredSet(key.timeline(reader));
  const posts = suspicions.filter(({ by }) => by === null);
  const infos = await store.all(posts.map(({ entry_id }) => on.dict(key.post_info(entry_id)).get('author_id')));
  posts.forEach((suspicion, i) => (suspicion.by = infos[i]![0] === null ? null : String(infos[i]![0])));
  // Readers' requests may have trimmed entries older than the limit; undos may have removed others since.
  const last_kept = Math.max(0, TIMELINE_MAX - 1 - writes.unrepost.length);
  const states = await store.atOnce(
    suspicions.map(({ entry_id, by }) => [
      timeline.score(entry_id),
      on.scoredSet(key.posts(by ?? reader)).score(entry_id),
      on.set(key.followers(by ?? reader)).contains(reader),
      timeline.range(last_kept, last_kept),
    ]),
  );
  suspicions.forEach(({ entry_id, by }, i) => {
    const [there, page, follows, kept] = states[i] as [number | null, number | null, boolean, Entry[]];
    const record = key.timeline(reader);
    if (there === null) {
      const trimmed = page !== null && kept[0] !== undefined && kept[0][1] <= page;
      if (page !== null && owed.get(entry_id)?.must === true && !trimmed)
        findings.add(record, `${entry_id}, which ${by} put on the own page`, 'nothing');
    } else if (page === null || by === null) {
      findings.add(record, 'what stands on the page of one who is followed', `${entry_id}, which stands on no page`);
    } else if (page !== there) {
      findings.add(record, `${entry_id} at ${timeOf(page)}, as on the page of ${by}`, `it at ${timeOf(there)}`);
    } else if (by !== reader && !follows) {
      findings.add(record, 'what comes from those who are followed', `${entry_id} by ${by}, who is not`);
    }
  });
}

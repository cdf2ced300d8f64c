// The storm's entries on people's own pages of the timelines: posts and reposts since its start, with their times. The check
// compares the pages with the ledger, and the timelines with the pages.

import { key, scoreAt, timeOf } from '../../../../apps/retwis/server/model.ts';
import type { Storm } from './room.ts';

/** by person, then by entry: its time */
export type Pages = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface TimelinesStorm extends Storm {
  pages: Pages;
  /** by username in lower case; null: no such user */
  ids: ReadonlyMap<string, string | null>;
}

/** Everyone who may have posted or reposted: the storm's people, and everyone named in the ledger. */
export function writers({ data, writes }: Storm): string[] {
  const ids = [
    ...data.timeline_people.map(({ id }) => id),
    ...[writes.post, writes.repost, writes.unrepost].flat().map(({ person_id }) => person_id),
  ];
  return [...new Set(ids)];
}

export async function readPages(storm: Storm): Promise<Pages> {
  const { store, before } = storm;
  const people = writers(storm);
  const pages = new Map<string, Map<string, number>>();
  let next = 0;
  for await (const [, entries] of store.lists(people.map(key.posts), { max: scoreAt(before.at_ms) })) {
    const person_id = people[next++]!;
    if (entries.length > 0) pages.set(person_id, new Map(entries.map(([entry_id, score]) => [entry_id, timeOf(score)])));
  }
  return pages;
}

/** The ids of the people whom the ledger and StormData refer to by name. */
export async function readIds({ data, writes, store }: Storm): Promise<ReadonlyMap<string, string | null>> {
  const names = [
    ...new Set(
      [...writes.follow.map(({ facts }) => facts.who), ...(data.hot_post === null ? [] : [data.hot_post.author])].map((name) =>
        name.toLowerCase(),
      ),
    ),
  ];
  const found = await store.all(names.map((name) => store.on.register(key.username(name)).get()));
  return new Map(names.map((name, i) => [name, found[i] === null ? null : String(found[i])]));
}

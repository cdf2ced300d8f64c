// For tests: a model of the site, as simple as possible: everything is in plain arrays, which are searched each time.
import { LIMITS } from '../api.ts';
import { CATCH_UP_MAX, NEWEST_MAX, repostEntry, type EntryKey } from '../model.ts';

type Listed = EntryKey & { post_id: string; by: string };

export class Reference {
  readonly #posts: (EntryKey & { author: string })[] = [];
  /** [post, person] */
  #reposts: [string, string][] = [];
  /** [follower, followed] */
  #follows: [string, string][] = [];
  /** entries by the person on whose page, and on whose timeline, they are */
  readonly #pages = new Map<string, Listed[]>();
  readonly #timelines = new Map<string, Listed[]>();

  post(author: string, post_id: string, at_ms: number): number {
    this.#posts.push({ id: post_id, at_ms, author });
    return this.#spread(author, { id: post_id, at_ms, post_id, by: author });
  }

  repost(user: string, post_id: string, at_ms: number): number | 'already_reposted' | 'unknown_post' {
    if (!this.#posts.some(({ id }) => id === post_id)) return 'unknown_post';
    if (this.reposters(post_id).includes(user)) return 'already_reposted';
    this.#reposts.push([post_id, user]);
    return this.#spread(user, { id: repostEntry(post_id, user), at_ms, post_id, by: user });
  }

  undo(user: string, post_id: string): number | 'not_reposted' {
    if (!this.reposters(post_id).includes(user)) return 'not_reposted';
    this.#reposts = this.#reposts.filter(([post, by]) => post !== post_id || by !== user);
    const gone = repostEntry(post_id, user);
    const reached = [user, ...this.followers(user)];
    for (const lists of [this.#pages, this.#timelines]) {
      for (const reader of reached)
        lists.set(
          reader,
          of(lists, reader).filter(({ id }) => id !== gone),
        );
    }
    return reached.length - 1;
  }

  follow(follower: string, followed: string): null | 'already_following' | 'own_account' {
    if (follower === followed) return 'own_account';
    if (this.followers(followed).includes(follower)) return 'already_following';
    this.#follows.push([follower, followed]);
    for (const entry of ordered(of(this.#pages, followed)).slice(0, CATCH_UP_MAX)) this.#put(this.#timelines, follower, entry);
    return null;
  }

  unfollow(follower: string, followed: string): null | 'not_following' {
    if (!this.followers(followed).includes(follower)) return 'not_following';
    this.#follows = this.#follows.filter(([one, other]) => one !== follower || other !== followed);
    return null;
  }

  followers = (user: string): string[] =>
    this.#follows
      .filter(([, followed]) => followed === user)
      .map(([follower]) => follower)
      .toSorted();
  following = (user: string): string[] =>
    this.#follows
      .filter(([follower]) => follower === user)
      .map(([, followed]) => followed)
      .toSorted();
  reposters = (post_id: string): string[] =>
    this.#reposts
      .filter(([post]) => post === post_id)
      .map(([, user]) => user)
      .toSorted();

  /** The number of entries on the person's page. */
  count = (user: string): number => of(this.#pages, user).length;

  /** The ids on each page, from the first to the last. */
  timeline = (user: string): string[][] => pagesOf(of(this.#timelines, user));
  page = (user: string): string[][] => pagesOf(of(this.#pages, user));

  latest(): string[] {
    return ordered(this.#posts)
      .slice(0, NEWEST_MAX)
      .map(({ id }) => id);
  }

  #spread(by: string, entry: Listed): number {
    const followers = this.followers(by);
    this.#put(this.#pages, by, entry);
    for (const reader of [by, ...followers]) this.#put(this.#timelines, reader, entry);
    return followers.length;
  }

  #put(lists: Map<string, Listed[]>, reader: string, entry: Listed): void {
    lists.set(reader, [...of(lists, reader).filter(({ id }) => id !== entry.id), entry]);
  }
}

const of = (lists: ReadonlyMap<string, Listed[]>, reader: string): Listed[] => lists.get(reader) ?? [];

const ordered = <Item extends EntryKey>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (a.at_ms !== b.at_ms ? b.at_ms - a.at_ms : a.id < b.id ? -1 : 1));

function pagesOf(entries: readonly Listed[]): string[][] {
  const all = ordered(entries);
  const pages: string[][] = [];
  for (let first = 0; first === 0 || first < all.length; first += LIMITS.page_size) {
    const page = all.slice(first, first + LIMITS.page_size);
    pages.push(page.filter(({ post_id }, i) => page.findIndex((other) => other.post_id === post_id) === i).map(({ id }) => id));
  }
  return pages;
}

// Posts, most of them by people with many followers, and timelines. A visit requests what the site's first page does, in the same waves; its file
// and its live stream are left out.

import { mapAtOnce } from '../../kit/at-once.ts';
import { pick, zipfRank } from '../../kit/random.ts';
import { Ledger, type Verdict } from './ledger.ts';
import type { Action, Stage } from './stage.ts';
import type { Counts, Person, Visitors } from './visitors.ts';

const PEOPLE = 40;
/** Each person follows so many, by a Zipf distribution, which also draws the authors of posts. */
const FOLLOWED = 20;
const POSTS = 0.3;

export class TimelineStage implements Stage {
  readonly readers = null;
  readonly #visitors: Visitors;
  #ledger = new Ledger();
  #earlier = new Map<string, number>();

  private constructor(visitors: Visitors) {
    this.#visitors = visitors;
  }

  static async open(visitors: Visitors): Promise<TimelineStage> {
    await visitors.register(PEOPLE, (username) => ({ username }));
    await mapAtOnce(PEOPLE, async (number) => {
      const follower = visitors.people[number]!;
      const followed = new Set<number>();
      while (followed.size < FOLLOWED) {
        const rank = zipfRank(visitors.random, PEOPLE);
        if (rank !== number) followed.add(rank);
      }
      for (const rank of followed) await visitors.must('POST', `/api/users/${visitors.people[rank]!.name}/follow`, follower);
    });
    return new TimelineStage(visitors);
  }

  async begin(): Promise<void> {
    this.#ledger = new Ledger();
    const counts = await mapAtOnce(PEOPLE, (number) => this.#postsOf(this.#visitors.people[number]!.name));
    this.#earlier = new Map(this.#visitors.people.map(({ name }, i) => [name, counts[i]!]));
  }

  countIn(counts: Counts): void {
    this.#visitors.counts = counts;
  }

  draw(random: () => number): Action {
    const server = pick(random, this.#visitors.urls);
    const isPost = random() < POSTS;
    const person = isPost ? this.#visitors.people[zipfRank(random, PEOPLE)]! : pick(random, this.#visitors.people);
    if (isPost) return { kind: 'change', run: (onAnswer) => this.#post(person, onAnswer) };
    return { kind: 'page', run: (onAnswer) => this.#timeline(server, person).then(onAnswer) };
  }

  async end(): Promise<Verdict[]> {
    return Promise.all(
      this.#ledger.subjects.map(async (name) => {
        const shown = { count: await this.#postsOf(name), earlier: this.#earlier.get(name)!, highest: null };
        return this.#ledger.verdict(name, shown);
      }),
    );
  }

  #post(person: Person, onAnswer: () => void): Promise<void> {
    return this.#visitors.change({
      path: '/api/posts',
      person,
      body: { text: 'White and gold.' },
      onAnswer,
      note: ({ outcome, body }, { key, isAfter }) => {
        const id = outcome === 'accepted' ? (JSON.parse(body) as { entry: { post: { id: string } } }).entry.post.id : null;
        this.#ledger.note(person.name, key, { outcome, id, isAfter });
      },
    });
  }

  async #timeline(server: string, person: Person): Promise<void> {
    const look = (path: string) => this.#visitors.look(server, path, person);
    await look('/api/session');
    await Promise.all(['/api/conditions', '/api/trending', '/api/people', '/api/timeline'].map(look));
  }

  async #postsOf(name: string): Promise<number> {
    return (await this.#visitors.must<{ posts: number }>('GET', `/api/users/${name}`, null)).value.posts;
  }
}

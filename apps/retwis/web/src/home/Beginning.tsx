// An empty timeline: suggestions of people to follow, and trending posts.
import { EmptyState } from '@claret/ui/kit';
import { useQuery } from '@claret/ui/site';
import { Sprout } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { API } from '../api/paths.ts';
import { useTrending } from '../discover/useTrending.ts';
import { PersonRow } from '../people/PersonRow.tsx';
import { PostCard } from '../posts/PostCard.tsx';
import { useSession } from '../session.ts';
import styles from './Beginning.module.css';

const PEOPLE_SHOWN = 6;
const AUTHORS_SHOWN = 3;
const POSTS_SHOWN = 5;

export function Beginning() {
  return (
    <>
      <EmptyState icon={<Sprout size={26} />} title="Your timeline starts here">
        Follow a few people. You’ll see their latest posts right away, and new ones the moment they’re written.
      </EmptyState>
      <Suggestions />
      <OftenReposted />
    </>
  );
}

/** First the authors of trending posts, then the most followed of the newest people. */
function Suggestions() {
  const { user } = useSession();
  const { data: trending } = useTrending();
  const { data: newest } = useQuery<api.PeoplePage>(API.people);
  const authors = new Map(trending?.posts.map(({ author }) => [author.id, author.username]));
  authors.delete(user?.id ?? '');
  const famous = [...authors].slice(0, AUTHORS_SHOWN);
  const taken = new Set([user?.id, ...famous.map(([id]) => id)]);
  const others = newest?.people.filter(({ id }) => !taken.has(id)).toSorted((one, other) => other.followers - one.followers) ?? [];
  if (!newest || famous.length + others.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="suggested">
      <h2 id="suggested">People to follow</h2>
      <ul className={styles.people}>
        {famous.map(([id, username]) => (
          <AuthorRow key={id} username={username} />
        ))}
        {others.slice(0, PEOPLE_SHOWN - famous.length).map((person) => (
          <PersonRow key={person.id} person={person} read_at_ms={newest.server_time_ms} />
        ))}
      </ul>
    </section>
  );
}

function AuthorRow({ username }: { username: string }) {
  const { data } = useQuery<api.Profile>(API.user(username));
  if (!data) return null;
  const person = { ...data.user, followers: data.followers, followed: data.viewer?.follows ?? null };
  return <PersonRow person={person} read_at_ms={data.server_time_ms} />;
}

function OftenReposted() {
  const { data } = useTrending();
  if (!data || data.posts.length === 0) return null;
  return (
    <section aria-labelledby="reposted">
      <h2 id="reposted" className={styles.head}>
        Trending now
      </h2>
      <ol className={styles.posts}>
        {data.posts.slice(0, POSTS_SHOWN).map((post) => (
          <li key={post.id}>
            <PostCard post={post} read_at_ms={data.server_time_ms} />
          </li>
        ))}
      </ol>
    </section>
  );
}

import { EmptyState } from '@claret/ui/kit';
import { Repeat2 } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { API } from '../api/paths.ts';
import { PeopleList } from '../people/PeopleList.tsx';
import styles from './Reposters.module.css';

/** Who has reposted a post. */
export function Reposters({ post }: { post: api.PostView }) {
  const path = API.reposters(post.id);
  return (
    <section className={styles.section} aria-labelledby="reposters">
      <h2 id="reposters">Reposted by</h2>
      <PeopleList key={path} path={path} label="People who reposted this" empty={<NobodyYet author={post.author} />} />
    </section>
  );
}

function NobodyYet({ author }: { author: api.UserRef }) {
  return (
    <EmptyState icon={<Repeat2 size={26} />} title="Nobody has reposted this yet">
      {`Be the first: a repost puts it on the timelines of all who follow you, under ${author.username}’s name.`}
    </EmptyState>
  );
}

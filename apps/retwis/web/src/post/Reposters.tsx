import { Button, EmptyState } from '@claret/ui/kit';
import { Repeat2, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { queries } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { PeopleList } from '../people/PeopleList.tsx';
import type { Repost } from '../posts/useRepost.ts';
import { useSession } from '../session.ts';
import styles from './Reposters.module.css';

/** The reposters of a post. The viewer's own press shows in the list; other changes wait until they are requested. */
export function Reposters({ post, repost }: { post: api.PostView; repost: Repost }) {
  const path = API.reposters(post.id);
  const [listed, setListed] = useState(repost.reposts);
  const heading = useRef<HTMLHeadingElement>(null);
  const readAgain = () => {
    setListed(repost.reposts);
    void queries.load(path, true);
  };
  const showChanges = () => {
    readAgain();
    heading.current?.focus(); // the focused button disappears
  };
  useOnceSent(repost.isSending, readAgain);
  const isNews = !repost.isSending && repost.reposts !== listed;
  return (
    <section aria-labelledby="reposters">
      <div className={styles.head}>
        <h2 ref={heading} id="reposters" tabIndex={-1}>
          Reposted by
        </h2>
        {isNews && (
          <Button size="small" onClick={showChanges}>
            <RefreshCw size={15} aria-hidden="true" />
            Update list
          </Button>
        )}
      </div>
      <PeopleList key={path} path={path} label="People who reposted this" empty={<NobodyYet author={post.author} />} />
    </section>
  );
}

/** Calls back when the press that was being sent has been sent. */
function useOnceSent(isSending: boolean, onSent: () => void): void {
  const wasSending = useRef(isSending);
  useEffect(() => {
    if (wasSending.current && !isSending) onSent();
    wasSending.current = isSending;
  });
}

function NobodyYet({ author }: { author: api.UserRef }) {
  const { user: viewer } = useSession();
  const isMine = viewer?.id === author.id;
  return (
    <EmptyState icon={<Repeat2 size={26} />} title="No reposts yet">
      {isMine
        ? 'It’s on all your followers’ timelines. Each repost takes it further.'
        : `Be the first: a repost shows it to everyone who follows you, under ${author.username}’s name.`}
    </EmptyState>
  );
}

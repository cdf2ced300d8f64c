// The viewer's posts that the server does not have yet: shown like posts, being sent or failed, with the possible actions.
import { Avatar, Button, classes } from '@claret/ui/kit';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PostText } from '../posts/PostText.tsx';
import { useDraft } from './draft.ts';
import type { OutgoingPost } from './outbox.ts';
import styles from './OutgoingPosts.module.css';
import { outboxOf, useOutgoingPosts } from './useOutbox.ts';

export function OutgoingPosts({ writer }: { writer: api.UserRef }) {
  const posts = useOutgoingPosts(writer);
  if (posts.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Posts being sent">
      {posts.map((post) => (
        <Outgoing key={post.key} writer={writer} post={post} />
      ))}
    </ul>
  );
}

function Outgoing({ writer, post }: { writer: api.UserRef; post: OutgoingPost }) {
  const { key, text, state, isUnclear, problem } = post;
  // Editing is offered only then, since otherwise the post could appear twice.
  const isUnsent = problem !== null && !isUnclear;
  return (
    <li className={classes(styles.post, state === 'failed' && styles.failed)}>
      <Avatar name={writer.username} size={44} className={styles.face!} />
      <div className={styles.body}>
        <p className={styles.head}>
          <bdi className={styles.author}>{writer.username}</bdi>
          {state === 'sending' && (
            <span className={styles.sending} role="status">
              <LoaderCircle size={15} aria-hidden="true" /> Posting…
            </span>
          )}
        </p>
        <PostText text={text} />
        {problem && (
          <div className={styles.trouble} role="alert">
            <p>
              <CircleAlert size={17} aria-hidden="true" />
              <span>
                {isUnsent ? (
                  <>
                    <strong>Not posted.</strong> {problem.message}
                  </>
                ) : (
                  <>
                    <strong>This may not have been posted:</strong> no reply from the server. It’s safe to try again; it won’t be posted
                    twice.
                  </>
                )}
              </span>
            </p>
            <div className={styles.actions}>
              <Button size="small" look="primary" onClick={() => void outboxOf(writer).retry(key)}>
                Try again
              </Button>
              {isUnsent && <EditButton writer={writer} post={post} />}
              <Button size="small" look="quiet" onClick={() => outboxOf(writer).discard(key)}>
                Discard
              </Button>
            </div>
          </div>
        )}
      </div>
    </li>
  );
}

/** Moves the text back to the composer, before the present draft. */
function EditButton({ writer, post: { key, text } }: { writer: api.UserRef; post: OutgoingPost }) {
  const [draft, setDraft] = useDraft(writer.id);
  const edit = () => {
    setDraft(draft.trim() === '' ? text : `${text}\n\n${draft}`);
    outboxOf(writer).discard(key);
  };
  return (
    <Button size="small" onClick={edit}>
      Edit
    </Button>
  );
}

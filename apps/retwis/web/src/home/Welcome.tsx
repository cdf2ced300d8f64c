// What somebody sees who is not logged in: what the site is, in a sentence, and the site itself at work below it.
import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Feather } from 'lucide-react';
import { PAGE } from '../api/paths.ts';
import { LiveEntryList } from '../posts/EntryList.tsx';
import styles from './Welcome.module.css';

export function Welcome() {
  return (
    <>
      <title>Claret Timelines</title>
      <section className={styles.hero}>
        <h1>Short posts, there the moment they are written.</h1>
        <p>
          Follow people, and what they post and repost comes to your timeline while you look. Everybody sees the same, at once,
          however many press the same button.
        </p>
        <div className={styles.actions}>
          <Button asChild look="primary">
            <AppLink to={PAGE.register()}>Sign up</AppLink>
          </Button>
          <Button asChild>
            <AppLink to={PAGE.login()}>Log in, or just look around</AppLink>
          </Button>
        </div>
      </section>
      <section aria-labelledby="now">
        <h2 id="now" className={styles.head}>
          Being posted right now
        </h2>
        <LiveEntryList list="latest" label="Latest posts" empty={<NothingYet />} />
      </section>
    </>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={<Feather size={26} />} title="Nobody has posted yet">
      Somebody has to begin. Sign up, and the first post is yours.
    </EmptyState>
  );
}

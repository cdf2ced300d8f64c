// The home page for logged-out visitors: the site in a sentence, and its live content below.
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
        <h1>Short posts, the moment they’re written.</h1>
        <p>
          Follow people and watch their posts arrive on your timeline. Everyone sees the same posts within moments, even when one goes
          viral.
        </p>
        <div className={styles.actions}>
          <Button asChild look="primary">
            <AppLink to={PAGE.register()}>Sign up</AppLink>
          </Button>
          <Button asChild>
            <AppLink to={PAGE.login()}>Log in or try a demo account</AppLink>
          </Button>
        </div>
      </section>
      <section aria-labelledby="now">
        <h2 id="now" className={styles.head}>
          Latest posts
        </h2>
        <LiveEntryList list="latest" label="Latest posts" empty={<NothingYet />} />
      </section>
    </>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={<Feather size={26} />} title="No posts yet">
      Sign up and write the first one.
    </EmptyState>
  );
}

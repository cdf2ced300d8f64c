import { Button } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './AboutPage.module.css';

/** What the numbers of the footer "The transactions behind this page" mean. */
const COST_WORDS: readonly (readonly [string, string])[] = [
  ['Transaction', 'What was done, by its name: Timeline reads one page of yours, ViewPost one post on it, Post writes one.'],
  ['Count', 'How many transactions of that name the page took.'],
  ['Operations', 'What they asked of the store: read this, add that. A post asks for one more per follower.'],
  [
    'Locks waited for',
    'How often they had to wait because somebody else was doing something that does not go together with it. Two people who repost the same post do not wait for one another: their reposts commute, so the order does not matter.',
  ],
  ['Retries', 'How often one gave way and began again, so that nobody waits in a circle. Only its last try counts.'],
  ['Time', 'From the first operation to the moment the outcome was certain, all tries together.'],
];

export default function AboutPage() {
  return (
    <article className={styles.page}>
      <title>How this works · Claret Timelines</title>
      <h1>How this works</h1>
      <p className={styles.lead}>
        This is a small social site with a point to prove: it can be fast when everybody wants the same post at once, and still
        never be wrong.
      </p>
      <section aria-labelledby="all-or-none">
        <h2 id="all-or-none">A post arrives everywhere, or nowhere</h2>
        <p>
          When you post, your words are put on the timeline of every one of your followers, in one transaction. When the site
          says that it is posted, it is on all of them. If anything goes wrong on the way, it is on none, and nobody has seen
          it. There is no moment at which half of your followers can read it and the other half cannot.
        </p>
        <p>
          The same holds for a repost, for taking it back, and for following: your name is in their list of followers and theirs in
          your list of who you follow, or neither.
        </p>
      </section>
      <section aria-labelledby="hot">
        <h2 id="hot">A famous post is not a queue</h2>
        <p>
          When thousands repost the same thing in the same second, a store that only knows reading and writing lets them
          through one by one. This one knows what a repost is: adding a name to a set. Additions of different names can happen in
          any order, so they happen together. What has to wait is looking at the count while they do, and that waits a moment.
        </p>
      </section>
      <section aria-labelledby="live">
        <h2 id="live">What you see is what is so</h2>
        <p>
          Counts change in front of you without loading anything again. New posts wait behind a button, so that what you are reading
          stays where it is. The servers that show these pages keep nothing themselves: any of them shows you the same, and each
          may be restarted without anybody being logged out or a post being lost.
        </p>
      </section>
      <section aria-labelledby="cost">
        <h2 id="cost">What a page cost</h2>
        <p>
          Below every page, “The transactions behind this page” unfolds to what the store was asked for it. In
          words:
        </p>
        <dl className={styles.words}>
          {COST_WORDS.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p className={styles.actions}>
        <Button asChild look="primary">
          <AppLink to={PAGE.discover()}>See it happen</AppLink>
        </Button>
      </p>
    </article>
  );
}

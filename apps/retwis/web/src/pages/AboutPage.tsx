import { Button } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './AboutPage.module.css';

/** explanations of the numbers in the footer "The transactions behind this page" */
const COST_WORDS: readonly (readonly [string, string])[] = [
  ['Transaction', 'The name of what was done: Timeline reads one page of your timeline, ViewPost one post on it, Post writes one.'],
  ['Count', 'How many transactions of that name the page needed.'],
  ['Operations', 'The reads and writes inside them. A post needs one more for each follower.'],
  [
    'Locks waited for',
    'How often a transaction had to wait for another that conflicts with it. Two people who repost the same post don’t wait for each other: reposts commute, which means that their order makes no difference.',
  ],
  ['Retries', 'How often a transaction gave way to an older one and started again.'],
  ['Time', 'From the first operation until the result was certain, including retries.'],
];

export default function AboutPage() {
  return (
    <article className={styles.page}>
      <title>How this works · Claret Timelines</title>
      <h1>How this works</h1>
      <p className={styles.lead}>
        This small social site has a point to prove: a site can stay fast when everyone wants the same post at once, and still be correct.
      </p>
      <section aria-labelledby="all-or-none">
        <h2 id="all-or-none">A post reaches all your followers or none</h2>
        <p>
          When you post, one transaction puts your words on the timelines of all your followers. Once the site says “Posted”, it’s on every
          one of them. If anything goes wrong, it’s on none of them, and no one has seen it. There’s never a moment when half of your
          followers can read it and the other half can’t.
        </p>
        <p>
          The same goes for reposts and follows. When you follow someone, their follower list and your following list always change
          together.
        </p>
      </section>
      <section aria-labelledby="hot">
        <h2 id="hot">A viral post doesn’t become a queue</h2>
        <p>
          When thousands of people repost the same thing in the same second, a store that only knows reads and writes lets them through one
          by one. The store behind this site knows what a repost is: adding a name to a set. Names can be added in any order, so they’re
          added together. Only reading the count has to wait, and only for a moment.
        </p>
      </section>
      <section aria-labelledby="live">
        <h2 id="live">What you see is up to date</h2>
        <p>
          Counts change as you look at them. New posts wait behind a button, so what you’re reading stays where it is. The servers that show
          these pages store nothing themselves: they all show the same, and any of them can restart without logging you out or losing a
          post.
        </p>
      </section>
      <section aria-labelledby="trending">
        <h2 id="trending">What’s trending</h2>
        <p>Posts are ranked by reposts and age: a post that is six hours older needs twice as many reposts to rank as high.</p>
      </section>
      <section aria-labelledby="cost">
        <h2 id="cost">What a page costs the database</h2>
        <p>At the bottom of every page, open “The transactions behind this page” to see what the store did for it:</p>
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
          <AppLink to={PAGE.discover()}>See what’s happening</AppLink>
        </Button>
      </p>
    </article>
  );
}

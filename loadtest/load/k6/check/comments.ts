// Comments: each acknowledged comment is once on the list of its subject, and its rating is in their ratings. Ratings agree with
// comments in number and sum. For one sale, one person comments on another at most once.

import { COMMENT_FIELDS, parseComment } from '../../../../apps/rubis/server/actions/comments.ts';
import { commentPair } from '../../../../apps/rubis/server/actions/sale.ts';
import type { CommentView } from '../../../../apps/rubis/server/api.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import type { AuctionsStorm } from './auctions.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { Room } from './room.ts';
import type { Store } from '../../../kit/store.ts';

type Comment = CommentView & { about: string };

export const comments: Room<AuctionsStorm> = async (storm) => {
  const findings = new Findings('comments');
  const { people, store } = storm;
  const recent: Comment[] = [];
  let next = 0;
  for await (const [, entries] of store.lists(people.map(key.comments))) {
    const about = people[next++]!;
    const ids = entries.map(([id]) => id);
    const values = await store.all(ids.map((id) => store.on.dict(key.comment(about, id)).get(...COMMENT_FIELDS)));
    const written = ids.map((id, i): Comment => ({ ...parseComment(id, values[i]!), about }));
    written.forEach(({ id, created_at_ms }, i) => {
      if (created_at_ms !== entries[i]![1])
        findings.add(
          key.comment(about, id),
          `a comment of ${entries[i]![1]}`,
          values[i]![0] === null ? 'nothing' : `one of ${created_at_ms}`,
        );
    });
    await ratings(store, about, written, findings);
    recent.push(...written.filter(({ created_at_ms }) => created_at_ms >= storm.before.at_ms));
  }
  ofLedger(storm, recent, findings);
  await marked(store, recent, findings);
  return findings;
};

/** Compares SummaryBag's results with the comments' ratings; the mean up to rounding. */
async function ratings(store: Store, about: string, written: readonly Comment[], findings: Findings): Promise<void> {
  const bag = store.on.summaryBag(key.rating(about));
  const [count, mean, min, max] = await store.all<unknown>([bag.count(), bag.mean(), bag.min(), bag.max()]);
  const given = written.map(({ rating }) => rating);
  const summary = (many: number, sum: number, least: number, most: number) =>
    many === 0 ? 'none' : `${many}, ${sum} in all, ${least} to ${most}`;
  const wanted = summary(
    given.length,
    given.reduce((sum, rating) => sum + rating, 0),
    Math.min(...given),
    Math.max(...given),
  );
  const found = summary(Number(count), Math.round(Number(mean) * Number(count)), Number(min), Number(max));
  if (wanted !== found) findings.add(key.rating(about), `the ratings of the comments (${wanted})`, found);
}

const termsOf = (from: string, item_id: string, about: string, rating: number): string =>
  `${rating} from ${from} about ${item_id} on ${about}`;

function ofLedger({ writes, alone, data }: AuctionsStorm, recent: readonly Comment[], findings: Findings): void {
  const written = groupBy(recent, ({ from, item_id, about, rating }) => termsOf(from.id, item_id, about, rating));
  const lines = groupBy(writes.comment, ({ person_id, facts }) => termsOf(person_id, facts.item, facts.about, facts.rating));
  const people = new Set(data.auction_people.map(({ id }) => id));
  for (const [terms, of_terms] of lines) {
    const certain = of_terms.filter((line) => line.certain).length;
    const found = written.get(terms)?.length ?? 0;
    if (found < certain || found > of_terms.length) {
      const range = certain === of_terms.length ? String(certain) : `${certain} to ${of_terms.length}`;
      findings.add(key.comments(of_terms[0].facts.about), `${terms}, ${range} times`, `it ${found} times`);
    }
  }
  for (const [terms, [{ about, from }]] of written) {
    if (!lines.has(terms) && (alone || people.has(from.id)))
      findings.add(key.comments(about), 'comments of the ledger', `${terms}, which is none`);
  }
}

/** Each pair and direction occurs once per sale, and is marked so that it cannot occur again. */
async function marked(store: Store, recent: readonly Comment[], findings: Findings): Promise<void> {
  const pairs = [...groupBy(recent, ({ item_id, from, about }) => `${item_id} ${commentPair(from.id, about)}`).values()];
  const found = await store.all(
    pairs.map(([{ item_id, from, about }]) => store.on.set(key.item_commented(item_id)).contains(commentPair(from.id, about))),
  );
  pairs.forEach((same, i) => {
    const [{ item_id, from, about }] = same;
    if (same.length > 1) findings.add(key.comments(about), `one from ${from.id} about ${item_id}`, String(same.length));
    if (found[i] !== true) findings.add(key.item_commented(item_id), commentPair(from.id, about), 'nothing');
  });
}

// One post of a celebrity goes viral, as a photo of a dress did: it is on the timelines of all followers, who repost it to their
// own followers. It begins with people whom it fascinates; then the paper's model (section 6.3) takes over, in which a post with
// more reposts gets even more. Three crowds:
//
//   reposters   people of the site, all alike: they look at their timeline and repost the most popular posts
//   onlookers   people with a link: they look at the post, not logged in, and some at its author or a reposter
//   authors     people who post, or who start to follow the celebrity

import { share, viral } from '../kit/arrival.ts';
import { stormOptions } from '../kit/crowd.ts';
import { needed, storm, timelinePeople } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { TimelineVisitor } from '../kit/timeline-visitor.ts';
import { visitors } from '../kit/visitors.ts';
import type { StormPerson } from '../storm.ts';

const REPOSTERS = 0.6;
const ONLOOKERS = 0.35;
const AUTHORS = 0.05;
/** The probability of one more repost: half a repost for each timeline, six times that of Table 3's post-heavy mix. */
const AGAIN = 1 / 3;
/** Share of the people who repost it when they see it on their timeline. */
const FASCINATED = 0.2;
/** Share of reposts that are undone at once. */
const REGRETS = 0.02;

const curve = viral(storm.peak_per_s, storm.duration_s);
const hot = needed(storm.hot_post, 'hot_post');

export const options = stormOptions({
  reposters: { exec: 'reposter', curve: share(curve, REPOSTERS) },
  onlookers: { exec: 'onlooker', curve: share(curve, ONLOOKERS) },
  authors: { exec: 'author', curve: share(curve, AUTHORS) },
});

export const setup = begin;
export const marks = () => flag(curve);

const begins = (random: () => number, person: StormPerson) => new TimelineVisitor(random, person);
const nextReposter = visitors('reposter', timelinePeople, begins);
const nextOnlooker = visitors('onlooker', timelinePeople, begins);
const nextAuthor = visitors('author', timelinePeople, begins);

export function reposter(): void {
  const visitor = nextReposter();
  for (const post_id of visitor.timeline(AGAIN, { id: hot.id, chance: FASCINATED }))
    if (visitor.random() < REGRETS) visitor.unrepost(post_id);
}

export function onlooker(): void {
  const visitor = nextOnlooker();
  visitor.look('ViewPost', `/api/posts/${hot.id}`);
  const chance = visitor.random();
  if (chance < 0.2) visitor.look('Reposters', `/api/posts/${hot.id}/reposters`);
  else if (chance < 0.3) visitor.look('Profile', `/api/users/${hot.author}`);
  else if (chance < 0.35) visitor.look('Trending', '/api/trending');
}

export function author(): void {
  const visitor = nextAuthor();
  if (visitor.random() < 0.8) visitor.post();
  else visitor.follow(hot.author);
}

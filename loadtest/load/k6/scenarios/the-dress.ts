// One post of a celebrity goes viral, as a photo of a dress did: it stands on the timelines of all who follow them, who repost it to
// those who follow *them*. It begins with people whom it fascinates; then the paper's model (section 6.3) takes over, in which the more
// a post has been reposted, the more it is. Three crowds:
//
//   reposters   people of the site, each alike: they look at their timeline and repost the most popular of it
//   onlookers   who were sent the link: they look at the post, not logged in, and some at who passed it on or who wrote it
//   authors     who have something to say themselves, or follow the celebrity now

import { share, viral } from '../kit/arrival.ts';
import { stormOptions } from '../kit/crowd.ts';
import { needed, storm, timelinePeople } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { TimelineVisit } from '../kit/timeline-visit.ts';
import { visitors } from '../kit/visitors.ts';
import type { StormPerson } from '../storm.ts';

const REPOSTERS = 0.6;
const ONLOOKERS = 0.35;
const AUTHORS = 0.05;
/** The chance of one more repost: half a repost for each look at a timeline, six times what Table 3's post-heavy mix has. */
const AGAIN = 1 / 3;
/** Of those who see the post on their timeline. */
const FASCINATED = 0.2;
/** Of reposts that are thought better of at once. */
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

const begins = (random: () => number, person: StormPerson) => new TimelineVisit(random, person);
const nextReposter = visitors('reposter', timelinePeople, begins);
const nextOnlooker = visitors('onlooker', timelinePeople, begins);
const nextAuthor = visitors('author', timelinePeople, begins);

export function reposter(): void {
  const visit = nextReposter();
  for (const post_id of visit.timeline(AGAIN, { id: hot.id, chance: FASCINATED })) if (visit.random() < REGRETS) visit.unrepost(post_id);
}

export function onlooker(): void {
  const visit = nextOnlooker();
  visit.look('ViewPost', `/api/posts/${hot.id}`);
  const chance = visit.random();
  if (chance < 0.2) visit.look('Reposters', `/api/posts/${hot.id}/reposters`);
  else if (chance < 0.3) visit.look('Profile', `/api/users/${hot.author}`);
  else if (chance < 0.35) visit.look('Trending', '/api/trending');
}

export function author(): void {
  const visit = nextAuthor();
  if (visit.random() < 0.8) visit.post();
  else visit.follow(hot.author);
}

// A driver process of the fan-out benchmark: its own app server, so that the famous people's load in another one does not keep this
// one busy. Its arguments are the gateways' addresses.

import { connect } from '@claret/client';
import { post } from '../../../apps/retwis/server/actions/post.ts';
import { viewTimeline } from '../../../apps/retwis/server/actions/timeline.ts';
import { kronecker } from '../../../apps/retwis/server/data/graph.ts';
import { randomFrom } from '../../kit/random.ts';
import { loadGraph, person } from '../../workloads/retwis-data.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { FAMOUS, type Answer, type Question } from './question.ts';
import { famous, loadFamous } from './famous.ts';

const POST_SHARE = 0.1;
const [users, ...addresses] = process.argv.slice(2);
const USERS = Number(users);

const claret = await connect({ addresses, name: 'fanout', timeoutMs: 30_000 });

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function timed(times: number[], work: Promise<unknown>): Promise<void> {
  const startMs = performance.now();
  await work;
  times.push(performance.now() - startMs);
}

async function posts(followers: number, seconds: number, every_ms: number): Promise<Answer> {
  const times: number[] = [];
  const endMs = performance.now() + 1000 * seconds;
  for (let nextMs = performance.now(); performance.now() < endMs; nextMs += every_ms) {
    await timed(times, post(claret, { author: famous(followers), text: 'To all of you.', posted_at_ms: Date.now() }));
    if (every_ms > 0) await sleep(Math.max(0, Math.min(nextMs + every_ms, endMs) - performance.now()));
  }
  return { post: times };
}

async function others(question: Extract<Question, { what: 'others' }>): Promise<Answer> {
  const random = randomFrom(question.seed);
  const times = { follower: [] as number[], stranger: [] as number[], post: [] as number[] };
  const endMs = performance.now() + 1000 * question.seconds;
  const client = async () => {
    await sleep(random() * question.think_ms);
    while (performance.now() < endMs) {
      const number = Math.floor(random() * USERS);
      const user = person(number);
      if (random() < POST_SHARE) {
        await timed(times.post, post(claret, { author: user, text: 'To my friends.', posted_at_ms: Date.now() }));
      } else {
        await timed(number % 2 === 0 ? times.follower : times.stranger, viewTimeline(claret, { user_id: user.id, after: null }));
      }
      await sleep(2 * random() * question.think_ms);
    }
  };
  await Promise.all(Array.from({ length: question.clients }, client));
  return times;
}

answerParent<Question, Answer>(async (question) => {
  switch (question.what) {
    case 'load': {
      await loadGraph(claret, kronecker(question.scale, randomFrom(question.seed)), () => {});
      await loadFamous(claret, FAMOUS, USERS);
      return {};
    }
    case 'posts':
      return posts(question.followers, question.seconds, question.every_ms);
    case 'others':
      return others(question);
  }
});

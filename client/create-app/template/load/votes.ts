// A crowd of new people, each of whom opens the page, votes, changes their mind and reacts. Run it with k6 (https://k6.io):
//
//   k6 run load/votes.ts
//   k6 run -e RATE=100 -e SECONDS=30 -e URL=http://127.0.0.1:7440 load/votes.ts
//
// It ends by itself, and with an error if a threshold is crossed. It leaves its votes in the polls.
import http from 'k6/http';
import { check } from 'k6';

const RATE = Number(__ENV['RATE'] ?? 20); // people per second
const SECONDS = Number(__ENV['SECONDS'] ?? 10);
const URL = __ENV['URL'] ?? 'http://127.0.0.1:7440';

export const options = {
  scenarios: {
    crowd: {
      executor: 'constant-arrival-rate',
      rate: RATE,
      timeUnit: '1s',
      duration: `${SECONDS}s`,
      preAllocatedVUs: 20,
      maxVUs: 500,
      gracefulStop: '5s',
    },
  },
  thresholds: {
    checks: ['rate>0.99'],
    'http_req_duration{name:vote}': ['p(95)<500'],
    'http_req_duration{name:react}': ['p(95)<500'],
    dropped_iterations: ['count<1'],
  },
};

interface Asked {
  polls: { id: string; options: { id: string }[] }[];
  reactions: { id: string }[];
}

const any = <Item>(list: Item[]): Item => list[Math.floor(Math.random() * list.length)]!;

function post(path: string, name: string, body: object): void {
  const answer = http.post(`${URL}${path}`, JSON.stringify(body), { headers: { 'content-type': 'application/json' }, tags: { name } });
  check(answer, { [`${name}: done`]: ({ status }) => status === 204 });
}

export default function visit(): void {
  http.cookieJar().clear(URL); // somebody new
  const page = http.get(`${URL}/api/polls`, { tags: { name: 'polls' } });
  if (!check(page, { 'polls: there': ({ status }) => status === 200 })) return;
  const { polls, reactions } = page.json() as unknown as Asked;
  const poll = any(polls);
  post('/api/votes', 'vote', { poll: poll.id, option: any(poll.options).id });
  post('/api/votes', 'vote', { poll: poll.id, option: any(poll.options).id });
  post('/api/reactions', 'react', { poll: poll.id, reaction: any(reactions).id });
}

// An ordinary day on the timelines: the paper's two mixes (section 6.3, Table 3), read-heavy for the first half, post-heavy for the
// second, at one rate. Reposts follow from looking at timelines (kit/reposting.ts), with the share of the table.

import { RETWIS_MIXES, type RetwisKind, type RetwisMix } from '../../../workloads/retwis-mixes.ts';
import { Mix } from '../../../workloads/mix.ts';
import { steady } from '../kit/arrival.ts';
import { stormOptions } from '../kit/crowd.ts';
import { storm, timelinePeople } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { pick } from '../../../kit/random.ts';
import { againFor } from '../kit/reposting.ts';
import { TimelineVisitor } from '../kit/timeline-visitor.ts';
import { visitors } from '../kit/visitors.ts';

const half_s = storm.duration_s / 2;
const curve = steady(storm.peak_per_s, half_s);

export const options = stormOptions({
  readers: { exec: 'reader', curve },
  writers: { exec: 'writer', curve, starts_s: half_s },
});

export const setup = begin;
export const marks = () =>
  flag({
    marks: [
      { at_s: 0, text: 'read-heavy' },
      { at_s: half_s, text: 'post-heavy' },
    ],
  });

/** The action of an arrival; reposts are not drawn, because they follow from timelines. */
function visits(name: RetwisMix): () => void {
  const { repost, ...others } = RETWIS_MIXES[name];
  const again = againFor(repost, others.timeline);
  const scale = 100 / (100 - repost);
  const mix = new Mix<Exclude<RetwisKind, 'repost'>>({
    timeline: others.timeline * scale,
    post: others.post * scale,
    follow: others.follow * scale,
    new_user: others.new_user * scale,
  });
  const next = visitors(name, timelinePeople, (random, person) => new TimelineVisitor(random, person));
  return () => {
    const visitor = next();
    const { random } = visitor;
    switch (mix.draw(random())) {
      case 'timeline':
        visitor.timeline(again);
        return;
      case 'post':
        return visitor.post();
      case 'follow':
        return visitor.follow(pick(random, timelinePeople).name);
      case 'new_user':
        return visitor.register();
    }
  };
}

export const reader = visits('read-heavy');
export const writer = visits('post-heavy');

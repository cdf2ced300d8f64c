// The workload of a driver.

import type { Claret } from '@claret/client';
import { DelayWorkload } from './delay-workload.ts';
import { Oo7 } from './oo7.ts';
import { auctionPages, timelinePages } from './pages.ts';
import { Phases } from './phases.ts';
import type { LoadQuestion } from './question.ts';
import { TopN } from './topn.ts';
import type { Workload } from './workload.ts';

export function workloadFor(claret: Claret, question: LoadQuestion): Workload {
  const { workload, users, seed, driver } = question;
  switch (workload) {
    case 'topn':
      return new TopN(claret, { users, seed, driver });
    case 'oo7':
      return new Oo7(claret, { seed, driver });
    case 'rubis':
      return auctionPages(claret, question);
    case 'retwis':
      return timelinePages(claret, question);
    case 'phases':
      return new Phases(claret);
    case 'delay':
      return new DelayWorkload(claret);
  }
}

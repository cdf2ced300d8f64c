// A driver process of the paper's figures: loads one point's data, or finds it loaded, then runs its share of the cells one at a time.

import { connect, type Claret } from '@claret/client';
import { answerParent } from '../../kit/driver-process.ts';
import { RunningCell } from './cell.ts';
import { load, type Loaded, type Work } from './load.ts';
import type { Answer, LoadQuestion, Question } from './question.ts';

interface Ready {
  addresses: string[];
  /** for loading and checks; each cell has its own client */
  claret: Claret;
  loaded: Loaded;
}

let ready: Ready | null = null;
/** the latest one */
let cell: { work: Work; running: RunningCell } | null = null;

answerParent<Question, Answer>(async (question, tell) => {
  if (question.ask === 'load') {
    ready = await prepare(question, (done, total) => tell({ done, total }));
    return {};
  }
  if (ready === null) throw new Error('nothing has been loaded');
  const { addresses, claret, loaded } = ready;
  if (question.ask === 'distributions') return loaded.distributions(claret);
  if (question.ask === 'begin') {
    const work = loaded.cell(question.sending);
    cell = { work, running: await RunningCell.begin(question, addresses, work) };
    return {};
  }
  if (cell === null) throw new Error('no cell has begun');
  switch (question.ask) {
    case 'commits':
      return { commits: cell.running.commits };
    case 'sample':
      return cell.running.sample();
    case 'end':
      return cell.running.end();
    case 'mismatches':
      return cell.work.mismatches(claret, question.others);
  }
});

async function prepare(question: LoadQuestion, tell: (done: number, total: number) => void): Promise<Ready> {
  const { addresses } = question;
  const claret = await connect({ addresses, name: 'bench' });
  return { addresses, claret, loaded: await load(claret, question, tell) };
}

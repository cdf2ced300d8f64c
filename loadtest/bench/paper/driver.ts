// The driver process of the paper's figures: loads one point's data, then runs its cells one at a time.

import { connect, type Claret } from '@claret/client';
import { answerParent } from '../../kit/driver-process.ts';
import { runCell } from './cell.ts';
import { load, type Loaded } from './load.ts';
import type { Answer, LoadQuestion, Question } from './question.ts';

interface Ready {
  addresses: string[];
  /** for loading and checks; each cell has its own client */
  claret: Claret;
  loaded: Loaded;
}

let ready: Ready | null = null;

answerParent<Question, Answer>(async (question, tell) => {
  if (question.ask === 'load') {
    ready = await prepare(question, (done, total) => tell({ done, total }));
    return {};
  }
  if (ready === null) throw new Error('nothing has been loaded');
  const { addresses, claret, loaded } = ready;
  if (question.ask === 'distributions') return loaded.distributions(claret);
  const work = loaded.cell(question.sending);
  const measured = await runCell(question, addresses, work);
  return { ...measured, mismatches: await work.mismatches(claret) };
});

async function prepare(question: LoadQuestion, tell: (done: number, total: number) => void): Promise<Ready> {
  const { addresses } = question;
  const claret = await connect({ addresses, name: 'bench' });
  return { addresses, claret, loaded: await load(claret, question, tell) };
}

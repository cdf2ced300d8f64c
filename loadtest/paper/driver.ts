// The driver process of the paper's figures: loads one point's data, then runs its cells one at a time.

import { connect, type Claret } from '@claret/client';
import { answerParent } from '../bench/kit/driver-process.ts';
import { runCell } from './cell.ts';
import { load, type Loaded } from './load.ts';
import type { Answer, Question } from './question.ts';

let loaded: Loaded | null = null;

answerParent<Question, Answer>(async (question, tell) => {
  if (question.ask === 'load') {
    loaded = await withClient(question.addresses, (claret) => load(claret, question, (done, total) => tell({ done, total })));
    return {};
  }
  if (loaded === null) throw new Error('nothing has been loaded');
  const { distributions, cell } = loaded;
  return question.ask === 'cell' ? runCell(question, cell(question.sending)) : withClient(question.addresses, distributions);
});

async function withClient<Result>(addresses: string[], use: (claret: Claret) => Promise<Result>): Promise<Result> {
  const claret = await connect({ addresses, name: 'bench' });
  try {
    return await use(claret);
  } finally {
    await claret.close();
  }
}

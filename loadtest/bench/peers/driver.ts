// The driver process of the comparison with other systems: loads one point's data into one peer, then runs its cells.

import { answerParent } from '../../kit/driver-process.ts';
import { runCell, type Runner } from './cell.ts';
import { claretSide } from './claret-side.ts';
import type { Answer, CellQuestion, Question } from './question.ts';
import { redisSide } from './redis-side.ts';

let side: ((cell: CellQuestion) => Promise<Runner>) | null = null;

answerParent<Question, Answer>(async (question) => {
  if (question.ask === 'load') {
    const { at } = question;
    side = await ('port' in at ? redisSide(at.port, question) : claretSide(at.addresses, question));
    return null;
  }
  if (side === null) throw new Error('nothing has been loaded');
  const runner = await side(question);
  try {
    return await runCell(runner, question);
  } finally {
    await runner.close();
  }
});

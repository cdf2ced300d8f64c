// The driver process of the comfort-zone benchmark: runs one cell at a time.

import { answerParent } from '../../kit/driver-process.ts';
import { randomFrom } from '../../kit/random.ts';
import { runCell } from './cell.ts';
import { AcknowledgedAdds } from './counters.ts';
import { runLatencies } from './latency.ts';
import type { Answer, CellQuestion, Question } from './question.ts';
import { Traffic } from './traffic.ts';

const acknowledged = new AcknowledgedAdds();
/** The curves of one mix follow each other: they send the same traffic, which is drawn once. */
let drawn: { name: string; traffic: Traffic } | null = null;

function trafficOf({ shares, seed }: CellQuestion): Traffic {
  const name = JSON.stringify([shares, seed]);
  if (drawn?.name !== name) drawn = { name, traffic: new Traffic(shares, randomFrom(seed)) };
  return drawn.traffic;
}

answerParent<Question, Answer>((question) =>
  question.ask === 'cell' ? runCell(question, trafficOf(question), acknowledged) : runLatencies(question, acknowledged),
);

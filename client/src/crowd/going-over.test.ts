import { expect, test } from 'vitest';
import { Delays } from '../environment/delays.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import { GoingOver } from './going-over.ts';
import type { Member } from './member.ts';

const member = (number: number) => ({ number }) as Member;

function goingOver() {
  const time = new SteppedEnvironment();
  const state: { sinceMs: number | null; holdsLocks: boolean } = { sinceMs: 10, holdsLocks: true };
  const sent: number[] = [];
  const dependencies = { delays: new Delays(time), goesOverSinceMs: () => state.sinceMs, holdsLocks: () => state.holdsLocks };
  const all = new GoingOver(dependencies, ({ number }) => sent.push(number));
  return { time, state, sent, send: (number: number) => all.send(member(number)) };
}

test('members wait until the last attempt with locks has ended, and leave in order', () => {
  const { time, state, sent, send } = goingOver();
  send(1);
  send(2);
  time.pass(100);
  expect(sent).toEqual([]);
  state.holdsLocks = false;
  send(3);
  expect(sent, 'not before those that wait').toEqual([]);
  time.pass(2);
  expect(sent).toEqual([1, 2, 3]);
  send(4);
  expect(sent).toEqual([1, 2, 3, 4]);
});

test('members wait for no attempt once the client has gone over', () => {
  const { time, state, sent, send } = goingOver();
  send(1);
  state.sinceMs = null;
  time.pass(2);
  send(2);
  expect(sent).toEqual([1, 2]);
});

test('members wait once each time that the client goes over, whatever takes locks afterwards', () => {
  const { time, state, sent, send } = goingOver();
  state.holdsLocks = false;
  send(1);
  state.holdsLocks = true;
  send(2);
  expect(sent).toEqual([1, 2]);
  state.sinceMs = 20;
  send(3);
  time.pass(2);
  expect(sent).toEqual([1, 2]);
});

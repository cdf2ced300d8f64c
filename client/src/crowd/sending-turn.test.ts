import { expect, test } from 'vitest';
import { Delays } from '../environment/delays.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import type { Member } from './member.ts';
import { SendingTurn } from './sending-turn.ts';

function sendingTurn() {
  const time = new SteppedEnvironment();
  const sent: Member[] = [];
  const sequencer = { shard: 0, outbox: { chains: { turn: () => {} } } };
  const turn = new SendingTurn({ environment: time, delays: new Delays(time), sequencer: () => sequencer }, (member) => sent.push(member));
  const send = (): Member => {
    const member = { state: 'queued', unansweredIn: 0, owner: { receipt: null } } as unknown as Member;
    turn.send(member);
    return member;
  };
  return { time, sent, turn, send };
}

test('a client whose sequencer is silent takes a turn of its own after 20 ms', () => {
  const { time, sent, send } = sendingTurn();
  send();
  time.pass(19);
  expect(sent).toHaveLength(0);
  time.pass(1);
  expect(sent).toHaveLength(1);
});

test('a client waits four times as long as turns usually take to come', () => {
  const { time, sent, turn, send } = sendingTurn();
  for (let number = 1; number <= 60; number++) {
    const member = send();
    time.pass(15);
    turn.onTurn(0, { number: { high: 0, low: number }, recalled: true });
    turn.answered(member);
  }
  expect(sent).toHaveLength(60);
  send();
  time.pass(58);
  expect(sent).toHaveLength(60);
  time.pass(2);
  expect(sent).toHaveLength(61);
});

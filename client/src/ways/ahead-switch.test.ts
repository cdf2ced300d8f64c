import { describe, expect, it } from 'vitest';
import { AheadSwitch, type LockTimes } from './ahead-switch.ts';

const times =
  (attempts: number, attemptMs: number, waitedMs: number, runs = 0) =>
  (): LockTimes => ({ attempts, attemptMs, waitedMs, runs });

/** A switch in mode `auto` that has gone on at 100 ms. */
function switchedOn(): AheadSwitch {
  const crowdSwitch = new AheadSwitch();
  crowdSwitch.configure('auto', 0);
  crowdSwitch.look(100, times(8, 100, 30));
  expect(crowdSwitch.on).toBe(true);
  return crowdSwitch;
}

describe('the switch', () => {
  it('is on in mode `always` and off in mode `never`, whatever happens', () => {
    const crowdSwitch = new AheadSwitch();
    crowdSwitch.look(100, times(16, 1, 1));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.configure('always', 0);
    expect(crowdSwitch.on).toBe(true);
    for (let i = 0; i < 100; i++) crowdSwitch.member(false);
    crowdSwitch.look(200, times(24, 1, 1));
    expect(crowdSwitch.on).toBe(true);
    crowdSwitch.configure('never', 0);
    expect(crowdSwitch.on).toBe(false);
  });

  it('goes on when more than a quarter of the time of attempts in 100 ms was waiting for locks', () => {
    const crowdSwitch = new AheadSwitch();
    crowdSwitch.configure('auto', 0);
    crowdSwitch.look(99, times(32, 100, 90));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(100, times(40, 200, 50));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(200, times(48, 300, 76));
    expect(crowdSwitch.on).toBe(true);
  });

  it('looks at a second if few attempts end, since with many app servers each one ends few', () => {
    const crowdSwitch = new AheadSwitch();
    crowdSwitch.configure('auto', 0);
    crowdSwitch.look(100, times(4, 100, 90));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(200, times(8, 200, 180));
    expect(crowdSwitch.on).toBe(true);
    const few = new AheadSwitch();
    few.configure('auto', 0);
    few.look(100, times(7, 100, 90));
    few.look(1_000, times(7, 100, 90));
    few.look(1_100, times(14, 200, 180));
    expect(few.on, 'fewer than eight in each second').toBe(false);
  });

  it('goes on when attempts wait for chains of other clients, however few have ended', () => {
    const crowdSwitch = new AheadSwitch();
    crowdSwitch.configure('auto', 0);
    crowdSwitch.look(100, times(1, 100, 10, 1));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(200, times(1, 200, 20, 2));
    expect(crowdSwitch.on).toBe(true);
    const off = new AheadSwitch();
    off.configure('auto', 0);
    off.look(100, times(1, 100, 10, 1));
    off.look(1_150, times(9, 900, 20, 1));
    off.look(1_250, times(17, 1_800, 30, 2));
    expect(off.on, 'one in each window').toBe(false);
  });

  it('goes off when fewer than one member in twenty was executed on top of something, and stays off for a second', () => {
    const crowdSwitch = switchedOn();
    for (let i = 0; i < 63; i++) crowdSwitch.member(false);
    crowdSwitch.look(250, times(56, 100, 30));
    expect(crowdSwitch.on, 'too few members to tell').toBe(true);
    crowdSwitch.member(false);
    crowdSwitch.look(250, times(64, 100, 30));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(1_249, times(72, 200, 130));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(1_350, times(80, 300, 230));
    expect(crowdSwitch.on).toBe(true);
  });

  it('goes off when more than a quarter of the members met locks, for longer each time', () => {
    const crowdSwitch = switchedOn();
    const deny = (nowMs: number) => {
      for (let i = 0; i < 70; i++) crowdSwitch.member(true);
      for (let i = 0; i < 30; i++) crowdSwitch.denied();
      crowdSwitch.look(nowMs, times(88, 100, 30));
    };
    deny(250);
    expect(crowdSwitch.on, 'locks from before may deny them').toBe(true);
    expect([crowdSwitch.goesOverSinceMs(1_099), crowdSwitch.goesOverSinceMs(1_100)]).toEqual([100, null]);
    deny(2_000);
    expect(crowdSwitch.on, 'nor are they counted in the next second').toBe(true);
    deny(2_200);
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(3_250, times(96, 200, 130));
    expect(crowdSwitch.on).toBe(true);
    expect(crowdSwitch.goesOverSinceMs(3_300)).toBe(3_250);
    deny(3_400); // says nothing yet, neither for chains nor against them
    deny(5_300);
    expect(crowdSwitch.on).toBe(false);
    expect(crowdSwitch.goesOverSinceMs(5_301)).toBeNull();
    crowdSwitch.look(6_400, times(104, 300, 230));
    expect(crowdSwitch.on, 'two seconds').toBe(false);
    crowdSwitch.look(7_400, times(112, 400, 330));
    expect(crowdSwitch.on).toBe(true);
  });

  it('stays on while members meet others', () => {
    const crowdSwitch = switchedOn();
    for (let i = 0; i < 100; i++) crowdSwitch.member(i % 20 === 0);
    crowdSwitch.look(250, times(120, 100, 30));
    expect(crowdSwitch.on).toBe(true);
  });
});

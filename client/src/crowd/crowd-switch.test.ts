import { describe, expect, it } from 'vitest';
import { CrowdSwitch } from './crowd-switch.ts';

/** A switch in mode `auto` that has gone on at 100 ms. */
function switchedOn(): CrowdSwitch {
  const crowdSwitch = new CrowdSwitch();
  crowdSwitch.configure('auto');
  crowdSwitch.look(100, () => ({ attempts: 8, attemptMs: 100, waitedMs: 30 }));
  expect(crowdSwitch.on).toBe(true);
  return crowdSwitch;
}

describe('the switch', () => {
  it('is on in mode `always` and off in mode `never`, whatever happens', () => {
    const crowdSwitch = new CrowdSwitch();
    crowdSwitch.look(100, () => ({ attempts: 16, attemptMs: 1, waitedMs: 1 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.configure('always');
    expect(crowdSwitch.on).toBe(true);
    for (let i = 0; i < 100; i++) crowdSwitch.member(false);
    crowdSwitch.look(200, () => ({ attempts: 24, attemptMs: 1, waitedMs: 1 }));
    expect(crowdSwitch.on).toBe(true);
    crowdSwitch.configure('never');
    expect(crowdSwitch.on).toBe(false);
  });

  it('goes on when more than a quarter of the time of attempts in 100 ms was waiting for locks', () => {
    const crowdSwitch = new CrowdSwitch();
    crowdSwitch.configure('auto');
    crowdSwitch.look(99, () => ({ attempts: 32, attemptMs: 100, waitedMs: 90 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(100, () => ({ attempts: 40, attemptMs: 200, waitedMs: 50 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(200, () => ({ attempts: 48, attemptMs: 300, waitedMs: 76 }));
    expect(crowdSwitch.on).toBe(true);
  });

  it('looks at a second if few attempts end, since with many app servers each one ends few', () => {
    const crowdSwitch = new CrowdSwitch();
    crowdSwitch.configure('auto');
    crowdSwitch.look(100, () => ({ attempts: 4, attemptMs: 100, waitedMs: 90 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(200, () => ({ attempts: 8, attemptMs: 200, waitedMs: 180 }));
    expect(crowdSwitch.on).toBe(true);
    const few = new CrowdSwitch();
    few.configure('auto');
    few.look(100, () => ({ attempts: 7, attemptMs: 100, waitedMs: 90 }));
    few.look(1_000, () => ({ attempts: 7, attemptMs: 100, waitedMs: 90 }));
    few.look(1_100, () => ({ attempts: 14, attemptMs: 200, waitedMs: 180 }));
    expect(few.on, 'fewer than eight in each second').toBe(false);
  });

  it('goes off when fewer than one member in twenty was executed on top of something, and stays off for a second', () => {
    const crowdSwitch = switchedOn();
    for (let i = 0; i < 63; i++) crowdSwitch.member(false);
    crowdSwitch.look(250, () => ({ attempts: 56, attemptMs: 100, waitedMs: 30 }));
    expect(crowdSwitch.on, 'too few members to tell').toBe(true);
    crowdSwitch.member(false);
    crowdSwitch.look(250, () => ({ attempts: 64, attemptMs: 100, waitedMs: 30 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(1_249, () => ({ attempts: 72, attemptMs: 200, waitedMs: 130 }));
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(1_350, () => ({ attempts: 80, attemptMs: 300, waitedMs: 230 }));
    expect(crowdSwitch.on).toBe(true);
  });

  it('goes off when more than a quarter of the members met locks, for longer each time', () => {
    const crowdSwitch = switchedOn();
    const deny = (nowMs: number) => {
      for (let i = 0; i < 70; i++) crowdSwitch.member(true);
      for (let i = 0; i < 30; i++) crowdSwitch.denied();
      crowdSwitch.look(nowMs, () => ({ attempts: 88, attemptMs: 100, waitedMs: 30 }));
    };
    deny(250);
    expect(crowdSwitch.on, 'locks from before may deny them').toBe(true);
    expect([crowdSwitch.goesOver(1_099), crowdSwitch.goesOver(1_100)]).toEqual([true, false]);
    deny(1_200);
    expect(crowdSwitch.on).toBe(false);
    crowdSwitch.look(2_250, () => ({ attempts: 96, attemptMs: 200, waitedMs: 130 }));
    expect(crowdSwitch.on).toBe(true);
    deny(2_400); // says nothing yet, neither for chains nor against them
    deny(3_300);
    crowdSwitch.look(4_400, () => ({ attempts: 104, attemptMs: 300, waitedMs: 230 }));
    expect(crowdSwitch.on, 'two seconds').toBe(false);
    crowdSwitch.look(5_400, () => ({ attempts: 112, attemptMs: 400, waitedMs: 330 }));
    expect(crowdSwitch.on).toBe(true);
  });

  it('stays on while members meet others', () => {
    const crowdSwitch = switchedOn();
    for (let i = 0; i < 100; i++) crowdSwitch.member(i % 20 === 0);
    crowdSwitch.look(250, () => ({ attempts: 120, attemptMs: 100, waitedMs: 30 }));
    expect(crowdSwitch.on).toBe(true);
  });
});

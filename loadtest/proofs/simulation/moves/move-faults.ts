// Moves of slots, as if operators asked for them, at any moment.
import type { Fault } from '../fault.ts';

export const MOVE_FAULTS = {
  moveSlots({ cluster, world }, chance) {
    if (cluster.moving.length > 0) chance.pick(cluster.moving).give(chance, `move-${world.nowMs}`);
  },
  callOffMove({ cluster }, chance) {
    const giving = cluster.moving.filter(({ isMoving }) => isMoving);
    if (giving.length > 0) chance.pick(giving).callOff();
  },
} satisfies Record<string, Fault>;

// The time that a disk takes to sync a small write. Every durable commit takes at least this time.

import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../kit/statistics.ts';

const WRITES = 100;
const BYTES = 4096;
/** statfs(2): f_type of tmpfs */
const TMPFS_MAGIC = 0x0102_1994;

export interface Disk {
  /** median time to append 4 KiB and sync them */
  sync_ms: number;
  /** the folder is in memory: syncing costs nothing and makes nothing durable */
  in_memory: boolean;
}

export function measureDisk(folder: string): Disk {
  const path = join(folder, 'disk');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(BYTES, 1);
  try {
    const took = Array.from({ length: WRITES }, () => {
      const begunMs = performance.now();
      writeSync(file, page);
      fdatasyncSync(file);
      return performance.now() - begunMs;
    });
    return { sync_ms: median(took), in_memory: statfsSync(folder).type === TMPFS_MAGIC };
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

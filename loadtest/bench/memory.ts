// Memory: bytes for a record, a member and a field of each data type, in a gateway's process and in Redis.
//
// For each type and layout a fresh gateway, and a fresh redis-server, take insertions over loopback. After each step the resident memory
// of the process is read. A line is fitted through the readings by least squares, and its slope is the bytes of one insertion: the memory
// of the empty process does not count. Nothing is logged.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { Progress } from '../kit/progress.ts';
import { table } from '../kit/table.ts';
import { bytesInClaret, bytesInRedis, type OnRedis } from './memory/measure.ts';
import { SHAPES, type Layout } from './memory/shapes.ts';
import { HOW_TO_INSTALL, redisVersion } from '../kit/redis-server.ts';

const TYPES = [...new Set(SHAPES.map(({ type }) => type))];

const options = readFlags(
  {
    json: { type: 'string' },
    type: { type: 'string', multiple: true, default: TYPES },
    // insertions before the first reading, between two readings, and the number of further readings
    first: { type: 'string', default: '50000' },
    step: { type: 'string', default: '60000' },
    steps: { type: 'string', default: '4' },
  },
  { type: TYPES },
);
const levels = { first: Number(options.first), step: Number(options.step), steps: Number(options.steps) };

interface Row {
  type: string;
  layout: Layout;
  claret_bytes: number;
  /** null: Redis is missing, or has no such type */
  redis: OnRedis | null;
}

const WORDS: Readonly<Record<Layout, string>> = {
  record: 'a record with one member',
  small: 'a member, 100 in each record',
  large: 'a member, all in one record',
};

const redis = redisVersion();
if (redis === null) console.log(`Without Redis: ${HOW_TO_INSTALL}\n`);
const progress = new Progress();
const rows: Row[] = [];
for (const shape of SHAPES.filter(({ type }) => options.type.includes(type))) {
  progress.show(`${shape.type}: ${WORDS[shape.layout]}`);
  const claret_bytes = await bytesInClaret(shape, levels);
  rows.push({ type: shape.type, layout: shape.layout, claret_bytes, redis: redis === null ? null : await bytesInRedis(shape, levels) });
}
progress.end();
const bytes = (value: number | undefined) => (value === undefined ? '' : Math.round(value).toLocaleString('en'));
console.log(
  `Bytes of one insertion; keys of 14 bytes, members of 9; ${levels.steps} steps of ${levels.step.toLocaleString('en')} insertions${redis === null ? '' : `; Redis ${redis}`}.\n`,
);
console.log(
  table(
    ['', 'Claret, resident', 'Redis, resident', 'Redis, MEMORY USAGE', 'Claret to Redis'],
    rows.map(({ type, layout, claret_bytes, redis: other }) => [
      `${type}: ${WORDS[layout]}`,
      bytes(claret_bytes),
      bytes(other?.resident),
      bytes(other?.told),
      other === null ? '' : `${(claret_bytes / other.resident).toFixed(2)} x`,
    ]),
  ),
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ options, redis, rows }, null, 2)}\n`);

// npm run laws: checks the laws that the data types declare on random cases. Ends with `pairs: tried/all`.
//   npm run laws -- --times=20 --type=Set    20 times as many cases, of one type alone
import { join } from 'node:path';
import { handOver } from '../run/handover.js';
import { buildFolder } from '../setup/native.js';
import { setUp } from '../setup/setup.js';

/** @param {string[]} args of server-core/src/adt/main_laws.cc @returns {Promise<number>} exit code */
export async function laws(args) {
  await setUp('laws');
  return handOver(join(buildFolder(), 'laws'), args);
}

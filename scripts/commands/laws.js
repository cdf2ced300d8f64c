// npm run laws: what the data types claim about themselves, tried on random cases.
import { join } from 'node:path';
import { handOver } from '../run/handover.js';
import { buildFolder } from '../setup/native.js';
import { setUpNative, setUpNode } from '../setup/setup.js';

/** @param {string[]} args of GoogleTest @returns {Promise<number>} exit code */
export async function laws(args) {
  await setUpNode();
  await setUpNative('release', ['laws']);
  return handOver(join(buildFolder('release'), 'laws'), args);
}

// Runs seeds of the simulation until one finds something. Prints how many it took, and the rule that was violated.
//   CLARET_MISTAKE=NAME node --import ./load.ts seeds.ts PLAN WORKLOAD SEEDS MINUTES
import { shardsWith } from '../mutants.ts';
import { run } from '../simulation/run.ts';
import { mistakeOf } from './mistakes.ts';

const [plan, workload, seedsMax, minutes] = process.argv.slice(2);
const { CLARET_MISTAKE: mistake } = process.env;
const core = mistake === undefined ? undefined : mistakeOf(mistake).core;
const createShard = core === undefined ? undefined : shardsWith(core);
let seed = 0;
let rule = 'nothing';

while (rule === 'nothing' && seed < Number(seedsMax)) {
  const { violations } = await run({ seed: ++seed, minutes: Number(minutes), plan, workload, createShard, endsAtViolation: true });
  rule = violations[0]?.rule ?? rule;
}
console.log(`${mistake ?? 'no mistake'}: ${seed} seeds of ${workload} under ${plan} found ${rule}`);

// Runs seeds of the simulation until one finds something. Prints how many it took, and the rule that was violated.
//   CLARET_MISTAKE=NAME node --import ./load.ts seeds.ts PLAN WORKLOAD SEEDS MINUTES
import { run } from '../simulation/run.ts';

const [plan, workload, seedsMax, minutes] = process.argv.slice(2);
let seed = 0;
let rule = 'nothing';

while (rule === 'nothing' && seed < Number(seedsMax)) {
  const { violations } = await run({ seed: ++seed, minutes: Number(minutes), plan, workload, endsAtViolation: true });
  rule = violations[0]?.rule ?? rule;
}
console.log(`${process.env.CLARET_MISTAKE ?? 'no mistake'}: ${seed} seeds of ${workload} under ${plan} found ${rule}`);

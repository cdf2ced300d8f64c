// The authors' peak throughputs (claret-peak-throughput.csv): the peak of each curve in the paper's figures 5 to 8 and 10, from the
// data that the authors published with the paper's source. They ran 4 single-threaded shards and 4 client hosts with up to 384
// client threads, every operation awaited. Their ratios are comparable with ours, their absolute numbers are not.

import { readFileSync } from 'node:fs';

const FILE = new URL('./claret-peak-throughput.csv', import.meta.url);

export class AuthorsPeaks {
  readonly #peaks = new Map<string, number>();

  /** @param csv workload,point,condition,peak_txn_per_s with a header line */
  constructor(csv: string) {
    for (const line of csv.trim().split('\n').slice(1)) {
      const [workload, point, condition, peak] = line.split(',');
      this.#peaks.set(`${workload},${point},${condition}`, Number(peak));
    }
  }

  static read(): AuthorsPeaks {
    return new AuthorsPeaks(readFileSync(FILE, 'utf8'));
  }

  /** The ratio of one condition's peak to another's; null if the authors have not published both. */
  ratio(workload: string, point: string, condition: string, to: string): number | null {
    const [peak, other] = [condition, to].map((name) => this.#peaks.get(`${workload},${point},${name}`));
    return peak === undefined || other === undefined ? null : peak / other;
  }
}

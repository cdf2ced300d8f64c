// Every workload, by name.
import type { Workload } from './workload.ts';
import { absent } from './absent.ts';
import { asOf } from './as-of.ts';
import { bulk, bulkLocks } from './bulk.ts';
import { elsewhere } from './elsewhere.ts';
import { epochBatches, epochs } from './epochs.ts';
import { guessed } from './guessed.ts';
import { hotForecast } from './hot-forecast.ts';
import { hotSets } from './hot-sets.ts';
import { hotRows, hotWide } from './hot-wide.ts';
import { identifiers } from './identifiers.ts';
import { lent } from './lent.ts';
import { long } from './long.ts';
import { mixed } from './mixed.ts';
import { nativeResults } from './native-results.ts';
import { nativeCross } from './native-cross.ts';
import { nativePipes } from './native-pipes.ts';
import { natives } from './natives.ts';
import { oneType } from './one-type.ts';
import { ownTypes, wrongClaim } from './own-types.ts';
import { pairs } from './pairs.ts';
import { pieces } from './pieces.ts';
import { promised } from './promised.ts';
import { rawmix } from './rawmix.ts';
import { readers } from './readers.ts';
import { resp } from './resp.ts';
import { retwis } from './retwis.ts';
import { retried } from './retried.ts';
import { rubis } from './rubis.ts';
import { snapshots } from './snapshots.ts';
import { stock, stockCrowd } from './stock.ts';
import { transfers } from './transfers.ts';
import { tree } from './tree.ts';
import { upgraders, upgradersCrowd } from './upgraders.ts';
import { watched } from './watched.ts';
import { wide } from './wide.ts';

export const WORKLOADS: readonly Workload[] = [
  bulk,
  hotForecast,
  hotSets,
  hotWide,
  identifiers,
  long,
  mixed,
  oneType,
  readers,
  retried,
  stock,
  transfers,
  upgraders,
  watched,
  wide,
  rawmix,
  rubis,
  retwis,
  natives,
  nativeResults,
  nativeCross,
  nativePipes,
  bulkLocks,
  stockCrowd,
  upgradersCrowd,
  pieces,
  hotRows,
  promised,
  elsewhere,
  absent,
  pairs,
  tree,
  lent,
  asOf,
  epochs,
  epochBatches,
  snapshots,
  resp,
  ownTypes,
  guessed,
];

/** In their runs something does not hold that a developer has promised, and the checks have to notice. */
export const WRONG_WORKLOADS: readonly Workload[] = [wrongClaim];

export const ALL_WORKLOADS: readonly Workload[] = [...WORKLOADS, ...WRONG_WORKLOADS];

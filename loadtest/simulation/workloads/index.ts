// Every workload, by name.
import type { Workload } from '../workload.ts';
import { transfers } from './transfers.ts';

export const WORKLOADS: readonly Workload[] = [transfers];

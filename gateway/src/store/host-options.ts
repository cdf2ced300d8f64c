// What a shard's host is told of the gateway's settings.
import { randomBytes } from 'node:crypto';
import { parseCluster } from '../cluster.ts';
import { configured } from '../condition-settings.ts';
import type { Config } from '../config.ts';
import type { ShardHostOptions } from './shard-host.ts';

export function hostOptions(config: Config, incarnation: number): ShardHostOptions {
  const shards = config.dealtShards || parseCluster(config.cluster).length;
  const { shard, sessionLeaseMs, phaseCapMs, woundDelayMs, woundGraceMs, idleMs } = config;
  const { frameBytesMax, outputBytesMax, pollMicroseconds } = config;
  const { warrantyTermMs, warrantyFirmMsMax, warrantyUsesMin, pastMs, pastBytes } = config;
  return {
    shard,
    shards,
    incarnation,
    sessionLeaseMs,
    phaseCapMs,
    woundDelayMs,
    woundGraceMs,
    idleMs,
    frameBytesMax,
    outputBytesMax,
    pollMicroseconds,
    stopwatch: true,
    warrantyTermMs,
    warrantyFirmMsMax,
    warrantyUsesMin,
    pastMs,
    pastBytes,
    digestKey: randomBytes(16),
    conditions: configured(config),
  };
}

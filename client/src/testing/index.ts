// The public face of @claret/client/testing.

export { connectForTests, type TestConnectOptions } from '../connect.ts';
export { inProcessCluster, type ClusterOptions, type InProcessCluster } from './in-process-cluster.ts';
export { freshSeed, randomFrom, type Random } from './random.ts';
export { FarCluster, type Measured } from './far-cluster.ts';
export { ShardHost } from './shard-host.ts';
export { CalmEnvironment } from './calm-environment.ts';
export { untilWaiting } from './until-waiting.ts';

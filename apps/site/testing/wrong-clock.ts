// For tests: the environment of an app server whose wall clock is wrong.
import { systemEnvironment, type Environment } from '@claret/client';

export const wrongClock = (ahead_ms: number): Environment => ({
  ...systemEnvironment,
  wallMs: () => systemEnvironment.wallMs() + ahead_ms,
  civilMs: () => systemEnvironment.civilMs() + ahead_ms,
});

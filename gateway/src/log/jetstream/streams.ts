// Finds the two streams of a shard, or creates them where the shard has had none.
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { StreamInfo } from '@nats-io/jetstream';
import { pause } from '../../store/environment.ts';
import { LogDamaged, LogRefused } from '../log.ts';
import { askAgain } from './asking.ts';
import { whyOf } from './connection.ts';
import type { Nats } from './connection.ts';
import type { StreamNames } from './names.ts';
import { differences, wantedConfig } from './stream-config.ts';

const WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 100;
/** The leader has not heard of enough servers yet; a stream that another gateway is creating is not known everywhere yet. */
const TEMPORARY: readonly number[] = [10_005, JetStreamApiCodes.StreamNotFound];

export interface FoundStreams {
  log: StreamInfo;
  checkpoint: StreamInfo;
}

/** `isNew`: the shard has never had a log, so streams may be created. Throws LogRefused. */
export async function findStreams(nats: Nats, names: StreamNames, replicas: number, isNew: boolean): Promise<FoundStreams> {
  const log = await find(nats, names.log, replicas, isNew);
  // Streams are created together, so a filled one without the other has lost it.
  return { log, checkpoint: await find(nats, names.checkpoint, replicas, isNew && log.state.last_seq === 0) };
}

async function find(
  nats: Nats,
  { stream, subjects }: { stream: string; subjects: string },
  replicas: number,
  mayCreate: boolean,
): Promise<StreamInfo> {
  const wanted = wantedConfig(stream, subjects, replicas);
  const info = (await infoOf(nats, stream)) ?? (mayCreate ? await insisting(nats, stream, () => nats.jsm.streams.add(wanted)) : undefined);
  if (info === undefined)
    throw new LogRefused(
      `the stream ${stream} is missing, although this shard had a log: nothing has been changed. Bring the servers' data back (docs/operations.md, "Failures of the replicated log")`,
    );
  const different = differences(wanted, info.config);
  if (different.length > 0)
    throw new LogRefused(`the stream ${stream} is not configured as a log has to be: ${different.join('; ')}. Correct it, and start again`);
  return info;
}

const infoOf = (nats: Nats, stream: string): Promise<StreamInfo | undefined> => insisting(nats, stream, () => streamInfo(nats, stream));

/** Undefined if there is no such stream. Throws if the servers give no answer. */
export const streamInfo = ({ jsm, environment }: Nats, stream: string): Promise<StreamInfo | undefined> =>
  askAgain(environment, () => jsm.streams.info(stream)).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  });

/** Asks again while there is no answer: servers that start may take a while until they have a leader. A refusal is final, and so is damage. */
export async function insisting<T>({ environment }: Nats, stream: string, ask: () => Promise<T>): Promise<T> {
  for (const giveUpMs = environment.monotonicMs() + WITHIN_MS; ;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof LogRefused || error instanceof LogDamaged) throw error;
      const isTemporary = !(error instanceof JetStreamApiError) || error.status === 503 || TEMPORARY.includes(error.code);
      if (!isTemporary) throw new LogRefused(`NATS refuses the stream ${stream}: ${(error as Error).message}`);
      if (environment.monotonicMs() > giveUpMs)
        throw new LogRefused(`NATS tells nothing of the stream ${stream} (${whyOf(error as Error)}): see whether most of its servers run`);
      await pause(environment, TRY_AGAIN_MS);
    }
  }
}

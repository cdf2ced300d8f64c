// Deliberate mistakes in a gateway, which a run must find: loaded into its process before anything else (NODE_OPTIONS=--import), if
// CRASH_SABOTAGE names one. Mistakes of the core need the addon claret_mutants (server-core/src/ground/mutation.h).

import { registerHooks } from 'node:module';
import type { Log } from '@claret/gateway/log/log.ts';
import type { Mutation } from '../mutants.ts';

const KEY_KIND = { record: 2, answers: 6 };
/** One in this many of the records that checkpoints put is dropped. */
const DROPPED_EVERY = 7;
/** Entries missing at the end of a shard's part of a backup. */
const CUT_EARLY_BY = 3;

interface LogClass {
  prototype: Log;
}

/** The local log's and the replicated log's. */
async function logClasses(): Promise<LogClass[]> {
  const { LocalLog } = await import('../../../gateway/src/log/local-log.ts');
  const { JetStreamLog } = await import('../../../gateway/src/log/jetstream/jetstream-log.ts');
  return [LocalLog as unknown as LogClass, JetStreamLog as unknown as LogClass];
}

/** Drops pairs of checkpoints on their way into the log. */
async function withoutPairs(isLost: (kind: number) => boolean): Promise<void> {
  const { decodePairs, PUT } = await import('../../../gateway/src/log/pairs.ts');
  const rest = (pairs: Uint8Array): Uint8Array => {
    const kept: Uint8Array[] = [];
    let at = 0;
    for (const { kind, key, value } of decodePairs(pairs)) {
      const end = value.byteOffset + value.length - pairs.byteOffset;
      if (kind !== PUT || !isLost(key[0]!)) kept.push(pairs.subarray(at, end));
      at = end;
    }
    return new Uint8Array(Buffer.concat(kept));
  };
  for (const { prototype } of await logClasses()) {
    const { keep, seal } = prototype;
    prototype.keep = function (this: Log, pairs, kept) {
      return keep.call(this, rest(pairs), kept);
    };
    prototype.seal = function (this: Log, pairs, position, sealed) {
      return seal.call(this, rest(pairs), position, sealed);
    };
  }
}

async function coreWith(mutation: Mutation): Promise<void> {
  const url = new URL(`core-mutant.ts?${mutation}`, import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@claret/core' ? { url, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
  });
}

export const SABOTAGES: Readonly<Record<string, () => Promise<void>>> = {
  async 'told-before-synced'() {
    for (const { prototype } of await logClasses()) {
      const { append } = prototype;
      prototype.append = function (this: Log, entries, position, durable) {
        setImmediate(() => durable(position));
        return append.call(this, entries, position, () => {});
      };
    }
  },
  'records-not-put': () => {
    let records = 0;
    return withoutPairs((kind) => kind === KEY_KIND.record && records++ % DROPPED_EVERY === 0);
  },
  'answers-not-put': () => withoutPairs((kind) => kind === KEY_KIND.answers),
  'answers-not-logged': () => coreWith('answers-not-logged'),
  'natives-not-positioned': () => coreWith('natives-not-positioned'),
  'epoch-half': () => coreWith('epoch-half'),
  'start-below-ceiling': () => coreWith('start-below-ceiling'),
  async 'backup-cut-early'() {
    const { CutsHost } = await import('../../../gateway/src/store/cuts-host.ts');
    const { cut } = CutsHost.prototype;
    CutsHost.prototype.cut = function (this: typeof CutsHost.prototype) {
      return cut.call(this) - CUT_EARLY_BY;
    };
  },
};

/** The environment of a sabotaged gateway. */
export const sabotaged = (name: string): NodeJS.ProcessEnv => ({ CRASH_SABOTAGE: name, NODE_OPTIONS: `--import ${import.meta.url}` });

const { CRASH_SABOTAGE } = process.env;
if (CRASH_SABOTAGE !== undefined) await SABOTAGES[CRASH_SABOTAGE]!();

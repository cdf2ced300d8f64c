// Backup between gateways: serves the own shard's backup to a gateway that coordinates one, and drives other shards' backups.
import type { EventEmitter } from 'node:events';
import type { ClientDuplexStream, ServerDuplexStream, ServiceError } from '@grpc/grpc-js';
import type { SlotRun } from '@claret/client';
import type { OwnShardBackup } from '../backup/own-shard-backup.ts';
import type { ShardBackup, ShardBackupPrepared, ShardBackupReady } from '../backup/shard-backup.ts';
import { GatewayError } from '../errors.ts';
import { codeIn, statusOf } from './status.ts';

/** claret.v1.BackupStep and BackupAnswer in the loader's form: 64-bit numbers as text */
export interface WireStep {
  step?: 'prepare' | 'cutAt' | 'send';
  prepare?: boolean;
  cutAt?: string;
  send?: boolean;
}
export interface WireAnswer {
  ready?: ShardBackupReady;
  prepared?: { reached: string; slots: SlotRun[] };
  isSet?: boolean;
  /** a chunk of the file (backup/format.ts) */
  frame?: Buffer;
}

/** A shard's refusals that apply to the whole backup. */
const PASSED_THROUGH = ['backup_running', 'disk_full', 'log_unavailable', 'no_log'] as const;

type Call = ServerDuplexStream<WireStep, WireAnswer>;

export const serveBackup =
  (own: OwnShardBackup) =>
  (call: Call): void => {
    let opened: ShardBackup | undefined;
    let ended = false;
    const end = () => {
      ended = true;
      opened?.close();
    };
    const fail = (error: Error) => {
      if (ended) return;
      end();
      const known =
        error instanceof GatewayError
          ? error
          : new GatewayError('shard_unavailable', `The backup of this shard has failed: ${error.message}.`);
      call.emit('error', statusOf(known));
    };
    // Cancelled, broken, or sent completely.
    for (const event of ['cancelled', 'error', 'close', 'end']) call.on(event, end);
    const begin = async () => {
      opened = own.open();
      call.write({ ready: await opened.ready() });
    };
    let steps = begin().catch(fail);
    call.on('data', (step: WireStep) => {
      steps = steps.then(() => (ended ? undefined : take(opened!, step, call))).catch(fail);
    });
  };

async function take(shardBackup: ShardBackup, { step, cutAt }: WireStep, call: Call): Promise<void> {
  if (step === 'prepare') {
    const { reached, slots } = await shardBackup.prepare();
    call.write({ prepared: { reached: String(reached), slots: [...slots] } });
  } else if (step === 'cutAt') {
    call.write({ isSet: await shardBackup.setCut(BigInt(cutAt!)) });
  } else {
    for await (const chunk of shardBackup.send()) {
      if (!call.write({ frame: chunk })) await drained(call);
    }
    call.end();
  }
}

/** Resolves when the stream can take more, or has ended. */
const drained = (stream: EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'close', 'cancelled', 'error'];
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });

/** The backup of a shard at another gateway. */
export class RemoteShardBackup implements ShardBackup {
  /** shard and address, for error messages */
  private readonly peer: string;
  private readonly stream: ClientDuplexStream<WireStep, WireAnswer>;
  private readonly answers: AsyncIterator<WireAnswer>;

  constructor(peer: string, stream: ClientDuplexStream<WireStep, WireAnswer>) {
    this.peer = peer;
    this.stream = stream;
    stream.on('error', () => {}); // the pending step rejects with it
    this.answers = stream[Symbol.asyncIterator]() as AsyncIterator<WireAnswer>;
  }

  async ready(): Promise<ShardBackupReady> {
    return (await this.answer()).ready!;
  }

  async prepare(): Promise<ShardBackupPrepared> {
    this.stream.write({ prepare: true });
    const { reached, slots } = (await this.answer()).prepared!;
    return { reached: BigInt(reached), slots };
  }

  async setCut(at: bigint): Promise<boolean> {
    this.stream.write({ cutAt: String(at) });
    return (await this.answer()).isSet!;
  }

  async *send(): AsyncGenerator<Buffer> {
    this.stream.write({ send: true });
    for (;;) {
      const { value, done } = await this.next();
      if (done === true) break;
      yield value.frame!;
    }
    this.stream.end();
  }

  close(): void {
    this.stream.cancel();
  }

  private async answer(): Promise<WireAnswer> {
    const { value, done } = await this.next();
    if (done === true) throw new Error(`${this.peer} has ended its backup`);
    return value;
  }

  private async next(): Promise<IteratorResult<WireAnswer>> {
    try {
      return await this.answers.next();
    } catch (error) {
      const code = PASSED_THROUGH.find((known) => known === codeIn(error as Partial<ServiceError>)) ?? 'shard_unavailable';
      throw new GatewayError(
        code,
        `${this.peer} takes no part in the backup: ${(error as { details?: string }).details ?? (error as Error).message}`,
      );
    }
  }
}

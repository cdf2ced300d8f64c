// Backup between gateways: the part that the own shard takes in another's backup, and the other shards' parts in the own.
import type { EventEmitter } from 'node:events';
import type { ClientDuplexStream, ServerDuplexStream, ServiceError } from '@grpc/grpc-js';
import type { OnePart } from '../backup/one-part.ts';
import type { Part, PartReady } from '../backup/shard-part.ts';
import { GatewayError } from '../errors.ts';
import { codeIn, statusOf } from './status.ts';

/** As claret.v1.BackupStep and BackupAnswer go to the loader and come from it: 64-bit numbers as text. */
export interface WireStep {
  step?: 'prepare' | 'cutAt' | 'send';
  prepare?: boolean;
  cutAt?: string;
  send?: boolean;
}
export interface WireAnswer {
  ready?: PartReady;
  reached?: string;
  isSet?: boolean;
  frame?: Buffer;
}

/** Of another shard's refusals, those that mean the same for the whole backup. */
const PASSED_ON = ['backup_running', 'disk_full', 'no_log'] as const;

type Call = ServerDuplexStream<WireStep, WireAnswer>;

export const serveBackup =
  (own: OnePart) =>
  (call: Call): void => {
    let part: Part | undefined;
    let over = false;
    const leave = () => {
      over = true;
      part?.close();
    };
    const fail = (error: Error) => {
      if (over) return;
      leave();
      const known =
        error instanceof GatewayError
          ? error
          : new GatewayError('shard_unavailable', `The part of this shard has failed: ${error.message}.`);
      call.emit('error', statusOf(known));
    };
    // Given up, or all of it was sent.
    for (const event of ['cancelled', 'error', 'close', 'end']) call.on(event, leave);
    const begin = async () => {
      part = own.open();
      call.write({ ready: await part.ready() });
    };
    let steps = begin().catch(fail);
    call.on('data', (step: WireStep) => {
      steps = steps.then(() => (over ? undefined : take(part!, step, call))).catch(fail);
    });
  };

async function take(part: Part, { step, cutAt }: WireStep, call: Call): Promise<void> {
  if (step === 'prepare') {
    call.write({ reached: String(await part.prepare()) });
  } else if (step === 'cutAt') {
    call.write({ isSet: await part.setCut(BigInt(cutAt!)) });
  } else {
    for await (const frame of part.send()) {
      if (!call.write({ frame })) await drained(call);
    }
    call.end();
  }
}

/** Or gone. */
const drained = (stream: EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'close', 'cancelled', 'error'];
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });

/** The part of a shard that another gateway has. */
export class RemotePart implements Part {
  private readonly who: string;
  private readonly stream: ClientDuplexStream<WireStep, WireAnswer>;
  private readonly answers: AsyncIterator<WireAnswer>;

  constructor(who: string, stream: ClientDuplexStream<WireStep, WireAnswer>) {
    this.who = who;
    this.stream = stream;
    stream.on('error', () => {}); // whoever waits for an answer is told
    this.answers = stream[Symbol.asyncIterator]() as AsyncIterator<WireAnswer>;
  }

  async ready(): Promise<PartReady> {
    return (await this.answer()).ready!;
  }

  async prepare(): Promise<bigint> {
    this.stream.write({ prepare: true });
    return BigInt((await this.answer()).reached!);
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
    if (done === true) throw new Error(`${this.who} has ended its part`);
    return value;
  }

  private async next(): Promise<IteratorResult<WireAnswer>> {
    try {
      return await this.answers.next();
    } catch (error) {
      const code = PASSED_ON.find((known) => known === codeIn(error as Partial<ServiceError>)) ?? 'shard_unavailable';
      throw new GatewayError(
        code,
        `${this.who} takes no part in the backup: ${(error as { details?: string }).details ?? (error as Error).message}`,
      );
    }
  }
}

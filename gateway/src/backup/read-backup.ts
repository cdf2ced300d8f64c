// Reads a backup, and believes nothing that it has not checked: frame by frame, so that a file of any size takes little memory.
import Type from 'typebox';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { crc32c } from '../log/crc32c.ts';
import type { KeptPiece } from '../log/log.ts';
import { CRC_BYTES, FORMAT, HEAD_BYTES, Kind, MAGIC, PAYLOAD_BYTES_MAX, WHOLE, decodeHead, decodePiece } from './format.ts';
import type { BackupBegin, FrameHead, PartBegin, PartEnd } from './format.ts';

/** It is no whole backup; the message names the offset in the file. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
  readonly offset: number;

  constructor(offset: number, what: string) {
    super(`offset ${offset}: ${what}`);
    this.offset = offset;
  }
}

/** What a backup holds, in order. After `whole` nothing comes: only then is all of it there. */
export type BackupPiece =
  | { begin: BackupBegin }
  | { part: PartBegin; shard: number }
  | { piece: KeptPiece; shard: number }
  | { partEnd: PartEnd; shard: number }
  | { whole: { frames: number; bytes: number } };

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const BeginSchema = Type.Object({
  format: Type.Integer(),
  cluster_name: Type.String(),
  shards: Type.Integer({ minimum: 1, maximum: 256 }),
  at: Type.String({ pattern: '^\\d{1,20}$' }),
  made_at_ms: Type.Number(),
});
const PartSchema = Type.Object({ incarnation: count, position: count });
const PartEndSchema = Type.Object({ records: count, entries: count });
const TrailerSchema = Type.Object({ frames: count });

interface Frame extends FrameHead {
  offset: number;
  payload: Buffer;
}

/** Throws BackupDamaged. */
export async function* readBackup(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPiece> {
  const source = new Source(bytes);
  const begin = await readBegin(source);
  yield { begin };
  let frames = 0;
  for (let shard = 0; shard < begin.shards; shard++) {
    frames += yield* readPart(source, shard);
  }
  const trailer = await readFrame(source, WHOLE, 1);
  if (trailer.kind !== Kind.trailer) throw new BackupDamaged(trailer.offset, 'another frame stands where the trailer should');
  const told = content(trailer, TrailerSchema);
  if (told.frames !== frames)
    throw new BackupDamaged(trailer.offset, `the trailer tells of ${told.frames} frames, and there are ${frames}`);
  const end = source.offset;
  if (!(await source.atEnd())) throw new BackupDamaged(end, 'something follows the trailer');
  yield { whole: { frames, bytes: end } };
}

async function readBegin(source: Source): Promise<BackupBegin> {
  const magic = await source.take(MAGIC.length);
  if (magic === undefined || !magic.equals(MAGIC)) throw new BackupDamaged(0, 'this is no backup');
  const frame = await readFrame(source, WHOLE, 0);
  if (frame.kind !== Kind.begin) throw new BackupDamaged(frame.offset, 'another frame stands where the file should begin');
  const begin = content(frame, BeginSchema);
  if (begin.format !== FORMAT) throw new BackupDamaged(frame.offset, `written in format ${begin.format}; this version reads ${FORMAT}`);
  return begin;
}

/** Returns how many frames it has. */
async function* readPart(source: Source, shard: number): AsyncGenerator<BackupPiece, number> {
  const sums: PartEnd = { records: 0, entries: 0 };
  let part: PartBegin | undefined;
  for (let number = 0; ; number++) {
    const frame = await readFrame(source, shard, number);
    const { kind, offset } = frame;
    if ((kind === Kind.part) !== (number === 0))
      throw new BackupDamaged(offset, `frame ${number} of shard ${shard} is not what should stand there`);
    if (kind === Kind.part) {
      yield { part: (part = content(frame, PartSchema)), shard };
    } else if (kind === Kind.checkpoint || kind === Kind.entries) {
      const piece = decodePiece(kind, frame.payload);
      if (piece === undefined) throw new BackupDamaged(offset, 'a piece without its count');
      if ('checkpoint' in piece && sums.entries > 0) throw new BackupDamaged(offset, 'a piece of a checkpoint after entries');
      if ('entries' in piece) sums.entries += piece.count;
      else sums.records += piece.records;
      yield { piece, shard };
    } else if (kind === Kind.partEnd) {
      const told = content(frame, PartEndSchema);
      if (told.records !== sums.records || told.entries !== sums.entries || told.entries > part!.position) {
        throw new BackupDamaged(offset, `the part of shard ${shard} does not hold what its end tells`);
      }
      yield { partEnd: told, shard };
      return number + 1;
    } else {
      throw new BackupDamaged(offset, `a frame of kind ${kind} in the part of shard ${shard}`);
    }
  }
}

async function readFrame(source: Source, shard: number, number: number): Promise<Frame> {
  const { offset } = source;
  const head = await source.take(HEAD_BYTES);
  if (head === undefined) throw new BackupDamaged(source.end, 'the file ends here, before its trailer: it is not complete');
  const read = decodeHead(head);
  if (read.payloadBytes > PAYLOAD_BYTES_MAX) throw new BackupDamaged(offset, `a frame of ${read.payloadBytes} bytes`);
  const rest = await source.take(read.payloadBytes + CRC_BYTES);
  if (rest === undefined)
    throw new BackupDamaged(source.end, `the file ends here, within the frame that began at ${offset}: it is not complete`);
  const payload = rest.subarray(0, read.payloadBytes);
  if (crc32c(payload, crc32c(head)) !== rest.readUInt32LE(read.payloadBytes))
    throw new BackupDamaged(offset, 'a frame with a wrong checksum');
  if (read.shard !== shard || read.number !== number) {
    throw new BackupDamaged(
      offset,
      `frame ${read.number} of ${partName(read.shard)} stands where frame ${number} of ${partName(shard)} should`,
    );
  }
  return { ...read, offset, payload };
}

const partName = (shard: number): string => (shard === WHOLE ? 'the file' : `shard ${shard}`);

function content<Schema extends TSchema>({ payload, offset }: Frame, schema: Schema): Static<Schema> {
  let told: unknown;
  try {
    told = JSON.parse(payload.toString('utf8'));
  } catch {
    told = undefined;
  }
  if (!Value.Check(schema, told)) throw new BackupDamaged(offset, 'a frame whose content this version does not know');
  return told as Static<Schema>;
}

/** Bytes that come in pieces of any size, taken in pieces of another. */
class Source {
  /** of what was taken */
  offset = 0;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.pieces = bytes[Symbol.asyncIterator]();
  }

  /** of all that has come */
  get end(): number {
    return this.offset + this.waitingBytes;
  }

  /** Undefined where there are not so many. */
  async take(bytes: number): Promise<Buffer | undefined> {
    while (this.waitingBytes < bytes) if (!(await this.more())) return undefined;
    const joined =
      this.waiting.length === 1
        ? Buffer.from(this.waiting[0]!.buffer, this.waiting[0]!.byteOffset, this.waiting[0]!.length)
        : Buffer.concat(this.waiting);
    this.offset += bytes;
    this.waitingBytes -= bytes;
    this.waiting = this.waitingBytes > 0 ? [joined.subarray(bytes)] : [];
    return joined.subarray(0, bytes);
  }

  async atEnd(): Promise<boolean> {
    return this.waitingBytes === 0 && !(await this.more());
  }

  private async more(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.pieces.next();
      if (done === true) return false;
      if (value.length === 0) continue;
      this.waiting.push(value);
      this.waitingBytes += value.length;
      return true;
    }
  }
}

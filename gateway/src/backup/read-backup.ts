// Reads a backup and verifies everything before it is used: chunk by chunk, so that a file of any size takes little memory.
import Type from 'typebox';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { crc32c } from '../log/crc32c.ts';
import type { KeptPiece } from '../log/log.ts';
import {
  CRC_BYTES,
  FORMAT,
  FORMAT_OLDEST,
  HEADER_BYTES,
  Kind,
  MAGIC,
  NO_SHARD,
  PAYLOAD_BYTES_MAX,
  decodeHeader,
  decodePiece,
} from './format.ts';
import type { BackupBegin, ChunkHeader, ShardBegin, ShardEnd } from './format.ts';

/** The file is not a complete backup; the message names the offset in the file. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
  readonly offset: number;

  constructor(offset: number, what: string) {
    super(`offset ${offset}: ${what}`);
    this.offset = offset;
  }
}

/** The contents of a backup, in order. `whole` comes last; only then is the backup known to be complete. */
export type BackupPiece =
  | { begin: BackupBegin }
  | { shardBegin: ShardBegin; shard: number }
  | { piece: KeptPiece; shard: number }
  | { shardEnd: ShardEnd; shard: number }
  | { whole: { chunks: number; bytes: number } };

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const BeginSchema = Type.Object({
  format: Type.Integer(),
  cluster_name: Type.String(),
  shards: Type.Integer({ minimum: 1, maximum: 256 }),
  dealt_shards: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  at: Type.String({ pattern: '^\\d{1,20}$' }),
  made_at_ms: Type.Number(),
});
const ShardBeginSchema = Type.Object({ incarnation: count, position: count });
const ShardEndSchema = Type.Object({ records: count, entries: count });
const TrailerSchema = Type.Object({ frames: count });

interface Chunk extends ChunkHeader {
  offset: number;
  payload: Buffer;
}

/** Throws BackupDamaged. */
export async function* readBackup(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPiece> {
  const source = new Source(bytes);
  const begin = await readBegin(source);
  yield { begin };
  let chunks = 0;
  for (let shard = 0; shard < begin.shards; shard++) {
    chunks += yield* readShard(source, shard);
  }
  const trailer = await readChunk(source, NO_SHARD, 1);
  if (trailer.kind !== Kind.trailer) throw new BackupDamaged(trailer.offset, 'another chunk stands where the trailer should');
  const expected = content(trailer, TrailerSchema).frames;
  if (expected !== chunks) throw new BackupDamaged(trailer.offset, `the trailer counts ${expected} chunks, and there are ${chunks}`);
  const end = source.offset;
  if (!(await source.atEnd())) throw new BackupDamaged(end, 'something follows the trailer');
  yield { whole: { chunks, bytes: end } };
}

async function readBegin(source: Source): Promise<BackupBegin> {
  const magic = await source.take(MAGIC.length);
  if (magic === undefined || !magic.equals(MAGIC)) throw new BackupDamaged(0, 'this is no backup');
  const chunk = await readChunk(source, NO_SHARD, 0);
  if (chunk.kind !== Kind.begin) throw new BackupDamaged(chunk.offset, 'another chunk stands where the file should begin');
  const begin = content(chunk, BeginSchema);
  if (begin.format < FORMAT_OLDEST || begin.format > FORMAT)
    throw new BackupDamaged(chunk.offset, `written in format ${begin.format}; this version reads ${FORMAT_OLDEST} to ${FORMAT}`);
  return { ...begin, dealt_shards: begin.dealt_shards ?? begin.shards };
}

/** Returns the number of the shard's chunks. */
async function* readShard(source: Source, shard: number): AsyncGenerator<BackupPiece, number> {
  const sums: ShardEnd = { records: 0, entries: 0 };
  let shardBegin: ShardBegin | undefined;
  for (let number = 0; ; number++) {
    const chunk = await readChunk(source, shard, number);
    const { kind, offset } = chunk;
    if ((kind === Kind.shardBegin) !== (number === 0))
      throw new BackupDamaged(offset, `chunk ${number} of shard ${shard} is not what should stand there`);
    if (kind === Kind.shardBegin) {
      yield { shardBegin: (shardBegin = content(chunk, ShardBeginSchema)), shard };
    } else if (kind === Kind.checkpoint || kind === Kind.entries) {
      const piece = decodePiece(kind, chunk.payload);
      if (piece === undefined) throw new BackupDamaged(offset, 'a piece without its count');
      if ('checkpoint' in piece && sums.entries > 0) throw new BackupDamaged(offset, 'a piece of a checkpoint after entries');
      if ('entries' in piece) sums.entries += piece.count;
      else sums.records += piece.records;
      yield { piece, shard };
    } else if (kind === Kind.shardEnd) {
      const shardEnd = content(chunk, ShardEndSchema);
      if (shardEnd.records !== sums.records || shardEnd.entries !== sums.entries || shardEnd.entries > shardBegin!.position) {
        throw new BackupDamaged(offset, `the backup of shard ${shard} does not hold what its end tells`);
      }
      yield { shardEnd, shard };
      return number + 1;
    } else {
      throw new BackupDamaged(offset, `a chunk of kind ${kind} in the backup of shard ${shard}`);
    }
  }
}

async function readChunk(source: Source, shard: number, number: number): Promise<Chunk> {
  const { offset } = source;
  const header = await source.take(HEADER_BYTES);
  if (header === undefined) throw new BackupDamaged(source.end, 'the file ends here, before its trailer: it is not complete');
  const read = decodeHeader(header);
  if (read.payloadBytes > PAYLOAD_BYTES_MAX) throw new BackupDamaged(offset, `a chunk of ${read.payloadBytes} bytes`);
  const rest = await source.take(read.payloadBytes + CRC_BYTES);
  if (rest === undefined)
    throw new BackupDamaged(source.end, `the file ends here, within the chunk that began at ${offset}: it is not complete`);
  const payload = rest.subarray(0, read.payloadBytes);
  if (crc32c(payload, crc32c(header)) !== rest.readUInt32LE(read.payloadBytes))
    throw new BackupDamaged(offset, 'a chunk with a wrong checksum');
  if (read.shard !== shard || read.number !== number) {
    throw new BackupDamaged(
      offset,
      `chunk ${read.number} of ${ownerName(read.shard)} stands where chunk ${number} of ${ownerName(shard)} should`,
    );
  }
  return { ...read, offset, payload };
}

const ownerName = (shard: number): string => (shard === NO_SHARD ? 'the file' : `shard ${shard}`);

function content<Schema extends TSchema>({ payload, offset }: Chunk, schema: Schema): Static<Schema> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(payload.toString('utf8'));
  } catch {
    parsed = undefined;
  }
  if (!Value.Check(schema, parsed)) throw new BackupDamaged(offset, 'a chunk whose content this version does not know');
  return parsed as Static<Schema>;
}

/** Reads a given number of bytes at a time from buffers of any size. */
class Source {
  /** number of bytes taken so far */
  offset = 0;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.pieces = bytes[Symbol.asyncIterator]();
  }

  /** number of bytes received so far */
  get end(): number {
    return this.offset + this.waitingBytes;
  }

  /** Undefined if fewer bytes are left. */
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

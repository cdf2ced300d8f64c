// A recording: a feed in a file. Gzip of JSON lines: first `{"recording":1,"made_at_ms":…,"name":"…"}`, then the messages as
// received. Files that are cut off or damaged are read as far as possible, and the result says that it is incomplete.
import { TELEMETRY_VERSION } from '@claret/client/telemetry';
import { decode } from '@claret/client/telemetry';

export const RECORDING_VERSION = 1;
export const RECORDING_SUFFIX = '.claret.gz';

const FILE_BYTES_MAX = 64 * 1_024 * 1_024;
const TEXT_BYTES_MAX = 256 * 1_024 * 1_024;
/** Reading yields to the event loop after this much work. */
const WORK_MS = 100;

export interface RecordingHeader {
  name: string;
  made_at_ms: number;
  /** of the machine that was recorded; absent: unknown */
  cores?: number;
}

export interface Recording extends RecordingHeader {
  /** messages as text, in order */
  lines: Uint8Array[];
  /** when each message was sent; never decreases */
  times: Float64Array;
  /** lines that could not be read and were left out */
  malformed: number;
  /** the file ends early, or its end is damaged */
  isCutOff: boolean;
}

export type RecordingProblem =
  /** not a recording, or nothing in it could be read */
  | { code: 'not_a_recording' }
  /** the version of the file, or of the messages in it */
  | { code: 'other_version'; version: number; ours: number }
  | { code: 'too_large' }
  /** the beginning of a recording, without a single frame */
  | { code: 'empty' }
  /** the file could not be loaded */
  | { code: 'unreachable' };

/** The file of these messages; the first message is a welcome. */
export async function writeRecording({ name, made_at_ms }: RecordingHeader, messages: readonly Uint8Array[]): Promise<Blob> {
  const newline = Uint8Array.of(10);
  const parts = [new TextEncoder().encode(`${JSON.stringify({ recording: RECORDING_VERSION, made_at_ms, name })}\n`)];
  for (const message of messages) parts.push(message as Uint8Array<ArrayBuffer>, newline);
  const zipped = new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(zipped).blob();
}

/** The file name for a recording's name: `bid spike, rw` becomes `bid-spike-rw.claret.gz`. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${plain.slice(0, 60) || 'recording'}${RECORDING_SUFFIX}`;
}

export async function readRecording(file: Blob): Promise<{ recording: Recording } | { problem: RecordingProblem }> {
  if (file.size > FILE_BYTES_MAX) return { problem: { code: 'too_large' } };
  const unpacked = await unpack(file);
  if (unpacked === null) return { problem: { code: 'too_large' } };
  const { bytes, isCutOff } = unpacked;
  const lines = linesOf(bytes);
  const header = headerOf(lines[0]);
  if (header === null) return { problem: { code: 'not_a_recording' } };
  if (header.recording !== RECORDING_VERSION)
    return { problem: { code: 'other_version', version: header.recording, ours: RECORDING_VERSION } };
  return collect(header, lines.slice(1), isCutOff);
}

/** The file's text, as far as it could be decompressed; an uncompressed file is taken as it is. Null: it is too large. */
async function unpack(file: Blob): Promise<{ bytes: Uint8Array; isCutOff: boolean } | null> {
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = magic[0] === 0x1f && magic[1] === 0x8b;
  const stream: ReadableStream<Uint8Array> = isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isCutOff = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      size += read.value.length;
      if (size > TEXT_BYTES_MAX) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    isCutOff = true;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, isCutOff };
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
    if (to > from) lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

function headerOf(line: Uint8Array | undefined): (RecordingHeader & { recording: number }) | null {
  if (line === undefined || line.length > 4_096) return null;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(line));
    if (typeof header !== 'object' || header === null) return null;
    const { recording, made_at_ms, name, cores } = header as Record<string, unknown>;
    if (typeof recording !== 'number' || !Number.isFinite(recording)) return null;
    return {
      recording,
      made_at_ms: typeof made_at_ms === 'number' && Number.isFinite(made_at_ms) ? made_at_ms : 0,
      name: typeof name === 'string' ? name.slice(0, 200) : '',
      ...(typeof cores === 'number' && Number.isInteger(cores) && cores > 0 && { cores }),
    };
  } catch {
    return null;
  }
}

/** Decodes every message once, to check that it is readable and to learn when it was sent. */
async function collect(
  { name, made_at_ms, cores }: RecordingHeader,
  lines: readonly Uint8Array[],
  isCutOff: boolean,
): Promise<{ recording: Recording } | { problem: RecordingProblem }> {
  const decoder = new TextDecoder();
  const kept: Uint8Array[] = [];
  const times: number[] = [];
  let [frames, malformed] = [0, 0];
  let rested_ms = performance.now();
  for (const [index, line] of lines.entries()) {
    const decoded = decode(decoder.decode(line));
    if ('otherVersion' in decoded) return { problem: { code: 'other_version', version: decoded.otherVersion, ours: TELEMETRY_VERSION } };
    if ('message' in decoded) {
      kept.push(line);
      times.push(Math.max(decoded.message.at_ms, times.at(-1) ?? -Infinity));
      if (decoded.message.kind === 'frame') frames += 1;
    } else if (isCutOff && index === lines.length - 1) {
      break; // the line at which the file is cut off
    } else {
      malformed += 1;
    }
    if (performance.now() - rested_ms > WORK_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      rested_ms = performance.now();
    }
  }
  if (frames === 0) return { problem: { code: 'empty' } };
  return {
    recording: {
      name,
      made_at_ms,
      ...(cores !== undefined && { cores }),
      lines: kept,
      times: Float64Array.from(times),
      malformed,
      isCutOff,
    },
  };
}

// Decodes one record of a *.log file: sequence(u64 LE) count(u32 LE), then `count` operations: put(1) key value, or remove(0) key.
import { Bytes } from './bytes.ts';

export interface BatchOperation {
  key: Uint8Array;
  /** undefined: removed */
  value: Uint8Array | undefined;
}

/** Undefined if the record is not a write batch. */
export function decodeBatch(record: Uint8Array): BatchOperation[] | undefined {
  if (record.length < 12) return undefined;
  const count = new DataView(record.buffer, record.byteOffset).getUint32(8, true);
  const bytes = new Bytes(record.subarray(12));
  const operations: BatchOperation[] = [];
  try {
    while (bytes.left > 0) {
      const tag = bytes.take(1)[0];
      if (tag !== 0 && tag !== 1) return undefined;
      operations.push({ key: bytes.withLength(), value: tag === 1 ? bytes.withLength() : undefined });
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return operations.length === count ? operations : undefined;
}

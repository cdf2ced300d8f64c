// Wide: a 64-bit unsigned integer in two halves. Timestamps, priorities and incarnations are of this form.

export interface Wide {
  high: number;
  low: number;
}

export function isBefore(a: Wide, b: Wide): boolean {
  return a.high < b.high || (a.high === b.high && a.low < b.low);
}

export const later = (a: Wide, b: Wide): Wide => (isBefore(a, b) ? b : a);

/** @param more fewer than 2 ** 32 */
export function plus({ high, low }: Wide, more: number): Wide {
  const sum = low + more;
  return sum < 2 ** 32 ? { high, low: sum } : { high: high + 1, low: sum - 2 ** 32 };
}

/** @param bytes 8 of them */
export function wideOf(bytes: Uint8Array): Wide {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return { high: view.getUint32(0), low: view.getUint32(4) };
}

export const bigOf = ({ high, low }: Wide): bigint => (BigInt(high) << 32n) | BigInt(low);

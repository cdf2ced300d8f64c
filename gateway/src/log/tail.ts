// Tail: the last entry of a log and its segment's hash. The next segment contains the hash, and so can follow no other segment.

export interface Tail {
  /** position of the last entry */
  last: number;
  /** of the segment that ends with that entry */
  hash: Uint8Array;
}

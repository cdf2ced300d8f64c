// Tail: what came last in a log. The next frame names it, and so follows it and no other.

export interface Tail {
  /** position of the last entry */
  last: number;
  /** of the frame that ends with that entry */
  hash: Uint8Array;
}

// Wide: a 64-bit unsigned integer in two halves. Timestamps, priorities and incarnations are of this form.

export interface Wide {
  high: number;
  low: number;
}

// Work on many items with a bounded number under way, for preparations that would take long one after the other.

const AT_ONCE = 8;

/** Of 0, 1, … `count` - 1, in this order; as many as AT_ONCE are under way. */
export async function mapAtOnce<Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> {
  const results = new Array<Result>(count);
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

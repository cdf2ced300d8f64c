// Work on many items with bounded concurrency, for preparations that would take long one by one.

const AT_ONCE = 8;

/** Runs `work` for 0, 1, … `count` - 1, in this order; AT_ONCE items are in progress. */
export async function mapAtOnce<Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> {
  const results = new Array<Result>(count);
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

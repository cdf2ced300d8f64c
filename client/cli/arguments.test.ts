import { expect, test } from 'vitest';
import { callFromJson, callFromLine, callFromWords, usageOf } from './arguments.ts';
import { OPERATIONS, findOperation, findType, suggestion } from './catalogue.ts';
import type { Problem } from './problem.ts';
import { splitWords } from './words.ts';

const argsOf = (line: string): unknown[] => callFromLine(line).args;

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const { message, hint = '', exit } = error as Problem;
    expect(exit).toBe(2);
    return `${message} ${hint}`.trim();
  }
  throw new Error('nothing was wrong');
}

test('a line is split as a shell does, without expanding anything', () => {
  expect(splitWords(`a  'b c' "d \\" e" f\\ g '' $HOME`)).toEqual(['a', 'b c', 'd " e', 'f g', '', '$HOME']);
  expect(splitWords(`x'y'"z"`)).toEqual(['xyz']);
  expect(splitWords(' \t ')).toEqual([]);
  expect(problemOf(() => splitWords("a 'b"))).toBe("A quotation is not closed: a 'b");
});

test('words become arguments of the kinds that the catalogue names', () => {
  expect(argsOf('Counter.add visits -5')).toEqual([-5]);
  expect(argsOf('Counter.add visits 9007199254740993')).toEqual([9_007_199_254_740_993n]);
  expect(argsOf('TopK.add bids bid-1 -2.5e3')).toEqual(['bid-1', -2_500]);
  expect(argsOf('Set.add tags 5')).toEqual(['5']);
  expect(argsOf('Set.members tags 10')).toEqual([10, null]);
  expect(argsOf('Set.members tags 10 pear')).toEqual([10, 'pear']);
  expect(argsOf('Dict.get user name age')).toEqual([['name', 'age']]);
  expect(argsOf(`Dict.set user name=Ann 'bio=a=b' age=42 ok=true '__proto__="5"'`)).toEqual([
    { name: 'Ann', bio: 'a=b', age: 42, ok: true, ['__proto__']: '5' },
  ]);
  expect(argsOf('Register.compareAndSet r null 5')).toEqual([null, 5]);
  expect(argsOf('Register.set r "say \\"hi\\""')).toEqual(['say "hi"']);
  expect(argsOf('counter.VALUE visits')).toEqual([]);
});

test('an error for an argument that does not fit names it and its type', () => {
  expect(problemOf(() => argsOf('Counter.add visits 1.5'))).toBe(
    "Counter.add: the argument n is an integer, and '1.5' is not. Usage: claret Counter.add KEY N",
  );
  expect(problemOf(() => argsOf('TopK.add bids a high'))).toContain("the argument score is a number, and 'high' is not");
  expect(problemOf(() => argsOf('Dict.set user name'))).toContain("the argument entries is field=value, one or more, and 'name' is not");
  expect(problemOf(() => argsOf('TopK.add bids a'))).toContain('the argument score (number) is missing');
  expect(problemOf(() => argsOf('Counter.value visits 5'))).toContain("'5' is one argument too many; behind the key it takes none");
  expect(problemOf(() => callFromWords(findOperation('Set.add'), []))).toContain('the key of the record is missing');
});

test('JSON gives the same calls as words', () => {
  const call = callFromJson({ key: 'visits', type: 'counter', operation: 'add', arguments: ['9007199254740993'] }, 'operations[0]');
  expect(call).toMatchObject({ key: 'visits', operation: { name: 'Counter.add' }, args: [9_007_199_254_740_993n] });
  expect(callFromJson({ key: 'u', type: 'Dict', operation: 'set', arguments: [{ a: 1 }] }, '').args).toEqual([{ a: 1 }]);
  expect(callFromJson({ key: 's', type: 'set', operation: 'members', arguments: [3] }, '').args).toEqual([3, null]);
  const wrong = (value: unknown) => problemOf(() => callFromJson(value, 'operations[0]'));
  expect(wrong(5)).toContain('operations[0] must be an object');
  expect(wrong({ key: 'a', type: 'set', op: 'add' })).toContain('operations[0] has a member op that does not belong there');
  expect(wrong({ key: 'a', type: 'set' })).toContain('the member operation must be a text');
  expect(wrong({ key: 'a', type: 'counter', operation: 'add', arguments: [1.5] })).toContain(
    'the argument n is an integer, and 1.5 is not',
  );
  expect(wrong({ key: 'a', type: 'counter', operation: 'add', arguments: [] })).toContain(
    'gives it 0 arguments; behind the key it takes 1',
  );
});

test('types and operations are found in upper or lower case, and suggested for a misspelt name', () => {
  expect(findType('topk').name).toBe('TopK');
  expect(findOperation('boundedcounter.trydecrement').name).toBe('BoundedCounter.tryDecrement');
  expect(problemOf(() => findType('Sett'))).toBe('There is no data type Sett. Did you mean Set?');
  expect(problemOf(() => findType('Blob'))).toMatch(/^There is no data type Blob\. The types are Register, Counter, /);
  expect(problemOf(() => findOperation('Set.ad'))).toContain('Did you mean Set.add?');
  expect(problemOf(() => findOperation('Cuonter.add'))).toContain('Did you mean Counter.add?');
  expect(problemOf(() => findOperation('Set.explode'))).toBe(
    'Set has no operation explode. It has add, remove, contains, size, members, insert, erase.',
  );
  expect(problemOf(() => findOperation('Set'))).toContain('An operation is named with its type');
  expect(suggestion('xyzzy', ['get', 'top'])).toBeUndefined();
});

test('every operation has a usage line that shows its arguments', () => {
  expect(usageOf(findOperation('Set.members'))).toBe('Set.members KEY LIMIT [AFTER]');
  expect(usageOf(findOperation('Dict.set'))).toBe('Dict.set KEY FIELD=VALUE...');
  for (const operation of OPERATIONS) expect(usageOf(operation)).toMatch(/^[A-Za-z]+\.[A-Za-z]+ KEY( \S+)*$/);
});

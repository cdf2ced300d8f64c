// What the core has too much of: classes of many methods, classes cut into files "continued", and places that compare two operations by hand. What is
// there may stay and become less; whoever lowers a number writes the lower one here.
import { isTest, withoutComments } from './source.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

const METHODS_MAX = 30;

/** file and class → its methods, where there are more than METHODS_MAX */
const LARGE_CLASSES = {
  'door/door.h Door': 83,
  'shard/shard.h Shard': 84,
  'transaction/natives.h Natives': 48,
  'transaction/chains.h Chains': 64,
  'addon/shard_object.h ShardObject': 63,
  'gate/locks.h Locks': 45,
  'addon/resp_sockets.h RespSockets': 48,
  'transaction/warranties.h Warranties': 45,
  'composed/composed_type.h ComposedType': 44,
  'composed/expression.h Evaluation': 44,
  'transaction/epochs.h Epochs': 43,
  'resp/connection.h Connection': 40,
  'transaction/replay.h Replay': 37,
  'gate/records.h Records': 34,
  'adt/commands.h CommandRun': 33,
  'transaction/shard_clock.h ShardClock': 32,
  'telemetry/observer.h Observer': 31,
};
/** Files that go on with a class of another one. */
const CONTINUED = new Set([
  'addon/moves.cc',
  'addon/warranties.cc',
  'shard/moving.cc',
  'shard/output.cc',
  'shard/shard_conditions.cc',
  'shard/shard_warranties.cc',
  'transaction/batches.cc',
  'transaction/entering.cc',
  'transaction/expiring.cc',
  'transaction/native_commands.cc',
  'transaction/withdrawals.cc',
]);
/** file → calls that ask a type whether two operations commute, outside of the types themselves */
const COMPARING = { 'gate/agree.cc': 1, 'gate/agree.h': 1 };
/** file → places that look into the gate's table. What is not a judge, and the graph that follows the judge of claims, should ask one instead. */
const JUDGING = {
  'gate/gate.cc': 1,
  'gate/judge.cc': 7,
  'gate/judge_listed.cc': 3,
  'gate/judge_past_look.cc': 2,
  'gate/judge_promise.cc': 5,
  'gate/judge_ride.cc': 4,
  'gate/locks.cc': 2,
  'gate/native.cc': 4,
  'gate/wait_graph.cc': 1,
  'transaction/entering.cc': 1,
  'transaction/natives.cc': 1,
};

const HERE = 'scripts/tidy/classes.js';
const CONTINUES = /^\/\/ [\w:]+, continued\b/m;
const inCore = (path) => path.slice('server-core/src/'.length);
const isCore = ({ path }) => /^server-core\/src\/.*\.(?:cc|h)$/.test(path) && !isTest(path);
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** The index behind the bracket that closes the one at `from`. */
function behindBlock(code, from) {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === '{') depth++;
    if (code[at] === '}' && --depth === 0) return at + 1;
  }
  return code.length;
}

/** A declaration in a class is a method if it has a parameter list, and is not a type, an alias or a member with an initial value. */
const isMethod = (declaration) =>
  /\(/.test(declaration.replaceAll(/<[^<>]*>/g, '')) &&
  !/^\s*(?:using|friend|static_assert|class|struct|enum|union|typedef)\b/.test(declaration) &&
  !/^[^(]*=/.test(declaration.replaceAll(/operator\s*[=!<>+-]+/g, 'operator'));

/** How many methods the class has whose body begins at `from`. */
function methodsIn(code, from) {
  const end = behindBlock(code, from) - 1;
  let [methods, began] = [0, from + 1];
  for (let at = began; at < end; at++) {
    if (code[at] !== ';' && code[at] !== '{') continue;
    const declaration = code.slice(began, at).replaceAll(/\b(?:public|protected|private):/g, '');
    if (isMethod(declaration)) methods++;
    if (code[at] === '{') at = behindBlock(code, at) - 1;
    began = at + 1;
  }
  return methods;
}

/** @param {Source[]} sources @returns {{name: string, path: string, line: number, methods: number}[]} */
function classesIn(sources) {
  return sources.filter(isCore).flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return [...code.matchAll(/^\s*(?:class|struct)\s+(\w+)(?:\s+final)?\s*(?::(?!:)[^;{]*)?\{/gm)].map((match) => ({
      name: match[1],
      path,
      line: lineOf(code, match.index),
      methods: methodsIn(code, match.index + match[0].length - 1),
    }));
  });
}

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* smallClasses(sources) {
  for (const { name, path, line, methods } of classesIn(sources)) {
    const id = `${inCore(path)} ${name}`;
    const most = LARGE_CLASSES[id] ?? METHODS_MAX;
    if (methods > most) yield { path, line, message: `${name} has ${methods} methods (at most ${most}): it is more than one thing` };
    if (methods < most && id in LARGE_CLASSES) yield { path, line, message: `${name} has ${methods} methods now: write that in ${HERE}` };
  }
}

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* wholeClasses(sources) {
  for (const { path, text } of sources.filter(isCore)) {
    const line = lineOf(text, text.search(CONTINUES));
    const [is, was] = [CONTINUES.test(text), CONTINUED.has(inCore(path))];
    if (is && !was) yield { path, line, message: 'goes on with a class of another file: give it a class of its own' };
    if (!is && was) yield { path, line: 1, message: `is a class of its own now: take it off the list in ${HERE}` };
  }
}

/**
 * Places of the core that do what is to be done in one place each, against how many each file may have.
 * @param {Source[]} sources @param {RegExp} what @param {Record<string, number>} allowed @param {string} does for people @returns {Iterable<Finding>}
 */
function* ratcheted(sources, what, allowed, does) {
  for (const { path, text } of sources.filter(isCore)) {
    const places = [...withoutComments(text).matchAll(what)];
    const most = allowed[inCore(path)] ?? 0;
    if (places.length > most) {
      yield {
        path,
        line: lineOf(text, places.at(-1).index),
        message: `${does} ${places.length} times (at most ${most}): use what does so already`,
      };
    }
    if (places.length < most && places.length > 0)
      yield { path, line: 1, message: `${does} ${places.length} times now: write that in ${HERE}` };
  }
}

/** Types say whether operations commute; how they are asked is to be written once. @param {Source[]} sources @returns {Iterable<Finding>} */
export function* comparedOnce(sources) {
  const outside = sources.filter(({ path }) => !/^(?:adt|composed)\//.test(inCore(path)));
  yield* ratcheted(outside, /(?:\.|->)(?:relation|commutes)\(/g, COMPARING, 'compares operations');
}

/** Who may be at a record is for the judges to say. @param {Source[]} sources @returns {Iterable<Finding>} */
export function* judgedOnce(sources) {
  yield* ratcheted(sources, /\b(?:passes|cell)\((?:Asker::|asker_of|[\w.]*asker\(\))/g, JUDGING, "looks into the gate's table");
}

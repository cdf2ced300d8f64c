// What client and gateway have too much of: interfaces that stand for one class, and classes of many methods. A reader who follows a call by its name
// ends at such an interface. What is there may stay and become less; whoever lowers a number writes the lower one here.
import { isTest, withoutComments } from './source.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */
/** @typedef {{name: string, optional: boolean, isMethod: boolean}} Member */
/** @typedef {{name: string, path: string, line: number, members: Member[], above: string[], hasReason: boolean}} Interface */
/** @typedef {{name: string, path: string, line: number, members: Member[], above: string | undefined, roles: string[]}} Class */

const METHODS_MAX = 30;

/** file and class → its methods, where there are more than METHODS_MAX */
const LARGE_CLASSES = {
  'client/src/attempt/attempt.ts Attempt': 43,
  'client/src/crowd/chains.ts Chains': 35,
  'client/src/crowd/crowd-attempt.ts CrowdAttempt': 51,
  'client/src/transaction/transaction.ts Transaction': 31,
  'gateway/src/log/local-log.ts LocalLog': 34,
  'gateway/src/store/shard-host.ts ShardHost': 44,
};
/** file → its interfaces that one class implements, without a reason. */
const ROLES = {};

const HERE = 'scripts/tidy/roles.js';
/** The comment above an interface gives the reason. */
const REASON = /\bimplemented once, since\b/i;
const isOurs = ({ path, text }) => /^(?:client|gateway)\/src\/.*\.ts$/.test(path) && !isTest(path) && !/^\/\/ generated\b/i.test(text);
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** The index of the bracket that closes the one at `from`. */
function endOfBlock(code, from) {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === '{') depth++;
    if (code[at] === '}' && --depth === 0) return at;
  }
  return code.length;
}

/** What stands between the brackets, without what stands within brackets there. */
function shallow(body) {
  let depth = 0;
  let text = '';
  for (const letter of body) {
    if (')}]'.includes(letter)) depth--;
    if (depth === 0) text += letter;
    if ('({['.includes(letter)) depth++;
  }
  return text;
}

const MEMBER =
  /(?:^|[;\n}])\s*((?:(?:readonly|static|abstract|async|override|declare|get|set|private|public|protected)\s+)*)\*?(#?\w+)(\??)\s*(?:<[^;(){}]*>)?\s*([(:=;!])/g;

/** Private members begin with #. @returns {Member[]} */
const membersOf = (body) =>
  [...shallow(body).matchAll(MEMBER)].map(([, words, name, optional, then]) => ({
    name: words.includes('private') ? `#${name}` : name,
    optional: optional === '?',
    isMethod: then === '(',
  }));

const namesIn = (list) =>
  (list ?? '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .split(/[,&]/)
    .map((name) => name.trim())
    .filter((name) => /^\w+$/.test(name));

/** Texts and comments blanked, so that their brackets do not count. */
const bare = (text) => withoutComments(text).replaceAll(/'(?:[^'\\\n]|\\.)*'/g, (string) => `'${' '.repeat(string.length - 2)}'`);

/** The comment right above that place, in one line. */
function commentAbove(text, index) {
  const before = text.slice(0, index).trimEnd();
  const comment = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : (/(?:\n\/\/[^\n]*)+$/.exec(before)?.[0] ?? '');
  return comment.replaceAll(/\s*\n[\s*/]*/g, ' ');
}

/** @param {Source} source @returns {Interface[]} */
function interfacesIn({ path, text }) {
  const code = bare(text);
  return [...code.matchAll(/^(?:export )?interface (\w+)(?:<[^{]*>)?\s*(?:extends ([^{]*))?\{/gm)].map((match) => {
    const from = match.index + match[0].length - 1;
    const hasReason = REASON.test(commentAbove(text, match.index));
    const members = membersOf(code.slice(from + 1, endOfBlock(code, from)));
    return { name: match[1], path, line: lineOf(code, match.index), members, above: namesIn(match[2]), hasReason };
  });
}

/** @param {Source} source @returns {Class[]} */
function classesIn({ path, text }) {
  const code = bare(text);
  const declarations = /^(?:export )?(?:abstract )?class (\w+)(?:<[^{]*?>)?\s*(?:extends ([\w<>, ]+?))?\s*(?:implements ([^{]*))?\{/gm;
  return [...code.matchAll(declarations)].map((match) => {
    const from = match.index + match[0].length - 1;
    const members = membersOf(code.slice(from + 1, endOfBlock(code, from)));
    return { name: match[1], path, line: lineOf(code, match.index), members, above: namesIn(match[2])[0], roles: namesIn(match[3]) };
  });
}

/** Aliases of several types at once: "type A = B & { c: C }". */
const aliasesIn = ({ text }) =>
  [...bare(text).matchAll(/^(?:export )?type (\w+) = ([^;=]+);/gm)].map(([, name, types]) => [name, namesIn(types)]);

/** Interfaces that exactly one class of the product implements: by its own word, or else by having all that the interface asks for. */
function rolesOfOne(sources) {
  const ours = sources.filter(isOurs);
  const interfaces = ours.flatMap(interfacesIn);
  const classes = ours.flatMap(classesIn);
  const byName = new Map(interfaces.map((one) => [one.name, one]));
  const aliases = new Map(ours.flatMap(aliasesIn));
  const classOf = new Map(classes.map((one) => [one.name, one]));
  const allRoles = (name) => [name, ...[...(byName.get(name)?.above ?? []), ...(aliases.get(name) ?? [])].flatMap(allRoles)];
  const allMembers = (name) => allRoles(name).flatMap((role) => byName.get(role)?.members ?? []);
  const inherited = (one) => (one === undefined ? [] : [...one.members, ...inherited(classOf.get(one.above))]);
  const declared = new Map(classes.map((one) => [one, new Set(one.roles.flatMap(allRoles))]));
  return interfaces.filter(({ name, members: own, above }) => {
    const members = [...own, ...above.flatMap(allMembers)].filter(({ optional }) => !optional);
    if (!members.some(({ isMethod }) => isMethod)) return false;
    const byWord = classes.filter((one) => declared.get(one).has(name));
    if (byWord.length > 0) return byWord.length === 1;
    const having = classes.filter((one) => {
      const has = new Set(inherited(one).map((member) => member.name));
      return members.every((member) => has.has(member.name));
    });
    return having.length === 1;
  });
}

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* roles(sources) {
  const found = rolesOfOne(sources).filter(({ hasReason }) => !hasReason);
  for (const { path } of sources.filter(isOurs)) {
    const here = found.filter((one) => one.path === path);
    const most = ROLES[path] ?? 0;
    if (here.length > most) {
      const [{ name, line }] = here.slice(most);
      const message = `one class implements ${name} (${here.length} such, at most ${most}): name the class, or say "Implemented once, since …" above`;
      yield { path, line, message };
    }
    if (here.length < most)
      yield { path, line: 1, message: `${here.length} interfaces with one implementation now: write that in ${HERE}` };
  }
}

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* smallTsClasses(sources) {
  for (const { name, path, line, members } of sources.filter(isOurs).flatMap(classesIn)) {
    const methods = members.filter(({ isMethod }) => isMethod).length;
    const id = `${path} ${name}`;
    const most = LARGE_CLASSES[id] ?? METHODS_MAX;
    if (methods > most) yield { path, line, message: `${name} has ${methods} methods (at most ${most}): it is more than one thing` };
    if (methods < most && id in LARGE_CLASSES) yield { path, line, message: `${name} has ${methods} methods now: write that in ${HERE}` };
  }
}

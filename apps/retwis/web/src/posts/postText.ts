// Splits a post's text into plain words and links: web addresses, @usernames and #hashtags. The text itself never changes: the parts,
// joined, are the text again.
import { HASHTAG, tagName, TAGS_MAX } from '../../../server/hashtags.ts';

export type TextToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string }
  | { readonly kind: 'tag'; readonly text: string; readonly tag: string };

/** up to the next space or quote */
const LINK = /(?<link>\bhttps?:\/\/[^\s<>"'`«»“”]+)/.source;
/** an @ at the beginning of a word, followed by a possible username */
const MENTION = /(?<![\w@/.-])@(?<username>[A-Za-z][A-Za-z0-9_]{2,19})(?![\w@])/.source;
const FINDS = new RegExp([LINK, MENTION, HASHTAG].join('|'), 'giu');
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

export function tokenize(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  let done = 0;
  const plain = (until: number) => {
    if (until > done) tokens.push({ kind: 'text', text: text.slice(done, until) });
    done = until;
  };
  const tags = new Set<string>();
  for (const found of text.matchAll(FINDS)) {
    const { link, username, tag } = found.groups as { link?: string; username?: string; tag?: string };
    const shown = link === undefined ? found[0] : withoutSentenceEnd(link);
    const token = tokenOf(shown, username, tag);
    if (!token) continue;
    if (token.kind === 'tag' && !isAmongFirst(tags, token.tag)) continue;
    plain(found.index);
    tokens.push(token);
    done = found.index + shown.length;
  }
  plain(text.length);
  return tokens;
}

/** Whether the tag is one of the text's first TAGS_MAX different ones, which `tags` collects. */
function isAmongFirst(tags: Set<string>, tag: string): boolean {
  if (tags.size < TAGS_MAX) tags.add(tag);
  return tags.has(tag);
}

function tokenOf(text: string, username: string | undefined, tag: string | undefined): TextToken | null {
  if (username !== undefined) return { kind: 'mention', text, username };
  if (tag !== undefined) return { kind: 'tag', text, tag: tagName(tag) };
  return linkTo(text);
}

/** Only web addresses, and none with a user name before the host, which would hide the target. */
function linkTo(address: string): TextToken | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return { kind: 'link', text: address, href: url.href };
}

/** Cuts a sentence's full stop and a bracket around the address off. */
function withoutSentenceEnd(address: string): string {
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    if (/[.,;:!?…*_~。、，！？]/u.test(last)) continue;
    const opening = PAIRS[last];
    if (opening && count(address, last, end) > count(address, opening, end)) continue;
    break;
  }
  return address.slice(0, end);
}

function count(text: string, letter: string, end: number): number {
  return text.slice(0, end).split(letter).length - 1;
}

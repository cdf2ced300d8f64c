// What stands in a post's text beside plain words: web addresses, @usernames and #hashtags, all of which are links. The text itself
// is never changed: the parts, put together, are the text again.
import { HASHTAG, tagName, TAGS_MAX } from '../../../server/hashtags.ts';

export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string }
  | { readonly kind: 'tag'; readonly text: string; readonly tag: string };

/** Up to the next space or quote. */
const LINK = /(?<link>\bhttps?:\/\/[^\s<>"'`«»“”]+)/.source;
/** An @ that begins a word and is followed by what may be a username. */
const MENTION = /(?<![\w@/.-])@(?<username>[A-Za-z][A-Za-z0-9_]{2,19})(?![\w@])/.source;
const FINDS = new RegExp([LINK, MENTION, HASHTAG].join('|'), 'giu');
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  const plain = (until: number) => {
    if (until > done) parts.push({ kind: 'text', text: text.slice(done, until) });
    done = until;
  };
  const tags = new Set<string>();
  for (const found of text.matchAll(FINDS)) {
    const { link, username, tag } = found.groups as { link?: string; username?: string; tag?: string };
    const shown = link === undefined ? found[0] : withoutSentenceEnd(link);
    const part = partOf(shown, username, tag);
    if (!part) continue;
    if (part.kind === 'tag' && !isAmongFirst(tags, part.tag)) continue;
    plain(found.index);
    parts.push(part);
    done = found.index + shown.length;
  }
  plain(text.length);
  return parts;
}

/** Whether the tag is one of the text's first TAGS_MAX different ones, which `tags` remembers. */
function isAmongFirst(tags: Set<string>, tag: string): boolean {
  if (tags.size < TAGS_MAX) tags.add(tag);
  return tags.has(tag);
}

function partOf(text: string, username: string | undefined, tag: string | undefined): TextPart | null {
  if (username !== undefined) return { kind: 'mention', text, username };
  if (tag !== undefined) return { kind: 'tag', text, tag: tagName(tag) };
  return linkTo(text);
}

/** Only addresses on the web, and none with a name before the host, which would hide where it leads. */
function linkTo(address: string): TextPart | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return { kind: 'link', text: address, href: url.href };
}

/** A sentence's full stop and a bracket around the address are not part of it. */
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

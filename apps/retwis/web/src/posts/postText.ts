// What stands in a post's text beside plain words: addresses that may be pressed, and @usernames. The text itself is
// never changed: the parts, put together, are the text again.

export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string };

// An address up to the next space or quote, or an @ that begins a word and is followed by what may be a username.
const FINDS = /(?<link>\bhttps?:\/\/[^\s<>"'`«»“”]+)|(?<![\w@/.-])@(?<username>[A-Za-z][A-Za-z0-9_]{2,19})(?![\w@])/giu;
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  const plain = (until: number) => {
    if (until > done) parts.push({ kind: 'text', text: text.slice(done, until) });
    done = until;
  };
  for (const found of text.matchAll(FINDS)) {
    const { link, username } = found.groups as { link?: string; username?: string };
    const shown = username === undefined ? withoutSentenceEnd(link!) : found[0];
    const part = username === undefined ? linkTo(shown) : ({ kind: 'mention', text: shown, username } as const);
    if (!part) continue;
    plain(found.index);
    parts.push(part);
    done = found.index + shown.length;
  }
  plain(text.length);
  return parts;
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

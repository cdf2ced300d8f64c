/** The first `most` UTF-16 units of a text, without the half of a character that would stand last: no UTF-8 and no gRPC message can hold a half. */
export function startOf(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const isCut = text.length > most && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isCut ? most - 1 : most);
}

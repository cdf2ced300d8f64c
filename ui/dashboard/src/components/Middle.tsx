// A key in little room: its end tells it apart from others, so the middle gives way. The whole key is the title, and is what is read out.
import { cutMiddle } from './cutMiddle.ts';

export function Middle({ text, most = 26 }: { text: string; most?: number }) {
  const cut = cutMiddle(text, most);
  if (cut === text) return text;
  return (
    <span title={text}>
      <span aria-hidden="true">{cut}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

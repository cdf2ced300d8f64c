import { classes } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useMemo } from 'react';
import { PAGE } from '../api/paths.ts';
import { textParts } from './postText.ts';
import styles from './PostText.module.css';

/** What somebody wrote, as text: only addresses, usernames and hashtags in it can be pressed. Each line in its own direction. */
export function PostText({ text, className }: { text: string; className?: string | undefined }) {
  const parts = useMemo(() => textParts(text), [text]);
  return (
    <p className={classes(styles.text, className)} dir="auto">
      {parts.map((part, at) => {
        if (part.kind === 'text') return part.text;
        if (part.kind !== 'link') {
          const to = part.kind === 'mention' ? PAGE.user(part.username) : PAGE.tag(part.tag);
          return (
            <bdi key={at}>
              <AppLink to={to}>{part.text}</AppLink>
            </bdi>
          );
        }
        return (
          <bdi key={at}>
            <a href={part.href} target="_blank" rel="nofollow noopener noreferrer">
              {part.text}
            </a>
          </bdi>
        );
      })}
    </p>
  );
}

import { classes } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useMemo } from 'react';
import { PAGE } from '../api/paths.ts';
import { tokenize } from './postText.ts';
import styles from './PostText.module.css';

/** A user-written text, as text: only URLs, usernames and hashtags in it are links. Each line has its own direction. */
export function PostText({ text, className }: { text: string; className?: string | undefined }) {
  const tokens = useMemo(() => tokenize(text), [text]);
  return (
    <p className={classes(styles.text, className)} dir="auto">
      {tokens.map((token, at) => {
        if (token.kind === 'text') return token.text;
        if (token.kind !== 'link') {
          const to = token.kind === 'mention' ? PAGE.user(token.username) : PAGE.tag(token.tag);
          return (
            <bdi key={at}>
              <AppLink to={to}>{token.text}</AppLink>
            </bdi>
          );
        }
        return (
          <bdi key={at}>
            <a href={token.href} target="_blank" rel="nofollow noopener noreferrer">
              {token.text}
            </a>
          </bdi>
        );
      })}
    </p>
  );
}

import { Avatar, classes, formatMonth } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import styles from './PersonHead.module.css';
import { Rating } from './Rating.tsx';

export interface PersonHeadProps {
  user: api.UserView['user'];
  rating: api.RatingSummary;
  title: string;
  children?: ReactNode;
}

/** The head of a person's page: avatar, name, region, date of registration, and rating. */
export function PersonHead({ user, rating, title, children }: PersonHeadProps) {
  const { region } = useCatalogue();
  return (
    <header className={styles.head}>
      <Avatar name={user.nickname} size={84} />
      <div className={styles.words}>
        <h1>{title}</h1>
        <p className={classes(styles.meta, 'facts')}>
          <span>{region(user.region_id)}</span>
          <span>Member since {formatMonth(user.created_at_ms)}</span>
          <Rating rating={rating} />
        </p>
      </div>
      {children}
    </header>
  );
}

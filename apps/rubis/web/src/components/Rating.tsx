import { formatCounted } from '@claret/ui/kit';
import { Star } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { formatRating, ratingWord } from './ratingWords.ts';
import styles from './SellerCard.module.css';

/** A person's rating, in one line. */
export function Rating({ rating }: { rating: api.RatingSummary }) {
  if (rating.count === 0 || rating.mean === null) return <span>No ratings yet</span>;
  return (
    <span className={styles.rating} title="On a scale from −5 to +5">
      <Star size={15} aria-hidden="true" />
      {ratingWord(rating.mean)}, <span className="figures">{formatRating(rating.mean, 1)}</span> from{' '}
      {formatCounted(rating.count, 'rating', 'ratings')}
    </span>
  );
}

import { Avatar } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ChevronRight } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { Rating } from './Rating.tsx';
import styles from './SellerCard.module.css';

export interface SellerCardProps {
  seller: api.UserRef;
  region: string;
  /** null while unknown */
  rating: api.RatingSummary | null;
}

/** The seller and their rating. */
export function SellerCard({ seller, region, rating }: SellerCardProps) {
  return (
    <aside className={styles.card} aria-label="Seller">
      <Avatar name={seller.nickname} size={44} />
      <div>
        <p>
          <span className={styles.meta}>Seller </span>
          <AppLink to={PAGE.user(seller.id)} className={styles.name}>
            {seller.nickname}
          </AppLink>
        </p>
        <p className={styles.meta}>{rating ? <Rating rating={rating} /> : region}</p>
      </div>
      <ChevronRight size={18} aria-hidden="true" />
    </aside>
  );
}

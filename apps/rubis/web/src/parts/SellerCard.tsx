import { Avatar } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ChevronRight } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API, PAGE } from '../api/paths.ts';
import { Rating } from './Rating.tsx';
import styles from './SellerCard.module.css';

/** Who sells, and what others say about them. */
export function SellerCard({ seller, region }: { seller: api.UserRef; region: string }) {
  const { data } = useQuery<api.UserView>(API.user(seller.id));
  return (
    <aside className={styles.card} aria-label="Seller">
      <Avatar name={seller.nickname} size={44} />
      <div>
        <p>
          <span className={styles.meta}>Sold by </span>
          <AppLink to={PAGE.user(seller.id)} className={styles.name}>
            {seller.nickname}
          </AppLink>
        </p>
        <p className={styles.meta}>{data ? <Rating rating={data.rating} /> : region}</p>
      </div>
      <ChevronRight size={18} aria-hidden="true" />
    </aside>
  );
}

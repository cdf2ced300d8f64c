import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { Gavel, PackageOpen, Radio, Timer } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { ItemGrid } from '../components/ItemCard.tsx';
import { NextToEnd, NextToEndWaiting } from '../components/NextToEnd.tsx';
import { PopularCategories } from '../components/PopularCategories.tsx';
import { GridWaiting } from '../components/Skeletons.tsx';
import styles from './HomePage.module.css';

const SHOWN = 8;

export default function HomePage() {
  const { data, problem, reload } = useQuery<api.ItemPage>(API.browse({}));
  const [next, ...others] = data?.items ?? [];
  return (
    <>
      <title>Claret Auctions</title>
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1>Live auctions where every second counts.</h1>
          <p>Bid on things from sellers around the country, watch prices move with every bid, and see who wins as it happens.</p>
          <div className={styles.actions}>
            <Button asChild look="primary">
              <AppLink to={PAGE.browse()}>Browse auctions</AppLink>
            </Button>
            <Button asChild>
              <AppLink to={PAGE.sell}>Sell something</AppLink>
            </Button>
          </div>
        </div>
        {next && <NextToEnd key={next.id} item={next} onOver={reload} />}
        {!data && !problem && <NextToEndWaiting />}
      </section>
      <section className={styles.section} aria-labelledby="soon">
        <div className={styles.head}>
          <h2 id="soon">Ending soon</h2>
          <AppLink to={PAGE.browse()}>All auctions</AppLink>
        </div>
        {data && others.length > 0 && <ItemGrid items={others.slice(0, SHOWN)} label="Auctions ending soon" heading="h3" />}
        {data && !next && <NothingOn />}
        {!data && (problem ? <ProblemState problem={problem} onRetry={reload} /> : <GridWaiting count={SHOWN} />)}
      </section>
      <PopularCategories className={styles.section} />
      <section className={styles.section} aria-labelledby="how">
        <h2 id="how" className="visually-hidden">
          How it works
        </h2>
        <ol className={styles.steps}>
          <li>
            <Gavel size={22} aria-hidden="true" />
            <h3>Name your price</h3>
            <p>Bid the minimum or more. Your bid counts, even when thousands bid in the same second.</p>
          </li>
          <li>
            <Radio size={22} aria-hidden="true" />
            <h3>Watch it live</h3>
            <p>Prices update as you watch. If someone outbids you, you’ll know right away, wherever you are on the site.</p>
          </li>
          <li>
            <Timer size={22} aria-hidden="true" />
            <h3>One clock for everyone</h3>
            <p>The countdown follows our clock, not yours. When it reaches zero, everyone sees who won.</p>
          </li>
        </ol>
      </section>
    </>
  );
}

function NothingOn() {
  return (
    <EmptyState
      icon={<PackageOpen size={26} />}
      title="No open auctions right now"
      actions={
        <Button asChild look="primary">
          <AppLink to={PAGE.sell}>Start the first auction</AppLink>
        </Button>
      }
    ></EmptyState>
  );
}

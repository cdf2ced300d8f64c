// Every data type of the cluster: what it is for, what its operations do, and which of them can hold one record together.
import { ErrorState, Skeleton, Waiting } from '@claret/ui/kit';
import { useEffect, useState } from 'react';
import type { DataType, Locks } from './catalogue.ts';
import { LocksChoice } from './LocksChoice.tsx';
import { RulingKey } from './RulingSign.tsx';
import { TypeSection } from './TypeSection.tsx';
import styles from './TypesPage.module.css';
import { useCatalogue } from './useCatalogue.ts';

export function TypesPage() {
  const { catalogue, askAgain } = useCatalogue();
  return (
    <div className={styles.page}>
      <title>Data types · Claret Dashboard</title>
      <header className={styles.head}>
        <h1>Which operations can share a record?</h1>
        <p>
          The store knows what each operation means. Where two of them commute, so that neither changes what the other was
          told, nor their order the outcome, their transactions hold the record side by side. These tables are the running
          cluster’s own.
        </p>
      </header>
      {catalogue.state === 'asking' && (
        <Waiting label="Loading the data types">
          <Skeleton height="24rem" />
        </Waiting>
      )}
      {catalogue.state === 'failed' && (
        <ErrorState title="No cluster tells what its data types can do" onRetry={askAgain}>
          {catalogue.words} These tables are drawn from the cluster’s own catalogue and from nothing else, so there is nothing
          to show without it. The page asks again by itself every few seconds.
        </ErrorState>
      )}
      {catalogue.state === 'known' && <Types types={catalogue.types} />}
    </div>
  );
}

function Types({ types }: { types: readonly DataType[] }) {
  const [locks, setLocks] = useState<Locks>('abstract');
  // The browser has looked for the address's section before there was one.
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <>
      <div className={styles.bar}>
        <LocksChoice locks={locks} onChange={setLocks} />
        <RulingKey locks={locks} />
        <p className={styles.terms}>
          Operations of one <b>mode</b> queue together and are let in together, as a phase. An operation <b>combines</b> with
          one that its app server holds already where its result follows from that one: it needs no message to the shard.
        </p>
      </div>
      <nav className={styles.nav} aria-label="Data types">
        {types.map(({ name }) => (
          <a key={name} href={`#${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <div className={styles.types}>
        {types.map((type) => (
          <TypeSection key={type.name} type={type} locks={locks} />
        ))}
      </div>
    </>
  );
}

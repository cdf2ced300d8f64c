// Every data type of the cluster: its purpose, its operations, and which of them can hold one record together. Those with most such operations come
// first, and the one that is hot now is marked.
import { Button, ErrorState, Skeleton, Waiting } from '@claret/ui/kit';
import { useEffect, useState } from 'react';
import { Term } from '../components/Term.tsx';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { byTogether, type DataType, type Locks } from './catalogue.ts';
import { hotType } from './hotType.ts';
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
          Claret knows what each operation means. When two operations <Term word="commute" then="," /> transactions that use them can hold
          the same record at the same time. These tables come from the running cluster.
        </p>
      </header>
      {catalogue.state === 'asking' && (
        <Waiting label="Loading the data types">
          <Skeleton height="24rem" />
        </Waiting>
      )}
      {catalogue.state === 'failed' && (
        <ErrorState title="The data types could not be loaded" onRetry={askAgain}>
          {catalogue.words} This page shows the cluster’s own tables and nothing else. It tries again every few seconds.
        </ErrorState>
      )}
      {catalogue.state === 'known' && <Types types={catalogue.types} onRefresh={askAgain} />}
    </div>
  );
}

function Types({ types, onRefresh }: { types: readonly DataType[]; onRefresh(): void }) {
  const [locks, setLocks] = useState<Locks>('abstract');
  const hot = useTelemetry(hotType);
  const sorted = byTogether(types);
  // The browser looked for the section in the address before the section was rendered.
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <>
      <div className={styles.bar}>
        <LocksChoice locks={locks} onChange={setLocks} />
        <RulingKey locks={locks} />
        <Button look="quiet" size="small" onClick={onRefresh}>
          Refresh
        </Button>
        <p className={styles.terms}>
          Operations of one <Term word="mode">mode</Term> queue together and are let in together, as a <Term word="phase" then="." /> The
          last column names operations from whose result that of this one follows.
        </p>
      </div>
      <nav className={styles.nav} aria-label="Data types">
        {sorted.map(({ name }) => (
          <a key={name} href={`#${name}`} data-hot={name === hot?.type || undefined}>
            {name}
            {name === hot?.type && <span className="visually-hidden">, hot now</span>}
          </a>
        ))}
      </nav>
      <div className={styles.types}>
        {sorted.map((type) => (
          <TypeSection key={type.name} type={type} locks={locks} hot={hot?.type === type.name ? hot : null} />
        ))}
      </div>
    </>
  );
}

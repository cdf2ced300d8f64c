/// <reference types="vite/types/importMeta.d.ts" />
// The instrument: every view of the cluster on one screen and one time axis.
import { classes } from '@claret/ui/kit';
import type { ComponentType } from 'react';
import { LaboratoryBar } from '../laboratory/LaboratoryBar.tsx';
import { TimeBar } from '../time/TimeBar.tsx';
import { Tour } from '../tour/Tour.tsx';
import { Header } from '../views/header/index.ts';
import styles from './InstrumentPage.module.css';

/** The views in the order of reading; each is the one component that its `index.ts` exports. */
const PLACES = ['phases', 'conflicts', 'heat', 'waits', 'transactions'] as const;

const views = import.meta.glob<Record<string, ComponentType>>('../views/*/index.ts', { eager: true });

export function InstrumentPage() {
  return (
    <div className={styles.page}>
      <title>Claret Dashboard</title>
      <h1 className="visually-hidden">What the cluster does</h1>
      <div className={styles.top}>
        <Tour />
        <LaboratoryBar />
        <Header />
      </div>
      <div className={styles.time}>
        <TimeBar />
      </div>
      {PLACES.map((place) => {
        const View = Object.values(views[`../views/${place}/index.ts`] ?? {})[0];
        return (
          View && (
            <div key={place} className={classes(styles.place, styles[place])}>
              <View />
            </div>
          )
        );
      })}
    </div>
  );
}

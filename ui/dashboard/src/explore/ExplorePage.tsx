// Everything about the cluster: the story of the load that runs or ran last, then every view. Everything over time is on the
// left, behind one gutter; conflicts, waits and single transactions are on the right.
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { focusView, type ViewId } from '../components/views.ts';
import { StoryStrip } from '../story/StoryStrip.tsx';
import { TimeColumn } from '../time/TimeColumn.tsx';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { ConflictsView } from '../views/conflicts/index.ts';
import { EpochsPanel } from '../views/epochs/index.ts';
import { FurtherFigures, Header } from '../views/header/index.ts';
import { HeatPanel } from '../views/heat/index.ts';
import { OwnersPanel } from '../views/owners/index.ts';
import { PhasesPanel } from '../views/phases/index.ts';
import { TransactionsView } from '../views/transactions/index.ts';
import { TurnsPanel } from '../views/turns/index.ts';
import { WaitsView } from '../views/waits/index.ts';
import styles from './ExplorePage.module.css';
import { useAddress } from './useAddress.ts';

export function ExplorePage() {
  const { hash } = useLocation();
  useAddress();
  const isKnown = useTelemetry(({ newest_ms }) => newest_ms !== null);
  // What comes before a view grows once there is telemetry.
  useEffect(() => {
    if (hash !== '') focusView(hash.slice(1) as ViewId);
  }, [hash, isKnown]);
  return (
    <div className={styles.page}>
      <title>Explore · Claret Dashboard</title>
      <h1 className="visually-hidden">The cluster now</h1>
      <div className={styles.top}>
        <StoryStrip />
      </div>
      <div className={styles.overTime}>
        <TimeColumn>
          <Header />
          <HeatPanel />
          <TurnsPanel />
          <EpochsPanel />
          <PhasesPanel />
          <OwnersPanel />
          <FurtherFigures />
        </TimeColumn>
      </div>
      <div className={styles.beside}>
        <div className={styles.panels}>
          <div className={styles.place}>
            <ConflictsView />
          </div>
          <div className={styles.place}>
            <WaitsView />
          </div>
          <div className={styles.place}>
            <TransactionsView />
          </div>
        </div>
      </div>
    </div>
  );
}

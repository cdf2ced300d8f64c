// The instrument: a summary in one sentence, the laboratory, then every view of the cluster. Everything over time is on the left,
// behind one gutter; conflicts, waits and single transactions are on the right.
import { LaboratoryBar } from '../laboratory/LaboratoryBar.tsx';
import { TimeColumn } from '../time/TimeColumn.tsx';
import { Tour } from '../tour/Tour.tsx';
import { ConflictsView } from '../views/conflicts/index.ts';
import { EpochsPanel } from '../views/epochs/index.ts';
import { Header } from '../views/header/index.ts';
import { HeatPanel } from '../views/heat/index.ts';
import { OwnersPanel } from '../views/owners/index.ts';
import { PhasesPanel } from '../views/phases/index.ts';
import { SummaryLine } from '../views/summary/index.ts';
import { TransactionsView } from '../views/transactions/index.ts';
import { TurnsPanel } from '../views/turns/index.ts';
import { WaitsView } from '../views/waits/index.ts';
import styles from './InstrumentPage.module.css';

export function InstrumentPage() {
  return (
    <div className={styles.page}>
      <title>Claret Dashboard</title>
      <h1 className="visually-hidden">The cluster now</h1>
      <div className={styles.top}>
        <SummaryLine />
        <Tour />
        <div id="laboratory-bar" tabIndex={-1} className={styles.laboratory}>
          <LaboratoryBar />
        </div>
      </div>
      <div className={styles.overTime}>
        <TimeColumn>
          <Header />
          <HeatPanel />
          <TurnsPanel />
          <EpochsPanel />
          <PhasesPanel />
          <OwnersPanel />
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

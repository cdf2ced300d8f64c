// The instrument: what goes on in a sentence, what can be tried, then every view of the cluster. On the left everything that
// stands over time, behind one gutter; on the right who blocks whom, who waits, and single transactions.
import { LaboratoryBar } from '../laboratory/LaboratoryBar.tsx';
import { TimeColumn } from '../time/TimeColumn.tsx';
import { Tour } from '../tour/Tour.tsx';
import { ConflictsView } from '../views/conflicts/index.ts';
import { Header } from '../views/header/index.ts';
import { HeatPanel } from '../views/heat/index.ts';
import { PhasesPanel } from '../views/phases/index.ts';
import { SummaryLine } from '../views/summary/index.ts';
import { TransactionsView } from '../views/transactions/index.ts';
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
          <PhasesPanel />
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

// The instrument: every view of the cluster on one screen and one time axis.
import { classes } from '@claret/ui/kit';
import { LaboratoryBar } from '../laboratory/LaboratoryBar.tsx';
import { TimeBar } from '../time/TimeBar.tsx';
import { Tour } from '../tour/Tour.tsx';
import { ConflictsView } from '../views/conflicts/index.ts';
import { Header } from '../views/header/index.ts';
import { HeatPanel } from '../views/heat/index.ts';
import { PhasesPanel } from '../views/phases/index.ts';
import { TransactionsView } from '../views/transactions/index.ts';
import { WaitsView } from '../views/waits/index.ts';
import styles from './InstrumentPage.module.css';

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
      <div className={classes(styles.place, styles.phases)}>
        <PhasesPanel />
      </div>
      <div className={classes(styles.place, styles.conflicts)}>
        <ConflictsView />
      </div>
      <div className={classes(styles.place, styles.heat)}>
        <HeatPanel />
      </div>
      <div className={classes(styles.place, styles.waits)}>
        <WaitsView />
      </div>
      <div className={classes(styles.place, styles.transactions)}>
        <TransactionsView />
      </div>
    </div>
  );
}

// The laboratory: change how the cluster keeps transactions apart while a crowd hits it, and see what that does.
import { TriangleAlert } from 'lucide-react';
import { BeforeAfter } from './BeforeAfter.tsx';
import styles from './Laboratory.module.css';
import { SpikeControl } from './SpikeControl.tsx';
import { TokenForm } from './TokenForm.tsx';
import { useLaboratory } from './useLaboratory.tsx';
import { WaySwitch } from './WaySwitch.tsx';

export function LaboratoryBar() {
  const { problem } = useLaboratory();
  return (
    <section className={styles.bar} aria-labelledby="laboratory">
      <h2 id="laboratory" className="visually-hidden">
        Laboratory: what does each idea change?
      </h2>
      <WaySwitch />
      <SpikeControl />
      <BeforeAfter />
      <TokenForm />
      {problem && (
        <p className={styles.problem} role="status">
          <TriangleAlert size={15} aria-hidden="true" />
          {problem}
        </p>
      )}
    </section>
  );
}

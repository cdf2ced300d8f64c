// The laboratory: switch concurrency control while the cluster is under load, and see the effect.
import { TriangleAlert } from 'lucide-react';
import { BeforeAfter } from './BeforeAfter.tsx';
import { EpochsSwitch } from './EpochsSwitch.tsx';
import styles from './Laboratory.module.css';
import { NativesSwitch } from './NativesSwitch.tsx';
import { NormalMode } from './NormalMode.tsx';
import { SpikeControl } from './SpikeControl.tsx';
import { TokenForm } from './TokenForm.tsx';
import { useLaboratory } from './useLaboratory.tsx';
import { WarrantiesSwitch } from './WarrantiesSwitch.tsx';
import { WaySwitch } from './WaySwitch.tsx';

export function LaboratoryBar() {
  const { problem } = useLaboratory();
  return (
    <section className={styles.bar} aria-labelledby="laboratory">
      <h2 id="laboratory" className="visually-hidden">
        Laboratory
      </h2>
      <WaySwitch />
      <NativesSwitch />
      <WarrantiesSwitch />
      <EpochsSwitch />
      <SpikeControl />
      <BeforeAfter />
      <NormalMode />
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

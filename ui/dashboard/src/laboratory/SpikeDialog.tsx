import { Button, Dialog, TextField } from '@claret/ui/kit';
import { useState } from 'react';
import styles from './Laboratory.module.css';
import { spikeWords } from './spikeNames.ts';
import type { SpikeWish } from './spikes.ts';

interface Setting {
  name: 'seconds' | 'clients' | 'alpha' | 'update';
  label: string;
  hint: string;
  least: number;
  most: number;
  step: number;
}

const SETTINGS: readonly Setting[] = [
  { name: 'seconds', label: 'Seconds', hint: 'It ends by itself.', least: 1, most: 120, step: 1 },
  { name: 'clients', label: 'Clients', hint: 'Transactions that run at the same time.', least: 1, most: 384, step: 1 },
];
const RAWMIX_SETTINGS: readonly Setting[] = [
  {
    name: 'alpha',
    label: 'Skew',
    hint: '0: all sets get the same load. 1: like words in a language. Above 1: a handful gets nearly everything.',
    least: 0,
    most: 2,
    step: 0.1,
  },
  { name: 'update', label: 'Share of writes', hint: '0: reads only. 1: writes only.', least: 0, most: 1, step: 0.05 },
];

export interface SpikeDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  wish: SpikeWish;
  onChange(wish: SpikeWish): void;
}

export function SpikeDialog({ isOpen, onOpenChange, wish, onChange }: SpikeDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Duration and clients" about={spikeWords(wish.spike).about}>
      <SpikeForm
        wish={wish}
        onDone={(wanted) => {
          onChange(wanted);
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function SpikeForm({ wish, onDone }: { wish: SpikeWish; onDone: (wish: SpikeWish) => void }) {
  const [draft, setDraft] = useState<Record<string, string>>({});
  const settings = wish.spike === 'rawmix' ? [...SETTINGS, ...RAWMIX_SETTINGS] : SETTINGS;
  const typed = ({ name }: Setting) => draft[name] ?? String(wish[name] ?? '');
  const errorOf = (setting: Setting) => {
    const value = Number(typed(setting));
    const isGood =
      typed(setting).trim() !== '' && value >= setting.least && value <= setting.most && (setting.step !== 1 || Number.isInteger(value));
    return isGood ? null : `From ${setting.least} to ${setting.most}`;
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (settings.some(errorOf)) return;
        onDone({ ...wish, ...Object.fromEntries(settings.map((setting) => [setting.name, Number(typed(setting))])) });
      }}
    >
      {settings.map((setting) => (
        <TextField
          key={setting.name}
          label={setting.label}
          hint={setting.hint}
          error={errorOf(setting)}
          inputMode="decimal"
          value={typed(setting)}
          onChange={(event) => setDraft({ ...draft, [setting.name]: event.target.value })}
        />
      ))}
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  );
}

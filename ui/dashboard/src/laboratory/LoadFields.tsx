// How long a load runs, how large it is, and under which modes. A value that cannot be is not taken over.
import { TextField } from '@claret/ui/kit';
import { useState } from 'react';
import styles from './Laboratory.module.css';
import type { Load } from './load.ts';

interface Setting {
  name: 'seconds' | 'clients' | 'alpha' | 'update';
  label: string;
  hint: string;
  least: number;
  most: number;
  isWhole: boolean;
}

const SETTINGS: readonly Setting[] = [
  { name: 'seconds', label: 'Seconds', hint: 'It ends by itself.', least: 1, most: 120, isWhole: true },
  { name: 'clients', label: 'Clients', hint: 'Each runs one transaction after the other.', least: 1, most: 384, isWhole: true },
];
const RAWMIX_SETTINGS: readonly Setting[] = [
  {
    name: 'alpha',
    label: 'Skew',
    hint: '0: all sets get the same load. 1: like words in a language. Above 1: a handful gets nearly everything.',
    least: 0,
    most: 2,
    isWhole: false,
  },
  { name: 'update', label: 'Share of writes', hint: '0: reads only. 1: writes only.', least: 0, most: 1, isWhole: false },
];

export interface LoadFieldsProps {
  load: Load;
  /** how many it can run under in turn */
  modes: number;
  onChange(load: Load): void;
}

export function LoadFields({ load, modes, onChange }: LoadFieldsProps) {
  const [typed, setTyped] = useState<Partial<Record<Setting['name'], string>>>({});
  const settings = load.spike === 'rawmix' ? [...SETTINGS, ...RAWMIX_SETTINGS] : SETTINGS;
  const type = (setting: Setting, text: string) => {
    setTyped({ ...typed, [setting.name]: text });
    if (isGood(setting, text)) onChange({ ...load, [setting.name]: Number(text) });
  };
  return (
    <div className={styles.fields}>
      {settings.map((setting) => {
        const text = typed[setting.name] ?? String(load[setting.name]);
        return (
          <TextField
            key={setting.name}
            label={setting.label}
            hint={setting.hint}
            error={isGood(setting, text) ? null : `From ${setting.least} to ${setting.most}`}
            inputMode="decimal"
            value={text}
            onChange={(event) => type(setting, event.target.value)}
          />
        );
      })}
      <label className={styles.inTurn}>
        <input type="checkbox" checked={load.isInTurn} onChange={(event) => onChange({ ...load, isInTurn: event.target.checked })} />
        All {modes} modes in turn, instead of the one in force
      </label>
    </div>
  );
}

function isGood({ least, most, isWhole }: Setting, text: string): boolean {
  const value = Number(text);
  return text.trim() !== '' && value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

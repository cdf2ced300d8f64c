// Asks for the cluster's token, which the operator of the gateways hands out.
import { Button, TextField } from '@claret/ui/kit';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

export function TokenForm() {
  const { token: asked, unlock } = useLaboratory();
  const [typed, setTyped] = useState('');
  if (asked === 'not needed') return null;
  return (
    <form
      className={styles.token}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '') return;
        setTyped('');
        unlock(typed.trim());
      }}
    >
      <TextField
        label="The cluster’s token"
        hint="As its gateways were given it (CLARET_TOKEN). Kept in this tab until it is closed."
        error={asked === 'wrong' ? 'That is not the cluster’s token.' : null}
        type="password"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" size="small">
        <KeyRound size={15} aria-hidden="true" /> Unlock
      </Button>
    </form>
  );
}

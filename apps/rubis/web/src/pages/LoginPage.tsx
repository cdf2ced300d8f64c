import { Avatar, Button, TextField } from '@claret/ui/kit';
import { useState } from 'react';
import { PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { AppLink } from '../frame/AppLink.tsx';
import { useForm } from '../parts/useForm.ts';
import { useSession } from '../session/useSession.ts';
import { useWayOn } from '../session/useWayOn.ts';
import styles from './FormPage.module.css';
import { PageForm } from './PageForm.tsx';

export default function LoginPage() {
  const { logIn } = useSession();
  const { catalogue } = useCatalogue();
  const next = useWayOn();
  const form = useForm(['nickname', 'password']);
  const [nickname, setNickname] = useState('');
  const [password, setPassword] = useState('');
  const check = () => ({
    ...(nickname.trim() === '' ? { nickname: 'Type your nickname.' } : {}),
    ...(password === '' ? { password: 'Type your password.' } : {}),
  });
  const demo = catalogue?.demo_accounts ?? [];
  return (
    <div className={styles.page}>
      <title>Log in · Claret Auctions</title>
      <div>
        <h1>Log in</h1>
        <p className={styles.lead}>
          New here? <AppLink to={PAGE.register(next)}>Register</AppLink>
        </p>
      </div>
      <PageForm form={form} action="Log in" check={check} send={() => logIn({ nickname: nickname.trim(), password })}>
        <TextField
          label="Nickname"
          name="nickname"
          autoComplete="username"
          autoCapitalize="none"
          value={nickname}
          error={form.errors.nickname}
          onChange={(event) => setNickname(event.target.value)}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={form.errors.password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </PageForm>
      {demo.length > 0 && (
        <section className={styles.demo} aria-labelledby="demo">
          <h2 id="demo">Just looking?</h2>
          <p className={styles.note}>These accounts are for trying things out. One press and you are in.</p>
          <ul>
            {demo.map((account) => (
              <li key={account.nickname}>
                <Button onClick={() => void form.submit({}, () => logIn(account))}>
                  <Avatar name={account.nickname} size={22} />
                  {account.nickname}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

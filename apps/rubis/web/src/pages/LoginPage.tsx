import { Avatar, Button, TextField } from '@claret/ui/kit';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PAGE, safeNext } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { AppLink } from '../frame/AppLink.tsx';
import { useForm } from '../parts/useForm.ts';
import { useSession } from '../session/useSession.ts';
import styles from './FormPage.module.css';

export default function LoginPage() {
  const { user, logIn } = useSession();
  const { catalogue } = useCatalogue();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const next = query.get('next');
  const form = useForm(['nickname', 'password']);
  const [nickname, setNickname] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => {
    if (user) void navigate(safeNext(next), { replace: true });
  }, [user, next, navigate]);

  const demo = catalogue?.demo_accounts ?? [];
  return (
    <div className={styles.page}>
      <title>Log in · Claret Auctions</title>
      <div>
        <h1>Log in</h1>
        <p className={styles.lead}>
          New here? <AppLink to={PAGE.register(next ?? undefined)}>Register</AppLink>
        </p>
      </div>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const check = {
            ...(nickname.trim() === '' ? { nickname: 'Type your nickname.' } : {}),
            ...(password === '' ? { password: 'Type your password.' } : {}),
          };
          void form.submit(check, () => logIn({ nickname: nickname.trim(), password }));
        }}
      >
        {form.problem && (
          <p className={styles.problem} role="alert">
            {form.problem.message}
          </p>
        )}
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
        <Button type="submit" look="primary" isWide isBusy={form.isBusy}>
          Log in
        </Button>
      </form>
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

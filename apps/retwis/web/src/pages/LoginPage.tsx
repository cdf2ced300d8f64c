import { TextField } from '@claret/ui/kit';
import { AppLink, DemoAccounts, FormPage, PageForm, useForm, useLoginRedirect } from '@claret/ui/site';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './LoginPage.module.css';

export default function LoginPage() {
  const { logIn } = useSession();
  const { data: demo } = useQuery<api.Demo>(API.demo);
  const next = useLoginRedirect();
  const form = useForm(['username', 'password']);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const check = () => ({
    ...(username.trim() === '' ? { username: 'Enter your username.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  });
  const accounts = demo?.accounts ?? [];
  const enterDemo = (name: string) => {
    const account = accounts.find((one) => one.username === name);
    if (account) void form.submit({}, () => logIn(account));
  };
  return (
    <div className={styles.page}>
      <FormPage
        title="Log in"
        lead={
          <>
            New here? <AppLink to={PAGE.register(next)}>Sign up</AppLink>
          </>
        }
      >
        <title>Log in · Claret Timelines</title>
        <PageForm form={form} action="Log in" check={check} send={() => logIn({ username: username.trim(), password })}>
          <TextField
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            error={form.errors.username}
            onChange={(event) => setUsername(event.target.value)}
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
        <DemoAccounts names={accounts.map((account) => account.username)} onEnter={enterDemo} />
      </FormPage>
    </div>
  );
}

import { TextField } from '@claret/ui/kit';
import { AppLink, DemoAccounts, FormPage, PageForm, useForm, useLoginRedirect } from '@claret/ui/site';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';

export default function LoginPage() {
  const { logIn } = useSession();
  const { data: catalogue } = useQuery<api.Catalogue>(API.catalogue);
  const next = useLoginRedirect();
  const form = useForm(['nickname', 'password']);
  const [nickname, setNickname] = useState('');
  const [password, setPassword] = useState('');
  const check = () => ({
    ...(nickname.trim() === '' ? { nickname: 'Enter your nickname.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  });
  const demo = catalogue?.demo_accounts ?? [];
  const enterDemo = (name: string) => {
    const account = demo.find((one) => one.nickname === name);
    if (account) void form.submit({}, () => logIn(account));
  };
  return (
    <FormPage
      title="Log in"
      lead={
        <>
          New here? <AppLink to={PAGE.register(next)}>Register</AppLink>
        </>
      }
    >
      <title>Log in · Claret Auctions</title>
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
      <DemoAccounts names={demo.map((account) => account.nickname)} onEnter={enterDemo} />
    </FormPage>
  );
}

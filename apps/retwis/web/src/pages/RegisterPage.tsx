import { TextField } from '@claret/ui/kit';
import { AppLink, FormPage, PageForm, useForm, useLoginRedirect, type FieldErrors } from '@claret/ui/site';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './LoginPage.module.css';

const USERNAME_MIN: typeof api.LIMITS.username_length_min = 3;
const USERNAME_MAX: typeof api.LIMITS.username_length_max = 20;
const PASSWORD_MIN: typeof api.LIMITS.password_length_min = 8;
const PASSWORD_MAX: typeof api.LIMITS.password_length_max = 128;

type Name = 'username' | 'password';

function check({ username, password }: api.RegisterRequest): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  if (username.length > USERNAME_MAX) errors.username = `That’s ${username.length} characters; a username has at most ${USERNAME_MAX}.`;
  else if (username.length < USERNAME_MIN) errors.username = `Use at least ${USERNAME_MIN} characters.`;
  else if (!/^[A-Za-z]/.test(username)) errors.username = 'Start with a letter, A to Z.';
  else if (!/^[A-Za-z0-9_]*$/.test(username)) errors.username = 'Use letters A to Z, digits and underscores only.';
  if (password.length > PASSWORD_MAX) errors.password = `That’s ${password.length} characters; a password has at most ${PASSWORD_MAX}.`;
  else if (password.length < PASSWORD_MIN) errors.password = `Use at least ${PASSWORD_MIN} characters.`;
  return errors;
}

export default function RegisterPage() {
  const { register } = useSession();
  const next = useLoginRedirect();
  const form = useForm<Name>(['username', 'password']);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const person = { username: username.trim(), password };
  return (
    <div className={styles.page}>
      <FormPage
        title="Sign up"
        lead={
          <>
            Already have an account? <AppLink to={PAGE.login(next)}>Log in</AppLink>
          </>
        }
      >
        <title>Sign up · Claret Timelines</title>
        <PageForm form={form} action="Sign up" check={() => check(person)} send={() => register(person)}>
          <TextField
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            hint={`${USERNAME_MIN} to ${USERNAME_MAX} letters, digits or underscores, starting with a letter. You can’t change it later.`}
            value={username}
            error={form.errors.username}
            onChange={(event) => setUsername(event.target.value)}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint={`At least ${PASSWORD_MIN} characters. It can’t be reset, so keep it safe.`}
            value={password}
            error={form.errors.password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </PageForm>
      </FormPage>
    </div>
  );
}

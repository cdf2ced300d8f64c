import { TextField } from '@claret/ui/kit';
import { AppLink, FormPage, PageForm, useForm, useWayOn, type FieldErrors } from '@claret/ui/site';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './DoorPage.module.css';

const USERNAME_MIN: typeof api.LIMITS.username_length_min = 3;
const USERNAME_MAX: typeof api.LIMITS.username_length_max = 20;
const PASSWORD_MIN: typeof api.LIMITS.password_length_min = 8;
const PASSWORD_MAX: typeof api.LIMITS.password_length_max = 128;

type Name = 'username' | 'password';

function check({ username, password }: api.RegisterRequest): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  if (username.length < USERNAME_MIN) errors.username = `Choose a username of at least ${USERNAME_MIN} letters.`;
  else if (!/^[A-Za-z]/.test(username)) errors.username = 'A username starts with a letter, A to Z.';
  else if (!/^[A-Za-z0-9_]*$/.test(username)) errors.username = 'Letters A to Z, digits and _ only.';
  if (password.length < PASSWORD_MIN) errors.password = `Choose a password of at least ${PASSWORD_MIN} characters.`;
  return errors;
}

export default function RegisterPage() {
  const { register } = useSession();
  const next = useWayOn();
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
            Already here? <AppLink to={PAGE.login(next)}>Log in</AppLink>
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
            hint={`${USERNAME_MIN} to ${USERNAME_MAX} letters, digits or _, starting with a letter. It cannot be changed later.`}
            maxLength={USERNAME_MAX}
            value={username}
            error={form.errors.username}
            onChange={(event) => setUsername(event.target.value)}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint={`At least ${PASSWORD_MIN} characters, whichever you like. Nobody can send you another one: keep it well.`}
            maxLength={PASSWORD_MAX}
            value={password}
            error={form.errors.password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </PageForm>
      </FormPage>
    </div>
  );
}

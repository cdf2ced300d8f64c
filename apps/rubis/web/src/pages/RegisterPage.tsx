import { SelectField, TextField } from '@claret/ui/kit';
import { AppLink, FormPage, PageForm, useForm, useLoginRedirect, type FieldErrors } from '@claret/ui/site';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { RegionOptions } from '../components/CatalogueOptions.tsx';
import { useSession } from '../session.ts';

const NICKNAME_MIN: typeof api.LIMITS.nickname_length_min = 3;
const NICKNAME_MAX: typeof api.LIMITS.nickname_length_max = 20;
const PASSWORD_MIN: typeof api.LIMITS.password_length_min = 8;
const PASSWORD_MAX: typeof api.LIMITS.password_length_max = 128;

type Name = 'nickname' | 'password' | 'region_id';

function check({ nickname, password, region_id }: api.RegisterRequest): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  if (nickname.length < NICKNAME_MIN) errors.nickname = `Use at least ${NICKNAME_MIN} characters.`;
  else if (nickname.length > NICKNAME_MAX)
    errors.nickname = `Use at most ${NICKNAME_MAX} characters. This is ${nickname.length - NICKNAME_MAX} too many.`;
  else if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(nickname)) errors.nickname = 'Use only letters, digits and _, starting with a letter.';
  if (password.length < PASSWORD_MIN) errors.password = `Use at least ${PASSWORD_MIN} characters.`;
  if (region_id === '') errors.region_id = 'Choose the region where your items are listed.';
  return errors;
}

export default function RegisterPage() {
  const { register } = useSession();
  const next = useLoginRedirect();
  const form = useForm<Name>(['nickname', 'password', 'region_id']);
  const [person, setPerson] = useState<api.RegisterRequest>({ nickname: '', password: '', region_id: '' });
  const change = (part: Partial<api.RegisterRequest>) => setPerson({ ...person, ...part });
  const trimmed = { ...person, nickname: person.nickname.trim() };
  return (
    <FormPage
      title="Register"
      lead={
        <>
          Already have an account? <AppLink to={PAGE.login(next)}>Log in</AppLink>
        </>
      }
    >
      <title>Register · Claret Auctions</title>
      <PageForm form={form} action="Register" check={() => check(trimmed)} send={() => register(trimmed)}>
        <TextField
          label="Nickname"
          name="nickname"
          autoComplete="username"
          autoCapitalize="none"
          hint={`Everyone sees it, and it can’t be changed. ${NICKNAME_MIN} to ${NICKNAME_MAX} letters, digits or _.`}
          value={person.nickname}
          error={form.errors.nickname}
          onChange={(event) => change({ nickname: event.target.value })}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_MIN} characters. It can’t be reset, so keep it safe.`}
          maxLength={PASSWORD_MAX}
          value={person.password}
          error={form.errors.password}
          onChange={(event) => change({ password: event.target.value })}
        />
        <SelectField
          label="Region"
          name="region_id"
          hint="Where your items are listed."
          value={person.region_id}
          error={form.errors.region_id}
          onChange={(event) => change({ region_id: event.target.value })}
        >
          <option value="">Choose…</option>
          <RegionOptions />
        </SelectField>
      </PageForm>
    </FormPage>
  );
}

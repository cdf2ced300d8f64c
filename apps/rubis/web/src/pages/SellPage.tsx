import { Button, parseMoney, SelectField, TextAreaField, TextField, useToast } from '@claret/ui/kit';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type * as api from '../../../server/api.ts';
import { post } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { queries } from '../api/useQuery.ts';
import { CategoryOptions } from '../parts/CatalogueOptions.tsx';
import { LoginWall } from '../parts/LoginWall.tsx';
import { useForm, type FieldErrors } from '../parts/useForm.ts';
import { useSession } from '../session/useSession.ts';
import styles from './FormPage.module.css';

const TITLE_MIN: typeof api.LIMITS.title_length_min = 3;
const TITLE_MAX: typeof api.LIMITS.title_length_max = 80;
const DESCRIPTION_MAX: typeof api.LIMITS.description_length_max = 4_000;
const PRICE_MAX: typeof api.LIMITS.amount_cents_max = 1_000_000_000;

const DURATIONS = [
  { minutes: 1, label: '1 minute, to try it out' },
  { minutes: 10, label: '10 minutes' },
  { minutes: 60, label: '1 hour' },
  { minutes: 24 * 60, label: '1 day' },
  { minutes: 3 * 24 * 60, label: '3 days' },
  { minutes: 7 * 24 * 60, label: '7 days' },
];

type Name = 'title' | 'category_id' | 'start_price_cents' | 'duration_minutes' | 'description';
const EMPTY = { title: '', category_id: '', price: '', duration_minutes: 24 * 60, description: '' };

function check(item: typeof EMPTY): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  const price = parseMoney(item.price);
  if (item.title.trim().length < TITLE_MIN) errors.title = 'Say in a few words what it is.';
  if (item.category_id === '') errors.category_id = 'Choose where people will look for it.';
  if (price === null) errors.start_price_cents = 'Type an amount of dollars, like 25 or 12.50.';
  else if (price < 1 || price > PRICE_MAX) errors.start_price_cents = 'Between one cent and ten million dollars.';
  return errors;
}

export default function SellPage() {
  const { user, isKnown } = useSession();
  return (
    <>
      <title>Sell · Claret Auctions</title>
      {user ? <SellForm /> : isKnown && <LoginWall title="Log in to sell">Bidders see who sells, so selling needs an account. It takes half a minute.</LoginWall>}
    </>
  );
}

function SellForm() {
  const navigate = useNavigate();
  const toast = useToast();
  const form = useForm<Name>(['title', 'category_id', 'start_price_cents', 'duration_minutes', 'description']);
  const [item, setItem] = useState(EMPTY);
  const change = (part: Partial<typeof EMPTY>) => setItem({ ...item, ...part });
  const open = async () => {
    const body: api.SellRequest = {
      title: item.title.trim(),
      description: item.description.trim(),
      category_id: item.category_id,
      start_price_cents: parseMoney(item.price)!,
      duration_minutes: item.duration_minutes,
    };
    const { item_id } = await post<api.ItemOpened>(API.items, body);
    queries.clear();
    toast({ tone: 'good', title: 'Your auction is open', text: 'Everybody can see it and bid from now on.' });
    void navigate(PAGE.item(item_id));
  };
  return (
    <div className={`${styles.page} ${styles.wide}`}>
      <div>
        <h1>Sell something</h1>
        <p className={styles.lead}>It is open at once, for everybody, and ends by itself. A picture is drawn for it.</p>
      </div>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(check(item), open);
        }}
      >
        {form.problem && (
          <p className={styles.problem} role="alert">
            {form.problem.message}
          </p>
        )}
        <TextField
          label="Title"
          name="title"
          hint="People search for these words."
          maxLength={TITLE_MAX}
          autoComplete="off"
          value={item.title}
          error={form.errors.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <SelectField label="Category" name="category_id" value={item.category_id} error={form.errors.category_id} onChange={(event) => change({ category_id: event.target.value })}>
          <option value="">Choose…</option>
          <CategoryOptions />
        </SelectField>
        <div className={styles.pair}>
          <TextField
            label="Start price"
            name="start_price_cents"
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
            hint="The least that the first bid must be."
            value={item.price}
            error={form.errors.start_price_cents}
            onChange={(event) => change({ price: event.target.value })}
          />
          <SelectField
            label="Open for"
            name="duration_minutes"
            value={item.duration_minutes}
            error={form.errors.duration_minutes}
            onChange={(event) => change({ duration_minutes: Number(event.target.value) })}
          >
            {DURATIONS.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        <TextAreaField
          label="Description"
          name="description"
          isOptional
          maxLength={DESCRIPTION_MAX}
          hint="Condition, size, what is special about it."
          value={item.description}
          error={form.errors.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <Button type="submit" look="primary" isWide isBusy={form.isBusy}>
          Open the auction
        </Button>
      </form>
    </div>
  );
}

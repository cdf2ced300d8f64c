// What a seller says about a thing, and what is wrong with it so far.
import { parseMoney, SelectField, TextAreaField, TextField } from '@claret/ui/kit';
import type { FieldErrors } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { CategoryOptions } from './CatalogueOptions.tsx';
import styles from './SellFields.module.css';

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

export type SellField = 'title' | 'category_id' | 'start_price_cents' | 'duration_minutes' | 'description';
export const NOTHING_YET = { title: '', category_id: '', price: '', duration_minutes: 24 * 60, description: '' };
export type Sale = typeof NOTHING_YET;

export function checkSale(item: Sale): FieldErrors<SellField> {
  const errors: FieldErrors<SellField> = {};
  const price = parseMoney(item.price);
  if (item.title.trim().length < TITLE_MIN) errors.title = 'Say in a few words what it is.';
  if (item.category_id === '') errors.category_id = 'Choose where people will look for it.';
  if (price === null) errors.start_price_cents = 'Type an amount of dollars, like 25 or 12.50.';
  else if (price < 1 || price > PRICE_MAX) errors.start_price_cents = 'Between one cent and ten million dollars.';
  return errors;
}

interface SellFieldsProps {
  item: Sale;
  errors: FieldErrors<SellField>;
  change(part: Partial<Sale>): void;
}

export function SellFields({ item, errors, change }: SellFieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        name="title"
        hint="People search for these words."
        maxLength={TITLE_MAX}
        autoComplete="off"
        value={item.title}
        error={errors.title}
        onChange={(event) => change({ title: event.target.value })}
      />
      <SelectField
        label="Category"
        name="category_id"
        value={item.category_id}
        error={errors.category_id}
        onChange={(event) => change({ category_id: event.target.value })}
      >
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
          error={errors.start_price_cents}
          onChange={(event) => change({ price: event.target.value })}
        />
        <SelectField
          label="Open for"
          name="duration_minutes"
          value={item.duration_minutes}
          error={errors.duration_minutes}
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
        error={errors.description}
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  );
}

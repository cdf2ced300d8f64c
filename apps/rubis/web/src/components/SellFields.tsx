import { SelectField, TextAreaField, TextField } from '@claret/ui/kit';
import type { FieldErrors } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { CategoryOptions } from './CatalogueOptions.tsx';
import type { Sale, SellField } from './saleFields.ts';
import { MoneyField } from './MoneyField.tsx';
import styles from './SellFields.module.css';

const TITLE_MAX: typeof api.LIMITS.title_length_max = 80;
const DESCRIPTION_MAX: typeof api.LIMITS.description_length_max = 4_000;
const QUANTITY_MAX: typeof api.LIMITS.quantity_max = 10;

const DURATIONS = [
  { minutes: 1, label: '1 minute (to try it out)' },
  { minutes: 10, label: '10 minutes' },
  { minutes: 60, label: '1 hour' },
  { minutes: 24 * 60, label: '1 day' },
  { minutes: 3 * 24 * 60, label: '3 days' },
  { minutes: 7 * 24 * 60, label: '7 days' },
];

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
        dir="auto"
        name="title"
        hint="People search by the words in the title."
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
        <MoneyField
          label="Starting price"
          name="start_price_cents"
          hint="Minimum first bid"
          value={item.price}
          error={errors.start_price_cents}
          onChange={(price) => change({ price })}
        />
        <SelectField
          label="Duration"
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
      <fieldset className={styles.more}>
        <legend>More ways to sell</legend>
        <div className={styles.pair}>
          <MoneyField
            label="Reserve"
            name="reserve_price_cents"
            isOptional
            hint="A secret minimum. If no bid reaches it, you keep the item. Bidders only see whether it’s been met."
            value={item.reserve}
            error={errors.reserve_price_cents}
            onChange={(reserve) => change({ reserve })}
          />
          <MoneyField
            label="Buy now price"
            name="buy_now_price_cents"
            isOptional
            hint="Anyone can buy at this price until the bids reach it."
            value={item.buy_now}
            error={errors.buy_now_price_cents}
            onChange={(buy_now) => change({ buy_now })}
          />
          <SelectField
            label="Quantity"
            name="quantity"
            hint="To sell more than one, set a Buy now price. The highest bidder gets one piece."
            value={item.quantity}
            error={errors.quantity}
            onChange={(event) => change({ quantity: Number(event.target.value) })}
          >
            {Array.from({ length: QUANTITY_MAX }, (_, at) => (
              <option key={at} value={at + 1}>
                {at + 1}
              </option>
            ))}
          </SelectField>
        </div>
      </fieldset>
      <TextAreaField
        label="Description"
        dir="auto"
        name="description"
        isOptional
        maxLength={DESCRIPTION_MAX}
        hint="Condition, size, what’s special about it."
        value={item.description}
        error={errors.description}
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  );
}

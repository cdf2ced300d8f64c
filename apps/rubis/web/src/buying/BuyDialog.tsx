// Buying asks for confirmation: the item, the quantity, the total. It also shows the outcome.
import { Button, Dialog, formatCounted, formatMoney, LiveValue, SelectField } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import styles from './Buying.module.css';
import { purchaseTerms, quantityChoices } from './purchase.ts';
import type { Buying } from './useBuy.ts';

export interface BuyDialogProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  buying: Buying;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

export function BuyDialog({ item, live, buying, isOpen, onOpenChange }: BuyDialogProps) {
  const start = useRef<HTMLElement | null>(null);
  const startsAt = useCallback((element: HTMLElement | null) => void (start.current = element), []);
  const { step } = buying.state;
  const close = (isNext: boolean) => {
    onOpenChange(isNext);
    if (!isNext) buying.settle();
  };
  return (
    <Dialog isOpen={isOpen} onOpenChange={close} title={step === 'bought' ? 'It’s yours' : 'Buy now'} about={item.title} startsAt={start}>
      <Content item={item} live={live} buying={buying} startsAt={startsAt} onClose={() => close(false)} />
    </Dialog>
  );
}

interface ContentProps extends Pick<BuyDialogProps, 'item' | 'live' | 'buying'> {
  /** the ref of the element that gets the focus first, where one press too many buys nothing */
  startsAt(element: HTMLElement | null): void;
  onClose(): void;
}

function Content({ item, live, buying, startsAt, onClose }: ContentProps) {
  const { state } = buying;
  const close = (
    <Button ref={startsAt} onClick={onClose}>
      Close
    </Button>
  );
  if (state.step === 'bought') return <Done bought={state.bought} close={close} />;
  const isOpen = live.status === 'open' && live.buy_now?.withdrawn !== true;
  const left = isOpen ? (live.buy_now?.left ?? 0) : 0;
  if (state.step === 'idle' && left === 0) {
    return (
      <Answer icon={<CircleX size={20} aria-hidden="true" />} look={styles.bad} actions={close}>
        <strong>{goneTitle(live)}</strong>
        <span>You haven’t bought anything, and you owe nothing.</span>
      </Answer>
    );
  }
  return <Order item={item} live={live} left={left} buying={buying} startsAt={startsAt} onClose={onClose} />;
}

function goneTitle({ status, ended_by, buy_now }: api.LiveItem): string {
  if (status === 'closed' && ended_by === 'time') return 'The auction has ended';
  return buy_now !== null && buy_now.left > 0 && buy_now.withdrawn ? 'The bids have reached the Buy now price' : 'Sold out';
}

function Order({ item, live, left, buying: { state, buy }, startsAt, onClose }: ContentProps & { left: number }) {
  const [wished, setWished] = useState(1);
  const hasChoice = item.quantity > 1;
  const price_cents = live.buy_now?.price_cents ?? 0;
  const isFixed = state.step === 'buying' || state.step === 'unknown';
  const quantity = isFixed ? state.quantity : Math.max(1, Math.min(wished, left));
  const choices = isFixed ? [quantity] : quantityChoices(left);
  const total = formatMoney(price_cents * quantity);
  return (
    <form
      className={styles.order}
      onSubmit={(event) => {
        event.preventDefault();
        void buy(quantity);
      }}
    >
      {hasChoice && (
        <SelectField
          ref={startsAt}
          label="Quantity"
          name="quantity"
          hint={
            <>
              <LiveValue value={left}>{left}</LiveValue> of {item.quantity} left, {formatMoney(price_cents)} each
            </>
          }
          value={quantity}
          disabled={isFixed}
          onChange={(event) => setWished(Number(event.target.value))}
        >
          {choices.map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </SelectField>
      )}
      <p className={styles.total}>
        <span>Total</span>
        <LiveValue value={total} className={styles.sum}>
          {total}
        </LiveValue>
      </p>
      <div role="status">
        <Outcome state={state} />
      </div>
      <p className={styles.small}>A purchase is binding. {purchaseTerms(quantity, left)}</p>
      <div className={styles.actions}>
        <Button ref={hasChoice ? undefined : startsAt} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isBusy={state.step === 'buying'} disabled={!isFixed && left === 0}>
          {orderLabel(state.step, quantity, total)}
        </Button>
      </div>
    </form>
  );
}

function orderLabel(step: string, quantity: number, total: string): string {
  if (step === 'buying') return 'Buying…';
  if (step === 'unknown') return 'Try again';
  return quantity === 1 ? `Buy for ${total}` : `Buy ${quantity} for ${total}`;
}

function Outcome({ state }: { state: Buying['state'] }) {
  if (state.step === 'refused') {
    return (
      <Answer icon={<CircleX size={20} aria-hidden="true" />} look={styles.bad}>
        <strong>Your purchase didn’t go through</strong>
        <span>{state.problem.message}</span>
      </Answer>
    );
  }
  if (state.step !== 'unknown') return null;
  return (
    <Answer icon={<TriangleAlert size={20} aria-hidden="true" />} look={styles.warn}>
      <strong>We don’t know yet whether this worked</strong>
      <span>
        We got no reply to your purchase of {formatCounted(state.quantity, 'piece', 'pieces')}. It’s safe to try again: you won’t be charged
        twice.
      </span>
    </Answer>
  );
}

function Done({ bought: { quantity, total_cents }, close }: { bought: api.Bought; close: ReactNode }) {
  const actions = (
    <>
      {close}
      <Button asChild look="primary">
        <AppLink to={PAGE.mine('bought')}>See what you bought</AppLink>
      </Button>
    </>
  );
  return (
    <div role="status">
      <Answer icon={<CircleCheck size={20} aria-hidden="true" />} look={styles.good} actions={actions}>
        <strong>
          You bought {formatCounted(quantity, 'piece', 'pieces')} for {formatMoney(total_cents)}
        </strong>
        <span>You can rate the seller on the auction’s page.</span>
      </Answer>
    </div>
  );
}

interface AnswerProps {
  icon: ReactNode;
  look: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}

function Answer({ icon, look, actions, children }: AnswerProps) {
  return (
    <>
      <div className={`${styles.answer} ${look ?? ''}`}>
        {icon}
        <p>{children}</p>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  );
}

import { Button, SelectField, TextAreaField, useToast } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useRef, useState, type FormEvent } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, post } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useTodo } from '../bidding/useTodo.ts';
import { useSession } from '../session.ts';
import styles from './CommentForm.module.css';
import { RATING_CHOICES } from './ratingWords.ts';

const TEXT_LENGTH_MAX: typeof api.LIMITS.comment_length_max = 500;

export interface CommentSectionProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  viewer: api.ItemView['viewer'];
  onStored(): void;
}

/** After a sale: the form for people who took part in it; a link to the login for others, who may be among them. */
export function CommentSection({ item, live, viewer, onStored }: CommentSectionProps) {
  const { user, isKnown } = useSession();
  if (viewer && viewer.may_comment_on.length > 0)
    return <CommentForm item_id={item.id} about={viewer.may_comment_on} onStored={onStored} />;
  const wasSold = live.winner !== null || (live.buy_now !== null && live.buy_now.left < item.quantity);
  if (live.status === 'open' || !wasSold || user || !isKnown) return null;
  return (
    <p className={styles.wall}>
      Were you the buyer or the seller? <AppLink to={PAGE.login(PAGE.todo(item.id, 'comment'))}>Log in to leave a comment</AppLink>
    </p>
  );
}

interface CommentFormProps {
  item_id: string;
  /** people on whom the viewer may still comment, at least one */
  about: readonly api.UserRef[];
  onStored(): void;
}

/** Comments between seller and buyers, and seller and winner, each once per pair and direction. */
function CommentForm({ item_id, about, onStored }: CommentFormProps) {
  const [chosen, setChosen] = useState('');
  const person = about.find(({ id }) => id === chosen) ?? about[0]!;
  const field = useRef<HTMLTextAreaElement>(null);
  useTodo('comment', () => field.current?.focus());
  const [rating, setRating] = useState<number>(5);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isStoring, setStoring] = useState(false);
  const toast = useToast();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') {
      setError('Write a few words about the sale.');
      return field.current?.focus();
    }
    setStoring(true);
    setError(null);
    try {
      const body: api.CommentRequest = { rating, text: text.trim(), about_user_id: person.id };
      await post<api.CommentStored>(API.comments(item_id), body);
      toast({ tone: 'good', title: 'Thank you', text: `Your comment is now on ${person.nickname}’s page.` });
      setText('');
      onStored();
    } catch (thrown) {
      setError(asProblem(thrown).message);
    } finally {
      setStoring(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h2>Rate {person.nickname}</h2>
      {about.length > 1 && (
        <SelectField label="About" name="about" value={person.id} onChange={(event) => setChosen(event.target.value)}>
          {about.map(({ id, nickname }) => (
            <option key={id} value={id}>
              {nickname}
            </option>
          ))}
        </SelectField>
      )}
      <fieldset className={styles.choices}>
        <legend>Rating</legend>
        {RATING_CHOICES.map(({ value, word }) => (
          <label key={value} className={styles.choice}>
            <input type="radio" name="rating" value={value} checked={rating === value} onChange={() => setRating(value)} />
            {word}
          </label>
        ))}
      </fieldset>
      <TextAreaField
        ref={field}
        label="Comment"
        dir="auto"
        hint="Everyone can read it."
        maxLength={TEXT_LENGTH_MAX}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button type="submit" look="primary" isBusy={isStoring}>
          Leave comment
        </Button>
      </div>
    </form>
  );
}

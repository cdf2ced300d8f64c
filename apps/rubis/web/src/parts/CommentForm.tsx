import { Button, TextAreaField, useToast } from '@claret/ui/kit';
import { useState, type FormEvent } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, post } from '../api/door.ts';
import { API } from '../api/paths.ts';
import styles from './CommentForm.module.css';
import { RATING_CHOICES } from './ratingWords.ts';

const TEXT_LENGTH_MAX: typeof api.LIMITS.comment_length_max = 500;

export interface CommentFormProps {
  item_id: string;
  about: api.UserRef;
  onStored(): void;
}

/** Winner and seller say how it went, each once. */
export function CommentForm({ item_id, about, onStored }: CommentFormProps) {
  const [rating, setRating] = useState<number>(5);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isStoring, setStoring] = useState(false);
  const toast = useToast();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setError('Write a few words about how it went.');
    setStoring(true);
    setError(null);
    try {
      const body: api.CommentRequest = { rating, text: text.trim() };
      await post<api.CommentStored>(API.comments(item_id), body);
      toast({ tone: 'good', title: 'Thank you', text: `Your comment stands on ${about.nickname}’s page.` });
      onStored();
    } catch (thrown) {
      setError(asProblem(thrown).message);
    } finally {
      setStoring(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h2>How was it with {about.nickname}?</h2>
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
        label="Comment"
        hint="Everybody can read it."
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

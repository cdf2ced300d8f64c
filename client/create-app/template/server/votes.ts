// The records of a poll, and what changes them.
//
//   {poll:ID}:votes:OPTION     Counter    how many have chosen it; adds commute, so voters do not wait for each other
//   {poll:ID}:reacted:REACTION Counter
//   {poll:ID}:choice:VOTER     Register   the option that this person has chosen
//
// The part in braces keeps the records of one poll on one shard, so that a vote is settled there; different polls are on any shards.
import type { Claret } from '@claret/client';

export const keys = {
  votes: (poll: string, option: string) => `{poll:${poll}}:votes:${option}`,
  reacted: (poll: string, reaction: string) => `{poll:${poll}}:reacted:${reaction}`,
  choice: (poll: string, voter: string) => `{poll:${poll}}:choice:${voter}`,
};

/**
 * Gives this person's only vote to the option. A vote names the choice, not a change of counts: whoever has chosen it already changes
 * nothing, so a vote whose answer was lost is simply sent again.
 */
export function vote(claret: Claret, poll: string, voter: string, option: string): Promise<void> {
  return claret.transaction('Vote', async (tx) => {
    const choice = tx.register(keys.choice(poll, voter));
    const before = await choice.get(); // awaited: what follows depends on it
    if (before === option) return;
    if (before !== null) tx.counter(keys.votes(poll, String(before))).add(-1); // no results: they travel with the commit
    tx.counter(keys.votes(poll, option)).add(1);
    choice.set(option);
  });
}

/** One operation needs no transaction: a native, in one message. It counts each time, so whoever does not know must not send it again. */
export function react(claret: Claret, poll: string, reaction: string): Promise<void> {
  return claret.native.counter(keys.reacted(poll, reaction)).add(1);
}

/** What this person has chosen in each of the polls; null: nothing yet. */
export async function choicesOf(claret: Claret, polls: readonly string[], voter: string): Promise<(string | null)[]> {
  const choices = await claret.transact(
    'Choices',
    polls.map((poll) => claret.on.register(keys.choice(poll, voter)).get()),
  );
  return choices.map((choice) => (choice === null ? null : String(choice)));
}

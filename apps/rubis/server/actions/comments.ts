// The Dicts of comments: `{user:U}:comment:C`.
import type { CommentView } from '../api.ts';
import type { Scalar } from './item-info.ts';

export const COMMENT_FIELDS = ['from', 'from_nickname', 'item', 'item_title', 'rating', 'text', 'created_at_ms'] as const;

export function commentFields(comment: CommentView): Record<string, Scalar> {
  return {
    from: comment.from.id,
    from_nickname: comment.from.nickname,
    item: comment.item_id,
    item_title: comment.item_title,
    rating: comment.rating,
    text: comment.text,
    created_at_ms: comment.created_at_ms,
  };
}

// Parses the values of COMMENT_FIELDS, in that order.
export function parseComment(id: string, values: readonly (Scalar | null)[]): CommentView {
  const [from, fromNickname, item, itemTitle, rating, text, createdAt] = values.map((value) => value ?? '');
  return {
    id,
    from: { id: String(from), nickname: String(fromNickname) },
    item_id: String(item),
    item_title: String(itemTitle),
    rating: Number(rating),
    text: String(text),
    created_at_ms: Number(createdAt),
  };
}

import { Picture } from '@claret/ui/kit';
import { useCatalogue } from '../api/useCatalogue.ts';

export interface ItemPictureProps {
  item: { id: string; title: string; category_id: string };
  label?: string;
  className?: string | undefined;
}

/** An auction's picture: always the same for the same auction. */
export function ItemPicture({ item, label, className }: ItemPictureProps) {
  const { category } = useCatalogue();
  return (
    <Picture
      id={item.id}
      subject={item.title}
      category={category(item.category_id)}
      {...(label ? { label } : {})}
      {...(className ? { className } : {})}
    />
  );
}

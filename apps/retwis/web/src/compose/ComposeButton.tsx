import { Button, Dialog } from '@claret/ui/kit';
import { Feather } from 'lucide-react';
import { useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import styles from './ComposeButton.module.css';
import { Composer } from './Composer.tsx';

/** Opens a composer over any page. */
export function ComposeButton({ writer, className }: { writer: api.UserRef; className?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <Button look="primary" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Feather size={20} aria-hidden="true" />
        <span>Post</span>
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Write a post" startsAt={field}>
        <Composer writer={writer} field={field} onSent={() => setOpen(false)} className={styles.composer} />
      </Dialog>
    </>
  );
}

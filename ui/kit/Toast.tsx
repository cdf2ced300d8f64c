// Short messages in the corner. They are announced politely, stay while the pointer is on them, and never take the focus.
import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './Toast.module.css';

export interface ToastMessage {
  tone?: 'plain' | 'good' | 'warn' | 'bad';
  title: string;
  text?: ReactNode;
  /** the action to take: usually one link or button */
  action?: ReactNode;
  /** a newer toast with the same key replaces the older one */
  key?: string;
}

type Shown = ToastMessage & { id: number };
type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<ShowToast>(() => {});
const DURATION_MS = 8_000;
/** a toast with an action needs time to read and reach it */
const DURATION_WITH_ACTION_MS = 20_000;
const SHOWN_MAX = 4;
const ICONS = { plain: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleX };

let lastId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const show = useCallback<ShowToast>((message) => {
    const id = ++lastId;
    setShown((before) =>
      [...before.filter((toast) => message.key === undefined || toast.key !== message.key), { ...message, id }].slice(-SHOWN_MAX),
    );
  }, []);
  const remove = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={DURATION_MS} label="Notification">
        {children}
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onClose={() => remove(toast.id)} />
        ))}
        <Radix.Viewport className={styles.viewport} />
      </Radix.Provider>
    </ToastContext>
  );
}

function ToastCard({ toast, onClose }: { toast: Shown; onClose: () => void }) {
  const tone = toast.tone ?? 'plain';
  const Icon = ICONS[tone];
  return (
    <Radix.Root
      className={classes(styles.toast, styles[tone])}
      type="background"
      duration={toast.action ? DURATION_WITH_ACTION_MS : DURATION_MS}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Icon size={20} className={styles.icon} aria-hidden="true" />
      <div>
        <Radix.Title className={styles.title}>{toast.title}</Radix.Title>
        {toast.text && <Radix.Description className={styles.text}>{toast.text}</Radix.Description>}
        {toast.action && <div className={styles.action}>{toast.action}</div>}
      </div>
      <Radix.Close asChild>
        <Button look="quiet" size="icon" className={styles.close} aria-label="Dismiss">
          <X size={16} aria-hidden="true" />
        </Button>
      </Radix.Close>
    </Radix.Root>
  );
}

/** Shows a short message. */
export function useToast(): ShowToast {
  return use(ToastContext);
}

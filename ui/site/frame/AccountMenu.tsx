import { Avatar, Button, Menu, MenuItem, MenuLabel, MenuLine, useToast } from '@claret/ui/kit';
import { LogIn, LogOut, type LucideIcon } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { DOOR } from '../api/addresses.ts';
import { asProblem } from '../api/client.ts';
import { useSession } from '../session/useSession.ts';
import styles from './AccountMenu.module.css';
import { AppLink } from './AppLink.tsx';

/** Somewhere on the site that is one's own. */
export interface Place {
  to: string;
  label: string;
  Icon: LucideIcon;
}

export interface AccountMenuProps {
  /** of who is logged in, as others see it; null: nobody is */
  name: string | null;
  places: readonly Place[];
  /** said to somebody who logged out */
  goodbye: string;
}

/** The way in, or one's own places and the way out. */
export function AccountMenu({ name, places, goodbye }: AccountMenuProps) {
  const { isKnown, logOut } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const toast = useToast();
  if (!isKnown) return null;
  if (name === null) {
    const isAtDoor = pathname === '/login' || pathname === '/register';
    return (
      <Button asChild className={styles.enter}>
        <AppLink to={DOOR.login(isAtDoor || pathname === DOOR.home ? undefined : pathname + search)}>
          <LogIn size={18} aria-hidden="true" />
          Log in
        </AppLink>
      </Button>
    );
  }
  const leave = async () => {
    try {
      await logOut();
      toast({ title: 'You’re logged out', text: goodbye });
    } catch (thrown) {
      toast({ tone: 'bad', title: 'You’re still logged in', text: asProblem(thrown).message });
    }
  };
  return (
    <Menu
      trigger={
        <Button look="quiet" className={styles.account} aria-label={`Account of ${name}`}>
          <Avatar name={name} size={28} />
          <span>{name}</span>
        </Button>
      }
    >
      <MenuLabel>Logged in as {name}</MenuLabel>
      {places.map(({ to, label, Icon }) => (
        <MenuItem key={to} onSelect={() => void navigate(to)}>
          <Icon size={18} aria-hidden="true" /> {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>
        <LogOut size={18} aria-hidden="true" /> Log out
      </MenuItem>
    </Menu>
  );
}

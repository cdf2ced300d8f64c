import { Avatar, Button, Menu, MenuItem, MenuLabel, MenuLine, useToast } from '@claret/ui/kit';
import { LogIn, LogOut, type LucideIcon } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { SITE_PATHS } from '../api/addresses.ts';
import { asProblem } from '../api/client.ts';
import { useSession } from '../session/useSession.ts';
import styles from './AccountMenu.module.css';
import { AppLink } from './AppLink.tsx';

/** a page of the person's own */
export interface AccountLink {
  to: string;
  label: string;
  Icon: LucideIcon;
}

export interface AccountMenuProps {
  /** the logged-in person's public name; null: logged out */
  name: string | null;
  links: readonly AccountLink[];
  /** shown after logging out */
  goodbye: string;
}

/** The login button, or a menu with the person's own pages and logging out. */
export function AccountMenu({ name, links, goodbye }: AccountMenuProps) {
  const { isKnown, logOut } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const toast = useToast();
  if (!isKnown) return null;
  if (name === null) {
    const isAtLogin = pathname === '/login' || pathname === '/register';
    return (
      <Button asChild className={styles.enter}>
        <AppLink to={SITE_PATHS.login(isAtLogin || pathname === SITE_PATHS.home ? undefined : pathname + search)}>
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
      {links.map(({ to, label, Icon }) => (
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

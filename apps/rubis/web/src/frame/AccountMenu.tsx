import { Avatar, Button, Menu, MenuItem, MenuLabel, MenuLine, useToast } from '@claret/ui/kit';
import { Gavel, LogIn, LogOut, Tag, UserRound } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { asProblem } from '../api/door.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import { AppLink } from './AppLink.tsx';

export function AccountMenu({ className }: { className?: string | undefined }) {
  const { user, isKnown, logOut } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const toast = useToast();
  if (!isKnown) return null;
  if (!user) {
    const isAtDoor = pathname === '/login' || pathname === '/register';
    return (
      <Button asChild className={className}>
        <AppLink to={PAGE.login(isAtDoor || pathname === '/' ? undefined : pathname + search)}>
          <LogIn size={18} aria-hidden="true" />
          <span>Log in</span>
        </AppLink>
      </Button>
    );
  }
  const leave = async () => {
    try {
      await logOut();
      toast({ title: 'You are logged out', text: 'Your bids stand. See you soon.' });
    } catch (thrown) {
      toast({ tone: 'bad', title: 'You are still logged in', text: asProblem(thrown).message });
    }
  };
  return (
    <Menu
      trigger={
        <Button look="quiet" className={className} aria-label={`Account of ${user.nickname}`}>
          <Avatar name={user.nickname} size={28} />
          <span>{user.nickname}</span>
        </Button>
      }
    >
      <MenuLabel>Logged in as {user.nickname}</MenuLabel>
      <MenuItem onSelect={() => void navigate(PAGE.me)}>
        <Gavel size={18} aria-hidden="true" /> My bids and sales
      </MenuItem>
      <MenuItem onSelect={() => void navigate(PAGE.user(user.id))}>
        <UserRound size={18} aria-hidden="true" /> My page as others see it
      </MenuItem>
      <MenuItem onSelect={() => void navigate(PAGE.sell)}>
        <Tag size={18} aria-hidden="true" /> Sell something
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>
        <LogOut size={18} aria-hidden="true" /> Log out
      </MenuItem>
    </Menu>
  );
}

import { Monitor, Moon, Sun } from 'lucide-react';
import { Button } from './Button.tsx';
import { useTheme, type Theme } from './hooks/useTheme.ts';
import { Menu, MenuChoice, MenuLabel } from './Menu.tsx';

const CHOICES = [
  { value: 'system', label: 'Same as device', icon: <Monitor size={18} aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun size={18} aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon size={18} aria-hidden="true" /> },
] as const satisfies readonly { value: Theme; label: string; icon: React.ReactNode }[];

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label="Theme">
          {theme === 'dark' ? (
            <Moon size={20} aria-hidden="true" />
          ) : theme === 'light' ? (
            <Sun size={20} aria-hidden="true" />
          ) : (
            <Monitor size={20} aria-hidden="true" />
          )}
        </Button>
      }
    >
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} onChange={setTheme} choices={CHOICES} />
    </Menu>
  );
}

// A person's avatar, generated from their name: the same name gives the same face, in every browser and without a network.
import { classes } from './classes.ts';
import styles from './Avatar.module.css';
import { seeded } from './seeded.ts';

const GROUNDS = ['#e9c9bd', '#cfe0de', '#e2e0c4', '#d9d2e6', '#f1ddb4', '#c9dced', '#d3e5d4', '#efc4ad'];
const BODIES = ['#8e2f46', '#1f6f78', '#3d5a40', '#3b4f80', '#b5533c', '#5d4a7a', '#29526d', '#a06a1c'];
const SKINS = ['#f6d5bd', '#e8b894', '#cf9568', '#a66f45', '#7d4e30', '#5b3825'];
const HAIRS = ['#2a1d1a', '#4a2e22', '#7a4a26', '#b98743', '#8d8782', '#5a1f2b', '#1d2433'];

export interface AvatarProps {
  /** the nickname, which is known before the rest of the person has loaded */
  name: string;
  size?: number;
  className?: string;
}

/** Decoration only: the name has to stand beside it. */
export function Avatar({ name, size = 40, className }: AvatarProps) {
  const random = seeded(`face ${name}`);
  const ground = random.pick(GROUNDS);
  const body = random.pick(BODIES);
  const skin = random.pick(SKINS);
  const hair = random.pick(HAIRS);
  const style = random.integer(0, 4);
  const hasGlasses = random.chance(0.25);
  const tilt = random.between(-5, 5);
  const smile = random.between(1.2, 3.4);
  return (
    <svg className={classes(styles.avatar, className)} width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <rect width="48" height="48" fill={ground} />
      <path d="M6 50c0-11 8-15 18-15s18 4 18 15z" fill={body} />
      <path d="M19 30h10v6a5 5 0 0 1-10 0z" fill={skin} />
      <path d="M19 33.5c2 2.2 8 2.2 10 0v-2H19z" fill="#000" opacity="0.12" />
      <g transform={`rotate(${tilt} 24 30)`}>
        {style === 1 && <path d="M12.5 22c0-9 5-14 11.5-14s11.5 5 11.5 14v13c-3 1.5-5 0-5-3h-13c0 3-2 4.5-5 3z" fill={hair} />}
        {style === 3 && <circle cx="24" cy="9" r="4.5" fill={hair} />}
        <ellipse cx="24" cy="23" rx="9.5" ry="11" fill={skin} />
        {style === 0 && <path d="M14 22c-1-9 4-13 10-13s11 4 10 13c-2-4-4-6-7-6.5-4 .8-9 0-10-1.5-1 2-2.5 4-3 8z" fill={hair} />}
        {style === 1 && <path d="M14.3 21c0-8 4-11.5 9.7-11.5s9.7 3.5 9.7 11.5c-5-1-8-3-9.7-6-1.7 3-4.7 5-9.7 6z" fill={hair} />}
        {style === 2 && <path d="M14.5 19c.5-6 4-9 9.5-9s9 3 9.5 9c-3-3-6-4-9.5-4s-6.5 1-9.5 4z" fill={hair} />}
        {style === 3 && <path d="M14.3 21c0-8 4-11.5 9.7-11.5s9.7 3.5 9.7 11.5c-2-4-5-6-9.7-6s-7.7 2-9.7 6z" fill={hair} />}
        {style === 4 && <path d="M15 25c0 8 4 11 9 11s9-3 9-11c-1.5 3-4 4-9 4s-7.5-1-9-4z" fill={hair} />}
        <circle cx="20.3" cy="22.5" r="1.25" fill="#241a18" />
        <circle cx="27.7" cy="22.5" r="1.25" fill="#241a18" />
        {hasGlasses && (
          <path
            d="M16.8 22.5a3.4 3.4 0 1 0 6.8 0 3.4 3.4 0 1 0-6.8 0zm7.6 0a3.4 3.4 0 1 0 6.8 0 3.4 3.4 0 1 0-6.8 0z"
            fill="none"
            stroke="#241a18"
            strokeWidth="0.9"
          />
        )}
        <path
          d={`M21 28.5q3 ${smile} 6 0`}
          fill="none"
          stroke={style === 4 ? '#f3e3d3' : '#7a3b33'}
          strokeWidth="1.3"
          strokeLinecap="round"
        />
      </g>
    </svg>
  );
}

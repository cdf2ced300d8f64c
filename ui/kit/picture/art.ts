// Drawing helpers of all motifs. Motifs stand on the table line at y = GROUND, centred on x = 0, about 150 wide and high.
import type { ReactNode } from 'react';
import type { Seeded } from '../seeded.ts';

export interface Palette {
  wall: string;
  wallDeep: string;
  table: string;
  /** three colours for the motif, the strongest first */
  a: string;
  b: string;
  c: string;
  dark: string;
  light: string;
}

export interface Art {
  random: Seeded;
  palette: Palette;
}

export type Motif = (art: Art) => ReactNode;

export const PALETTES: readonly Palette[] = [
  {
    wall: '#ecd9d0',
    wallDeep: '#d8b2a6',
    table: '#7a4a48',
    a: '#8e2f46',
    b: '#dfa252',
    c: '#2f4858',
    dark: '#2b2024',
    light: '#fbf3ea',
  },
  {
    wall: '#d5e4e1',
    wallDeep: '#a4c5c4',
    table: '#2f4f57',
    a: '#d4603a',
    b: '#efc785',
    c: '#1f6f78',
    dark: '#14282d',
    light: '#f8f5ec',
  },
  {
    wall: '#e7e4d0',
    wallDeep: '#c5c69d',
    table: '#5c5f3a',
    a: '#a23e2a',
    b: '#d9a441',
    c: '#3d5a40',
    dark: '#23251a',
    light: '#faf7ea',
  },
  {
    wall: '#39406a',
    wallDeep: '#222744',
    table: '#15182d',
    a: '#e2725b',
    b: '#f2c14e',
    c: '#7a9dbd',
    dark: '#0c0e1a',
    light: '#f5ecd9',
  },
  {
    wall: '#f4e8d5',
    wallDeep: '#dfc69c',
    table: '#a5744a',
    a: '#29526d',
    b: '#c8553d',
    c: '#6f8461',
    dark: '#2d231b',
    light: '#fffaf0',
  },
  {
    wall: '#e2dbea',
    wallDeep: '#bcadcd',
    table: '#574b6b',
    a: '#a8356a',
    b: '#efb366',
    c: '#3b4f80',
    dark: '#241c30',
    light: '#faf6fb',
  },
  {
    wall: '#dcebdf',
    wallDeep: '#a9cab4',
    table: '#42654f',
    a: '#db7457',
    b: '#f0c987',
    c: '#3d405b',
    dark: '#1b2a22',
    light: '#f9fbf4',
  },
  {
    wall: '#f0cdb6',
    wallDeep: '#db9a77',
    table: '#6b3a2a',
    a: '#274c5b',
    b: '#f4e0a8',
    c: '#8c2f39',
    dark: '#2a1710',
    light: '#fdf3e6',
  },
  {
    wall: '#d5dce2',
    wallDeep: '#9fafbc',
    table: '#3a4753',
    a: '#b5433a',
    b: '#e6b655',
    c: '#1f4e79',
    dark: '#182028',
    light: '#f6f8fa',
  },
  {
    wall: '#5a3650',
    wallDeep: '#371f31',
    table: '#210f1c',
    a: '#e9a6a1',
    b: '#f3d17c',
    c: '#7fb0a8',
    dark: '#14080f',
    light: '#fbeee6',
  },
  {
    wall: '#f5edc9',
    wallDeep: '#e3cf84',
    table: '#86692d',
    a: '#2e5e4e',
    b: '#cc4358',
    c: '#30638e',
    dark: '#292312',
    light: '#fffbea',
  },
  {
    wall: '#dbe8f4',
    wallDeep: '#a3c3e2',
    table: '#365a80',
    a: '#cb5a38',
    b: '#f3d08a',
    c: '#264653',
    dark: '#14222e',
    light: '#f7fafd',
  },
];

/** y of the table line */
export const GROUND = 232;
